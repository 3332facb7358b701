// Two designs side by side: what changes from one to the other, and what both cost.
import { ask } from "./client.js";
import { dataTable, h, money, number, replace, rounds, select } from "./dom.js";
import { readFile } from "./design-exchange.js";
import { otherModels } from "./model.js";
import { wordDifference } from "./word-difference.js";

/** What a file is called in the choice of models. */
const FILE = "@file";

/** What a class of changes means for items that are stored. */
const MEANINGS = {
  additive: "Nothing is to be done about stored items.",
  "table change": "The table changes; stored items stay as they are.",
  decorate: "Stored items get or lose attributes, in place.",
  rewrite: "Stored items get another primary key.",
  convert: "Stored values must be converted by a program that knows how.",
  "new table": "It cannot be done in place: items must be copied to a new table.",
};
const SIGNS = { added: "sign-add", changed: "sign-change", removed: "sign-delete" };

/** The content of the tab; `chosen` is the other model, and `noted` is told which one it is. */
export function compareTab(known, chosen, noted) {
  const others = new Map(otherModels().map(({ key, title, text }) => [key, { title, text }]));
  const body = h("div.stack");
  const file = h("input", { type: "file", hidden: true, "aria-label": "File to compare with", onchange: openFile });
  const options = [...others].map(([key, { title }]) => [key, title]);
  const choice = select([["", "choose"], ...options, [FILE, "a file …"]], others.has(chosen) ? chosen : "", {
    "aria-label": "Compare with",
    onchange: () => (choice.value === FILE ? file.click() : show(choice.value)),
  });

  const begin = rounds();

  async function openFile() {
    if (file.files[0]) await draw(() => readFile(file.files[0]));
  }

  async function show(key) {
    noted(key);
    if (others.has(key)) return draw(() => others.get(key).text);
    begin();
    return replace(body, h("p.muted", "What changes, and what both cost, is shown here."));
  }

  async function draw(read) {
    const isWanted = begin();
    try {
      const answer = await ask("compare", { model: known.text, other: await read() });
      const { difference } = answer;
      if (isWanted()) replace(body, summary(difference), changes(difference), plan(difference), costs(answer));
    } catch (error) {
      if (isWanted()) replace(body, h("div.error", { role: "alert" }, error.message));
    }
  }

  show(choice.value);
  return h(
    "div.stack",
    h("div.row.middle", h("span", "From"), choice, h("span", "to ", h("b", known.name)), file),
    body,
  );
}

function summary({ equal, class: found }) {
  if (equal) return h("p", h("span.tag.good", "Tables, entities and access patterns are the same."));
  return h("p", h("b", MEANINGS[found] ?? found));
}

function changes({ changes: all }) {
  if (!all.length) return null;
  const row = ({ mark, kind, path, before, after, class: found, notes, ...one }) =>
    h(
      "tr",
      { "data-change": path },
      h("td", { class: SIGNS[mark] }, mark),
      h("td", kind, h("div.mono.small.muted", breakable(path))),
      h("td.mono.wrap", sides(before, after)),
      h(
        "td",
        found,
        one.old_readers_break ? h("div", h("span.tag.bad", "old readers break")) : null,
        one.old_writers_break ? h("div", h("span.tag.bad", "old writers break")) : null,
        notes.map((note) => h("div.small.muted", note)),
      ),
    );
  return dataTable(["Change", "Of", "What", "For stored items"], all.map(row));
}

/** A text before and after, with the words that are different marked. */
function sides(before, after) {
  const [was, is] = wordDifference(before ?? "", after ?? "");
  const side = (kind, sign, all) =>
    h(
      `div.side-${kind}`,
      `${sign} `,
      all.map(({ text, isDifferent }) => (isDifferent ? h(`span.diff-${kind}`, text) : text)),
    );
  return [before === null ? null : side("was", "−", was), after === null ? null : side("is", "+", is)];
}

/** A path that may go on in the next line after each dot. */
function breakable(path) {
  return path.split(".").map((step, place) => (place ? [".", h("wbr"), step] : step));
}

function plan({ steps }) {
  if (!steps.length) return null;
  const list = h(
    "ol",
    steps.map(({ text }) => h("li", text)),
  );
  return h("section.card", { "aria-label": "Plan" }, h("h2", "Plan"), list);
}

function costs({ before, after }) {
  const patterns = (side) => new Map(side.cost.patterns.map((pattern) => [pattern.name, pattern.month]));
  const [was, is] = [patterns(before), patterns(after)];
  const names = [...new Set([...is.keys(), ...was.keys()])];
  const text = (side, value) => (value === undefined || value === null ? "–" : money(value, side.cost.currency));
  const row = (name, one, other) =>
    h(
      "tr",
      { class: one === other ? "muted" : "" },
      h("td", name),
      h("td.number", text(before, one)),
      h("td.number", text(after, other)),
      h("td.number", difference(one, other)),
    );
  return h(
    "section.card",
    { "aria-label": "Cost of both" },
    h("h2", "Cost a month"),
    dataTable(
      ["Access pattern", { number: "Before" }, { number: "After" }, { number: "Difference" }],
      [
        h("tr", { "data-total": "" }, [...row("All, with storage", before.cost.total, after.cost.total).children]),
        ...names.map((name) => row(name, was.get(name), is.get(name))),
      ],
    ),
  );
}

function difference(one, other) {
  const growth = (other ?? 0) - (one ?? 0);
  if (Math.abs(growth) < 0.005) return "0";
  return `${growth > 0 ? "+" : "−"}${number(Math.abs(growth))}`;
}
