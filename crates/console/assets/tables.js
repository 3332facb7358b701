// Tables: all of them.
import { address, note } from "./address.js";
import { call, isReadOnly } from "./client.js";
import { bytes, dataTable, debounce, h, number, replace } from "./dom.js";
import { allIndexesOf, keyText, statusTag } from "./table-parts.js";
import { createTable } from "./table-form.js";
import { knownTables, openByName } from "./table-names.js";

/** How many tables are asked about at once. */
const AT_ONCE = 8;
/** How many tables are described and shown; there may be thousands. */
const SHOWN_MAX = 300;
/** Milliseconds without a key after which other tables are looked for. */
const PAUSE = 120;

/** Shows the list of tables. */
export async function showTables(room, { params }) {
  const { names, why } = await knownTables();
  const described = new Map();
  const filter = h("input", { type: "search", placeholder: "Filter", "aria-label": "Filter tables" });
  filter.value = params.filter ?? "";
  const count = h("span.muted");
  const body = h("tbody");
  let isOver = false;

  async function draw() {
    const wanted = filter.value.toLowerCase();
    const found = names.filter((name) => name.toLowerCase().includes(wanted));
    const shown = found.slice(0, SHOWN_MAX);
    await describeAll(
      shown.filter((name) => !described.has(name)),
      described,
    );
    if (isOver || wanted !== filter.value.toLowerCase()) return;
    const of = wanted ? `${found.length} of ${names.length}` : `${names.length}`;
    replace(count, found.length > SHOWN_MAX ? `the first ${SHOWN_MAX} of ${of}` : of);
    replace(
      body,
      shown
        .map((name) => described.get(name))
        .filter(Boolean)
        .map(tableRow),
    );
  }

  const later = debounce(draw, PAUSE);
  filter.addEventListener("input", () => {
    note(["tables"], { filter: filter.value });
    later();
  });
  await draw();
  replace(
    room,
    h(
      "div.bar",
      h("h1", "Tables"),
      count,
      h("span.grow"),
      filter,
      isReadOnly
        ? null
        : h("button.primary", { type: "button", "data-key": "n", onclick: createTable }, "Create table"),
      h("button", { type: "button", "data-key": "r", onclick: again }, "Refresh"),
    ),
    names.length ? list(body) : why ? openByName(why, "tables") : empty(),
  );

  function again() {
    isOver = true;
    return showTables(room, { params: { filter: filter.value } });
  }
  return () => (isOver = true);
}

async function describeAll(names, described) {
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const some = names.slice(at, at + AT_ONCE);
    const answers = await Promise.all(some.map(describeOne));
    some.forEach((name, place) => described.set(name, answers[place]));
  }
}

/** A table with its time to live; null if it is gone, or the key of the user may not see it. */
async function describeOne(TableName) {
  const ask = (operation) => call(operation, { TableName }).catch(() => null);
  const [described, expiry] = await Promise.all([ask("DescribeTable"), ask("DescribeTimeToLive")]);
  return described && { ...described.Table, expiry: expiry?.TimeToLiveDescription };
}

function list(body) {
  const numbers = [{ number: "Items" }, { number: "Size" }];
  const titles = [
    "Name",
    "Status",
    "Keys",
    "Indexes",
    "Stream",
    "Time to live",
    "Billing",
    ...numbers,
    { hidden: "Settings" },
  ];
  return dataTable(titles, body);
}

function tableRow(table) {
  const name = table.TableName;
  return h(
    "tr",
    { "data-table": name },
    h("td", h("a", { href: address(["items", name]) }, h("b", name))),
    h("td", statusTag(table.TableStatus)),
    h("td.mono.nowrap", keyText(table.KeySchema, table.AttributeDefinitions)),
    h(
      "td",
      allIndexesOf(table).map((index) => [h("span.tag", index.IndexName), " "]),
    ),
    h(
      "td",
      table.StreamSpecification?.StreamEnabled
        ? table.StreamSpecification.StreamViewType.replaceAll("_", " ").toLowerCase()
        : h("span.muted", "off"),
    ),
    h("td", expiryText(table.expiry)),
    h("td", table.BillingModeSummary?.BillingMode === "PAY_PER_REQUEST" ? "on demand" : "provisioned"),
    h("td.number", number(table.ItemCount)),
    h("td.number", bytes(table.TableSizeBytes)),
    h("td", h("a", { href: address(["tables", name]) }, "Settings")),
  );
}

function expiryText(expiry) {
  if (!expiry) return h("span.muted", "–");
  return expiry.TimeToLiveStatus === "ENABLED"
    ? h("span.mono", expiry.AttributeName)
    : h("span.muted", expiry.TimeToLiveStatus === "DISABLED" ? "off" : expiry.TimeToLiveStatus.toLowerCase());
}

function empty() {
  return h(
    "div.empty",
    h("p", "There are no tables yet."),
    h(
      "p",
      "Create one here, let an SDK do it, or apply a model in ",
      h("a", { href: address(["design"]) }, "Design"),
      ".",
    ),
  );
}
