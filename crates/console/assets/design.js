// The design: the text of the model, and beside it all that follows from it.
import { address, current, go, note } from "./address.js";
import { isReadOnly } from "./client.js";
import { confirm, open } from "./dialog.js";
import { debounce, download, h, notify, offerUndo, replace, tabs } from "./dom.js";
import { chartTabs } from "./design-charts.js";
import { compareTab } from "./design-compare.js";
import { costTab } from "./design-cost.js";
import { deployTab } from "./design-deploy.js";
import { exportModel, openTable, readFile } from "./design-exchange.js";
import {
  chooseModel,
  chosenModel,
  design,
  discardChanges,
  giveToServer,
  isOvertaken,
  modelChoice,
  modelParameter,
  modelText,
  onOtherTab,
  OWN,
  reloadModels,
  servedText,
  setModelText,
} from "./model.js";
import { STARTER } from "./starter.js";

const TABS = [
  ["diagram", "Diagram"],
  ["entities", "Entities"],
  ["patterns", "Patterns"],
  ["items", "Sample items"],
  ["lint", "Lint"],
  ["cost", "Cost"],
  ["compare", "Compare"],
  ["deploy", "Tables and data"],
];

/** What an address says if the text of the model is folded. */
const FOLDED = "hidden";
/** Milliseconds without a key after which the text is checked. */
const PAUSE = 200;

/** Shows the design. */
export async function showDesign(room, place) {
  await reloadModels();
  chooseModel(place.params.model);
  // What is written here is of this model, whichever is chosen meanwhile.
  const key = chosenModel();
  let tab = TABS.some(([name]) => name === place.params.tab) ? place.params.tab : "diagram";
  const source = sourceEditor(modelText(key), check, () => {
    setModelText(source.text, key);
    elsewhere.hidden = true;
    say("", "checking …");
    deploy?.suspend();
  });
  const sides = h("div.design");
  const elsewhere = h(
    "div.note.row.middle",
    { hidden: true, role: "status" },
    "Another tab has changed this text. What you see here is the text as it was.",
    h("button", { type: "button", onclick: showOther }, "Show its text"),
  );
  const body = h("div.panel-body", { tabindex: "0", role: "tabpanel", "aria-label": "What follows from the model" });
  const state = h("span.tag", { role: "status" });
  let shown = null;
  let deploy = null;
  let other = place.params.with ?? "";
  let factors = { rates: place.params.rates ?? "", sizes: place.params.sizes ?? "" };

  function notedFactors(given) {
    factors = given;
    noteTab();
  }

  function notedOther(key) {
    other = key;
    noteTab();
  }

  function noteTab() {
    const ofTab = { compare: { with: other }, cost: factors }[tab] ?? {};
    note(["design"], { model: modelParameter(), tab, text: isFolded() ? FOLDED : "", ...ofTab });
  }

  function isFolded() {
    return sides.classList.contains("folded");
  }

  /** Folds the text, so that there is more room for what follows from it, or unfolds it. */
  function fold(isWanted) {
    sides.classList.toggle("folded", isWanted);
    replace(folding, isWanted ? "Show text" : "Hide text");
  }

  function select(finding) {
    fold(false);
    noteTab();
    source.select(finding);
  }

  function say(kind, text) {
    state.className = `tag ${kind}`;
    replace(state, text);
  }

  function drawTab() {
    if (!shown)
      return replace(
        body,
        h(
          "div.empty",
          h("p", "Write a model on the left, open a file, or begin with an example."),
          h("button", { type: "button", onclick: () => source.set(STARTER) }, "Begin with an example"),
        ),
      );
    deploy = tab === "deploy" ? deployTab(shown) : null;
    replace(body, deploy ? deploy.element : content(tab, shown));
  }

  function content(name, known) {
    if (name === "cost") return costTab(known, factors, notedFactors);
    if (name === "compare") return compareTab(known, other, notedOther);
    return chartTabs[name](known, select);
  }

  const give = h("button", { type: "button", hidden: isReadOnly, onclick: giveModel }, "Give to server");
  const folding = h("button", { type: "button", onclick: () => [fold(!isFolded()), noteTab()] });
  const exporting = h("button", { type: "button", onclick: () => exportModel(shown) }, "Export");
  const discard = h("button", { type: "button", onclick: discardModel }, "Discard changes");

  /** Only what differs from the server's text can be given to it or discarded. */
  function drawModelButtons() {
    const isChanged = source.text !== servedText(key);
    give.disabled = !source.text.trim() || !isChanged;
    discard.hidden = key === OWN || !isChanged;
    exporting.disabled = !shown;
  }

  async function giveModel() {
    const name = shown?.name ?? "model";
    const { text } = source;
    give.disabled = true;
    try {
      if ((await isOvertaken(name, text, key)) && !(await askToReplace(name))) return drawModelButtons();
      await giveToServer(name, text, key);
      drawModelButtons();
      notify(`The server watches its tables by ${name}`);
      const params = { model: name, tab, text: isFolded() ? FOLDED : "" };
      if (location.hash === address(["design"], params)) dispatchEvent(new Event("hashchange"));
      else go(["design"], params);
    } catch (error) {
      open("The server refuses the model", h("pre.error", error.message));
      drawModelButtons();
    }
  }

  function discardModel() {
    replaceText("The changes are discarded", () => {
      discardChanges(key);
      source.set(modelText(key));
    });
  }

  function showOther() {
    replaceText("The text of the other tab is shown", () => source.set(modelText(key)));
  }

  /** What another tab wrote, discarded or gave to the server is not taken before somebody says so. */
  async function lookElsewhere() {
    await reloadModels().catch(() => {});
    elsewhere.hidden = modelText(key) === source.text;
    drawModelButtons();
  }

  /** Puts another text in the place of the model's, and offers to take that back. */
  function replaceText(said, change) {
    const before = source.text;
    change();
    if (!before.trim() || source.text === before) return;
    offerUndo(said, () => {
      setModelText(before, key);
      if (source.element.isConnected && chosenModel() === key) source.set(before);
      else if (current().path[0] === "design") dispatchEvent(new Event("hashchange"));
      else notify(`The text of ${key === OWN ? "the model" : key} is as it was`);
    });
  }

  function clear() {
    replaceText("The model is cleared", () => source.set(""));
  }

  function fromTable() {
    return openTable((text) =>
      replaceText("The table's model has taken the place of the model", () => source.set(text)),
    );
  }

  async function openFile() {
    if (!file.files[0]) return;
    try {
      const text = await readFile(file.files[0]);
      replaceText("The file has taken the place of the model", () => source.set(text));
    } catch (error) {
      notify(error.message, true);
    }
    // The same file can be chosen again.
    file.value = "";
  }

  async function check() {
    const text = source.text;
    drawModelButtons();
    if (!text.trim()) {
      shown = null;
      deploy = null;
      source.mark([]);
      say("", "no model");
      return drawTab();
    }
    say("", "checking …");
    try {
      const answer = await design(key, text);
      if (text !== source.text) return;
      source.mark([...answer.diagnostics, ...(answer.lint?.findings ?? [])]);
      const mistakes = answer.diagnostics.filter(({ severity }) => severity === "error").length;
      say(
        mistakes ? "bad" : "good",
        mistakes ? `${mistakes} ${mistakes === 1 ? "mistake" : "mistakes"}` : "consistent",
      );
      if (!answer.consistent) return;
      shown = { ...answer, text };
      exporting.disabled = false;
      // What somebody is filling in is not drawn anew under their hands.
      if (deploy) deploy.update(shown);
      else drawTab();
    } catch (error) {
      if (text !== source.text) return;
      say("bad", "not checked");
      notify(error.message, true);
    }
  }

  const file = h("input", {
    type: "file",
    accept: ".toml,.yaml,.yml,.json,.tf,.tfstate,.ts,.js,.mjs,.template",
    "aria-label": "File of a model",
    hidden: true,
    onchange: openFile,
  });
  const bar = tabs("What follows from the model", TABS, tab, (chosen) => {
    tab = chosen;
    noteTab();
    drawTab();
  });
  replace(
    room,
    h(
      "div.bar",
      h("h1", "Design"),
      modelChoice(() => go(["design"], { model: chosenModel(), tab })),
      state,
      h("span.grow"),
      file,
      discard,
      give,
      folding,
      h("button", { type: "button", onclick: () => file.click() }, "Open file"),
      h("button", { type: "button", onclick: fromTable }, "From table"),
      h(
        "button",
        { type: "button", onclick: () => download("model.toml", "application/toml", source.text) },
        "Save file",
      ),
      exporting,
      h("button.quiet", { type: "button", onclick: clear }, "Clear"),
    ),
    elsewhere,
    replace(sides, source.element, h("div.panel", bar, body)),
  );
  fold(place.params.text === FOLDED);
  drawTab();
  const end = onOtherTab(key, lookElsewhere);
  await check();
  return end;
}

function askToReplace(name) {
  return confirm(
    `Replace ${name}?`,
    "The server's model is not the one that this text began from: it was given meanwhile, by somebody else " +
      "or from elsewhere. Compare shows how it differs.",
    "Replace it",
  );
}

/** The text with its line numbers, and what is wrong with it. */
function sourceEditor(text, check, edited) {
  const numbers = h("pre");
  const marks = h("div");
  const gutter = h("div.gutter", { "aria-hidden": "true" }, marks, numbers);
  const area = h("textarea", {
    spellcheck: "false",
    wrap: "off",
    "aria-label": "Text of the model",
    autocapitalize: "off",
  });
  const problems = h("ul.problems", { "aria-label": "Findings" });
  area.value = text;
  const later = debounce(check, PAUSE);
  area.addEventListener("input", () => {
    edited();
    number(new Map());
    later();
  });
  area.addEventListener("scroll", () => (gutter.scrollTop = area.scrollTop));

  let counted = 0;
  function number(lines) {
    const count = area.value.split("\n").length;
    if (count !== counted) numbers.textContent = Array.from({ length: count }, (_, line) => line + 1).join("\n");
    counted = count;
    replace(
      marks,
      [...lines].map(([line, kind]) => h("span", { class: kind, style: { top: `${8 + (line - 1) * 18}px` } }, line)),
    );
    gutter.scrollTop = area.scrollTop;
  }

  function mark(found) {
    const lines = new Map();
    for (const { severity, start } of [...found].reverse()) if (start) lines.set(start.line, `${severity}-line`);
    number(lines);
    replace(
      problems,
      found.map((finding) =>
        h(
          "li",
          h(
            "button",
            { type: "button", onclick: () => select(finding) },
            h("span", { class: `severity-${finding.severity}` }, finding.severity),
            h("span.muted", finding.start ? `line ${finding.start.line}` : ""),
            h("span", finding.message),
          ),
        ),
      ),
    );
  }

  function select({ start, end }) {
    if (!start) return;
    const lines = area.value.split("\n");
    // Columns count characters, and a text area half of some of them.
    const at = ({ line, column }) => {
      const before = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
      return before + [...(lines[line - 1] ?? "")].slice(0, column - 1).join("").length;
    };
    area.focus();
    area.setSelectionRange(at(start), at(end ?? start));
    area.scrollTop = Math.max(0, (start.line - 6) * 18);
  }

  number(new Map());
  const set = (text) => {
    area.value = text;
    edited();
    number(new Map());
    check();
  };
  return {
    element: h("section.source", { "aria-label": "Model" }, h("div.source-text", gutter, area), problems),
    get text() {
      return area.value;
    },
    set,
    mark,
    select,
  };
}
