// Tables: all of them.
import { address, note } from "./address.js";
import { isReadOnly } from "./client.js";
import { bytes, dataTable, debounce, h, number, replace } from "./dom.js";
import { allIndexesOf, isDone, keyText, settingsOf, statusTag } from "./table-parts.js";
import { createTable } from "./table-form.js";
import { isDenied, knownTables, openByName } from "./table-names.js";

/** How many tables are asked about at once. */
const AT_ONCE = 8;
/** How many tables are shown; there may be thousands. */
const SHOWN_MAX = 300;
/** Milliseconds without a key after which other tables are looked for. */
const PAUSE = 120;
/** Milliseconds between two looks at tables that are being made, changed or deleted. */
const LOOK_PAUSE = 1500;

/** Shows the list of tables. */
export async function showTables(room, { params }) {
  let { names, why } = await knownTables();
  let rows = new TableRows(gone);
  const filter = h("input", { type: "search", placeholder: "Filter", "aria-label": "Filter tables" });
  filter.value = params.filter ?? "";
  const count = h("span.muted");
  const body = h("tbody");
  const content = h("div", { style: { display: "contents" } });

  function draw() {
    const wanted = filter.value.toLowerCase();
    const found = names.filter((name) => name.toLowerCase().includes(wanted));
    const of = wanted ? `${found.length} of ${names.length}` : `${names.length}`;
    replace(count, found.length > SHOWN_MAX ? `the first ${SHOWN_MAX} of ${of}` : of);
    replace(body, rows.of(found.slice(0, SHOWN_MAX)));
    if (!names.length) replace(content, why ? openByName(why, "tables") : empty());
    else if (!body.isConnected) replace(content, list(body));
  }

  function gone(name) {
    names = names.filter((one) => one !== name);
    draw();
  }

  async function refresh() {
    ({ names, why } = await knownTables());
    rows.end();
    rows = new TableRows(gone);
    draw();
  }

  const later = debounce(draw, PAUSE);
  filter.addEventListener("input", () => {
    note(["tables"], { filter: filter.value });
    later();
  });
  draw();
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
      h("button", { type: "button", "data-key": "r", onclick: refresh }, "Refresh"),
    ),
    content,
  );
  return () => rows.end();
}

/**
 * The rows of tables. Each has the name of its table at first; what else there is to say is asked
 * for when the row comes into sight, and again as long as something changes by itself.
 */
class TableRows {
  /** `gone` is called with the name of a table that is there no longer. */
  constructor(gone) {
    /** The rows by the names of their tables, and the names of those that wait to be asked about. */
    Object.assign(this, { gone, rows: new Map(), waiting: new Set(), asking: 0, isOver: false });
    this.sight = new IntersectionObserver((seen) => {
      for (const { target, isIntersecting } of seen) if (isIntersecting) this.want(target.dataset.table);
    });
  }

  /** Nothing is asked for any longer. */
  end() {
    this.isOver = true;
    this.waiting.clear();
    this.sight.disconnect();
  }

  /** The rows of the tables of these names. */
  of(names) {
    return names.map((name) => {
      if (!this.rows.has(name)) this.rows.set(name, this.row(name));
      return this.rows.get(name);
    });
  }

  row(name) {
    const row = h("tr", { "data-table": name }, nameCell(name), restCell("…"));
    this.sight.observe(row);
    return row;
  }

  want(name) {
    if (this.isOver) return;
    this.sight.unobserve(this.rows.get(name));
    this.waiting.add(name);
    while (this.asking < AT_ONCE && this.waiting.size) this.ask();
  }

  async ask() {
    const [name] = this.waiting;
    this.waiting.delete(name);
    this.asking += 1;
    const found = await settingsOf(name).catch((error) => ({ error }));
    this.asking -= 1;
    if (this.isOver) return;
    this.draw(name, found);
    if (this.waiting.size) this.ask();
  }

  draw(name, { table, expiry, error }) {
    if (error?.code === "ResourceNotFoundException") return this.gone(name);
    replace(this.rows.get(name), table ? tableCells(table, expiry) : [nameCell(name), restCell("–")]);
    // A key may list tables that it may not describe. What else fails may not do so later.
    const isFinal = table ? isDone({ table, expiry }) : isDenied(error);
    if (!isFinal) setTimeout(() => this.want(name), LOOK_PAUSE);
  }
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

function nameCell(name) {
  return h("td", h("a", { href: address(["items", name]) }, h("b", name)));
}

/** What stands in the place of all that is not known of a table. */
function restCell(text) {
  return h("td.muted", { colspan: "9" }, text);
}

function tableCells(table, expiry) {
  const name = table.TableName;
  return [
    nameCell(name),
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
    h("td", expiryText(expiry)),
    h("td", table.BillingModeSummary?.BillingMode === "PAY_PER_REQUEST" ? "on demand" : "provisioned"),
    h("td.number", number(table.ItemCount)),
    h("td.number", bytes(table.TableSizeBytes)),
    h("td", h("a", { href: address(["tables", name]) }, "Settings")),
  ];
}

function expiryText(expiry) {
  if (expiry.why) return h("span.muted", { title: expiry.why }, "–");
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
