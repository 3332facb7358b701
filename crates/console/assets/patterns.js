// Access patterns: run one with a form for what it needs to know.
import { address, go, note } from "./address.js";
import { counted, dataTable, field, h, notify, number, replace, select } from "./dom.js";
import { entityChip, keyParts, partsOf } from "./key-text.js";
import {
  chooseModel,
  chosenModel,
  consistentDesign,
  entityClass,
  modelChoice,
  modelParameter,
  recognise,
} from "./model.js";
import { isRead, play } from "./pattern-run.js";
import { codeBox } from "./query-form.js";
import { TabHistory } from "./tab-history.js";
import { attribute, display } from "./values.js";

const runs = new TabHistory("monotable.runs");
/** How much of an outcome is shown: requests, and rows of an entity. */
const [REQUESTS_SHOWN_MAX, ROWS_SHOWN_MAX] = [50, 200];
/** What begins the names of the arguments in an address. */
const ARGUMENT = "a.";

/** Shows the patterns, and the one that is chosen. */
export async function showPatterns(room, place) {
  chooseModel(place.params.model);
  const known = await consistentDesign();
  const choice = modelChoice(() => go(["patterns"], { model: chosenModel() }));
  if (!known) {
    return replace(
      room,
      h("div.bar", h("h1", "Patterns"), choice),
      h(
        "div.empty",
        h("p", "Access patterns come from a model."),
        h("p", h("a", { href: address(["design"]) }, "Write or open one in Design"), "."),
      ),
    );
  }
  const name = place.path[1];
  if (!name && known.patterns.length) return go(["patterns", known.patterns[0].name], { model: modelParameter() });
  const pattern = known.patterns.find((one) => one.name === name);
  replace(
    room,
    h("div.bar", h("h1", "Patterns"), choice ?? h("span.muted", known.title ?? known.name)),
    h(
      "div.two",
      h("nav.list", { "aria-label": "Access patterns" }, links(known, name)),
      pattern ? patternPane(known, pattern, place.params) : h("div.empty", `There is no access pattern ${name}.`),
    ),
  );
}

function links(known, chosen) {
  const groups = Map.groupBy
    ? Map.groupBy(known.patterns, ({ group }) => group ?? "")
    : new Map([["", known.patterns]]);
  return [...groups].map(([group, patterns]) => [
    group ? h("h2", group) : null,
    patterns.map(({ name, served }) =>
      h(
        "a",
        {
          href: address(["patterns", name], { model: modelParameter() }),
          "aria-current": name === chosen ? "page" : null,
        },
        name,
        served ? null : [" ", h("span.tag.bad", "not served")],
      ),
    ),
  ]);
}

function patternPane(known, pattern, params) {
  const inputs = new Map(
    pattern.parameters.map((parameter) => [
      parameter.name,
      argumentInput(parameter, params[ARGUMENT + parameter.name] ?? ""),
    ]),
  );
  const result = h("div.stack", { "aria-live": "polite" });
  const past = h("div.stack");
  const button = h("button.primary", { type: "submit", disabled: !pattern.served }, "Run");
  const form = h(
    "form.row",
    { "aria-label": "Arguments", onsubmit: submit },
    pattern.parameters.map((parameter) => field(label(parameter), inputs.get(parameter.name))),
    button,
  );

  async function submit(event) {
    event.preventDefault();
    const now = given();
    note(["patterns", pattern.name], addressed(now));
    await run(now);
  }

  function given() {
    return Object.fromEntries(
      [...inputs].map(([name, input]) => [name, input.value]).filter(([, value]) => value !== ""),
    );
  }

  /** A pattern may write, so it does not run twice at once. */
  async function run(arguments_) {
    if (button.disabled) return;
    button.disabled = true;
    replace(result, h("p.muted", "Running …"));
    try {
      const outcome = await play(known, pattern, arguments_);
      runs.add({
        pattern: pattern.name,
        model: modelParameter(),
        given: arguments_,
        rows: outcome.requests.flatMap(({ rows }) => rows).length,
        units: outcome.read + outcome.write,
      });
      replace(result, outcomeView(known, pattern, outcome));
    } catch (error) {
      replace(result, h("div.error", { role: "alert" }, error.message));
    }
    button.disabled = false;
    drawPast();
  }

  function drawPast() {
    const link = ({ pattern: name, given, model }) => address(["patterns", name], addressed(given, model));
    const all = runs.all();
    replace(
      past,
      all.length
        ? h(
            "details.card",
            h("summary", "History"),
            h(
              "ul",
              all.map((one) =>
                h(
                  "li",
                  h("a", { href: link(one) }, one.pattern),
                  ` ${JSON.stringify(one.given)} · ${number(one.rows)} rows · ${number(one.units, 1)} units`,
                ),
              ),
            ),
          )
        : null,
    );
  }

  drawPast();
  const isAllGiven = pattern.parameters.every(({ name, required }) => !required || params[ARGUMENT + name]);
  const onlyReads = known.chart.patterns
    .find((one) => one.pattern === pattern.name)
    ?.requests.every(({ operation }) => isRead(operation));
  const isAsked = Object.keys(params).some((name) => name.startsWith(ARGUMENT));
  if (isAllGiven && onlyReads && isAsked) run(given());
  return h(
    "div.panel-body.stack",
    { tabindex: "0", role: "region", "aria-label": "Access pattern" },
    h("h2", pattern.name),
    pattern.description ? h("p", pattern.description) : null,
    h("pre.note", pattern.plan.join("\n")),
    form,
    result,
    past,
  );
}

/** The parameters of an address that runs a pattern of a model so. */
function addressed(given, model = modelParameter()) {
  const values = Object.entries(given).map(([name, value]) => [ARGUMENT + name, value]);
  return { ...Object.fromEntries(values), model };
}

function label({ name, type, required, list }) {
  return `${name}${type ? ` ${type}` : ""}${list ? ", or a list" : ""}${required ? "" : " (optional)"}`;
}

function argumentInput({ values, description, type, name }, value) {
  if (values.length) return select(["", ...values], value, { name, title: description });
  if (type === "M" || type === "L") {
    const area = h("textarea", {
      rows: "2",
      name,
      placeholder: type === "L" ? '[{"name": "value"}]' : '{"name": "value"}',
      title: description,
      spellcheck: "false",
    });
    area.value = value;
    return area;
  }
  return h("input.mono", { name, value, title: description, autocomplete: "off", spellcheck: "false" });
}

function outcomeView(known, pattern, outcome) {
  const planned = known.chart.patterns.find((one) => one.pattern === pattern.name);
  const against = (got, expected) => [
    h("b", number(got, 1)),
    expected === null || expected === undefined
      ? ""
      : h("span.muted", ` against an estimate of ${number(expected, 1)}`),
  ];
  return [
    h(
      "div.cards",
      h("div.card", h("h3", "Read units"), against(outcome.read, planned?.read_units)),
      h("div.card", h("h3", "Write units"), against(outcome.write, planned?.write_units)),
      h("div.card", h("h3", "Rows"), h("b", number(outcome.requests.reduce((sum, { rows }) => sum + rows.length, 0)))),
    ),
    outcome.notes.map((text) => h("div.note", text)),
    outcome.requests.length > REQUESTS_SHOWN_MAX
      ? h("div.note", `The first ${REQUESTS_SHOWN_MAX} of ${counted(outcome.requests.length, "request")} are shown.`)
      : null,
    outcome.requests.slice(0, REQUESTS_SHOWN_MAX).map((played) => requestView(known, played)),
  ];
}

function requestView(known, played) {
  const rows = h("div.stack");
  drawRows(known, played.rows, rows).catch((error) => notify(error.message, true));
  return h(
    "section.card.stack",
    { "aria-label": played.operation },
    h("h3", played.operation, " ", h("span.muted", requestText(played))),
    played.refusal ? h("div.error", `The condition was not met: ${played.refusal}`) : null,
    played.undone
      ? h("div.error", `The table takes no more: ${number(played.undone)} of the batch are not done.`)
      : null,
    rows,
    h(
      "details",
      h("summary", "Request"),
      codeBox(played.operation, played.request, "cli"),
      h("pre.note", JSON.stringify(played.request, null, 2)),
    ),
  );
}

/** What came of a request in a line. */
function requestText({ rows, found, scanned, units, pages, isCut }) {
  return [
    rows.length < found ? `the first ${number(rows.length)} of ${counted(found, "row")}` : counted(found, "row"),
    ...(scanned === null ? [] : [`${number(scanned - found)} read and thrown away`]),
    `${number(units, 1)} units`,
    counted(pages, "page"),
    ...(isCut ? ["there are more"] : []),
  ].join(", ");
}

/** Rows grouped by entity, each with the attributes that its entity has. */
async function drawRows(known, rows, room) {
  const found = new Map();
  for (const table of new Set(rows.map((row) => row.table))) {
    const of = rows.filter((row) => row.table === table);
    const recognised = await recognise(
      table,
      of.map(({ item }) => item),
    );
    of.forEach((row, place) => found.set(row, recognised[place]));
  }
  const groups = new Map();
  for (const row of rows) {
    const entity = found.get(row)?.entity ?? null;
    if (!groups.has(entity)) groups.set(entity, []);
    groups.get(entity).push(row);
  }
  replace(
    room,
    [...groups].map(([entity, members]) => entityTable(known, entity, members, found)),
  );
}

function entityTable(known, entity, rows, found) {
  const ofTables = new Set(known.tables.flatMap((table) => table.keys));
  const keys = new Set(
    known.tables.flatMap((table) => [table.keys, ...table.indexes.map((index) => index.keys)]).flat(),
  );
  // The key first, then what the item says, then what indexes are built with.
  const rank = (name) => (ofTables.has(name) ? 0 : keys.has(name) ? 2 : 1);
  const shown = [...new Set(rows.flatMap(({ item }) => Object.keys(item)))].sort(
    (one, other) => rank(one) - rank(other) || one.localeCompare(other),
  );
  const cell = (row, name) =>
    attribute(row.item, name)
      ? keys.has(name)
        ? keyParts(row.item[name], partsOf(found.get(row), name))
        : display(row.item[name]).slice(0, 120)
      : "";
  const row = (one) =>
    h(
      "tr",
      shown.map((name) => h("td.mono.nowrap", cell(one, name))),
    );
  return h(
    "div",
    h("div", entityChip(entity, entityClass(known, entity)), " ", h("span.muted.small", rowsText(rows.length))),
    dataTable(shown, rows.slice(0, ROWS_SHOWN_MAX).map(row)),
  );
}

function rowsText(count) {
  return count > ROWS_SHOWN_MAX ? `the first ${ROWS_SHOWN_MAX} of ${counted(count, "row")}` : counted(count, "row");
}
