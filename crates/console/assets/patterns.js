// Access patterns: run one with a form for what it needs to know.
import { address, go, note } from "./address.js";
import { ask, call, isReadOnly } from "./client.js";
import { counted, dataTable, field, h, notify, number, replace, select } from "./dom.js";
import { entityChip, keyParts } from "./key-text.js";
import {
  chooseModel,
  chosenModel,
  consistentDesign,
  entityClass,
  modelChoice,
  modelParameter,
  recognise,
} from "./model.js";
import { codeBox } from "./query-form.js";
import { display } from "./values.js";

/** What was run in this tab, newest first. */
const runs = [];
const HISTORY_MAX = 50;
/** Pages of one request that are read. */
const PAGES_MAX = 20;
/** What begins the names of the arguments in an address. */
const ARGUMENT = "a.";
const READS = new Set(["GetItem", "Query", "Scan", "BatchGetItem", "TransactGetItems"]);

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
  const form = h(
    "form.row",
    { "aria-label": "Arguments", onsubmit: submit },
    pattern.parameters.map((parameter) => field(label(parameter), inputs.get(parameter.name))),
    h("button.primary", { type: "submit", disabled: !pattern.served }, "Run"),
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

  async function run(arguments_) {
    replace(result, h("p.muted", "Running …"));
    try {
      const outcome = await play(known, pattern, arguments_);
      runs.unshift({
        pattern: pattern.name,
        given: arguments_,
        rows: outcome.requests.flatMap(({ rows }) => rows).length,
        units: outcome.read + outcome.write,
      });
      runs.length = Math.min(runs.length, HISTORY_MAX);
      replace(result, outcomeView(known, pattern, outcome));
    } catch (error) {
      replace(result, h("div.error", { role: "alert" }, error.message));
    }
    drawPast();
  }

  function drawPast() {
    const link = ({ pattern: name, given }) => address(["patterns", name], addressed(given));
    replace(
      past,
      runs.length
        ? h(
            "details.card",
            h("summary", "History"),
            h(
              "ul",
              runs.map((one) =>
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
  const isRead = known.chart.patterns
    .find((one) => one.pattern === pattern.name)
    ?.requests.every(({ operation }) => READS.has(operation));
  const isAsked = Object.keys(params).some((name) => name.startsWith(ARGUMENT));
  if (isAllGiven && isRead && isAsked) run(given());
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

/** The parameters of an address that runs a pattern so. */
function addressed(given) {
  const values = Object.entries(given).map(([name, value]) => [ARGUMENT + name, value]);
  return { ...Object.fromEntries(values), model: modelParameter() };
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

/** Sends the requests of a pattern, step by step: the rows of one feed the next. */
async function play(known, pattern, given) {
  const outcome = { requests: [], read: 0, write: 0 };
  const steps = [];
  for (;;) {
    const { requests } = await ask("requests", { model: known.text, pattern: pattern.name, arguments: given, steps });
    if (!requests) return outcome;
    const rows = [];
    for (const request of requests) {
      if (isReadOnly && !READS.has(request.operation))
        throw new Error("the console is read-only, and this pattern writes");
      const played = await send(request);
      outcome.requests.push(played);
      outcome[READS.has(request.operation) ? "read" : "write"] += played.units;
      rows.push(...played.rows);
      if (played.refusal) return outcome;
    }
    steps.push(rows);
  }
}

async function send({ operation, body }) {
  const request = { ...body, ReturnConsumedCapacity: "INDEXES" };
  const played = { operation, request: body, rows: [], scanned: null, units: 0, pages: 0, refusal: null };
  const isPaged = operation === "Query" || operation === "Scan";
  for (;;) {
    let answer;
    try {
      answer = await call(operation, request);
    } catch (error) {
      if (!["ConditionalCheckFailedException", "TransactionCanceledException"].includes(error.code)) throw error;
      played.refusal = error.message;
      return played;
    }
    played.pages += 1;
    played.rows.push(...rowsOf(request, answer));
    if (isPaged) played.scanned = (played.scanned ?? 0) + answer.ScannedCount;
    played.units += [answer.ConsumedCapacity ?? []].flat().reduce((sum, one) => sum + one.CapacityUnits, 0);
    if (!isPaged || body.Limit || !answer.LastEvaluatedKey || played.pages >= PAGES_MAX) {
      played.isCut = Boolean(answer.LastEvaluatedKey);
      return played;
    }
    request.ExclusiveStartKey = answer.LastEvaluatedKey;
  }
}

function rowsOf(request, answer) {
  const own = [answer.Item, answer.Attributes, ...(answer.Items ?? [])]
    .filter(Boolean)
    .map((item) => ({ table: request.TableName, item }));
  if (Array.isArray(answer.Responses)) {
    return answer.Responses.flatMap(({ Item }, place) =>
      Item ? [{ table: request.TransactItems[place].Get.TableName, item: Item }] : [],
    );
  }
  const batched = Object.entries(answer.Responses ?? {}).flatMap(([table, items]) =>
    items.map((item) => ({ table, item })),
  );
  return [...own, ...batched];
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
    outcome.requests.map((played) => requestView(known, played)),
  ];
}

function requestView(known, played) {
  const rows = h("div.stack");
  drawRows(known, played.rows, rows).catch((error) => notify(error.message, true));
  const discarded =
    played.scanned === null ? "" : `, ${number(played.scanned - played.rows.length)} read and thrown away`;
  return h(
    "section.card.stack",
    { "aria-label": played.operation },
    h(
      "h3",
      played.operation,
      " ",
      h(
        "span.muted",
        `${counted(played.rows.length, "row")}${discarded}, ${number(played.units, 1)} units, ${counted(played.pages, "page")}${played.isCut ? ", there are more" : ""}`,
      ),
    ),
    played.refusal ? h("div.error", `The condition was not met: ${played.refusal}`) : null,
    rows,
    h(
      "details",
      h("summary", "Request"),
      codeBox(played.operation, played.request, "cli"),
      h("pre.note", JSON.stringify(played.request, null, 2)),
    ),
  );
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

const ROWS_SHOWN_MAX = 200;

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
    row.item[name]
      ? keys.has(name)
        ? keyParts(row.item[name], found.get(row)?.keys?.[name])
        : display(row.item[name]).slice(0, 120)
      : "";
  const row = (one) =>
    h(
      "tr",
      shown.map((name) => h("td.mono.nowrap", cell(one, name))),
    );
  return h(
    "div",
    h("div", entityChip(entity, entityClass(known, entity)), " ", h("span.muted.small", counted(rows.length, "row"))),
    dataTable(shown, rows.slice(0, ROWS_SHOWN_MAX).map(row)),
  );
}
