// Items: a table or one of its indexes, collection by collection.
import { address, current, go, note } from "./address.js";
import { isReadOnly } from "./client.js";
import { counted, debounce, h, notify, number, replace, select } from "./dom.js";
import { saveCsv, saveJson } from "./export.js";
import { grid } from "./grid.js";
import { ItemActions } from "./item-actions.js";
import { columnsOf, rowClass } from "./item-columns.js";
import { itemDetail } from "./item-detail.js";
import { designFor, entityClass, knownDesignFor, recognise, tableOf } from "./model.js";
import { readPage } from "./page.js";
import { remember, showQueries } from "./queries.js";
import { queryForm } from "./query-form.js";
import { hasPartition, queryText, readQuery, writeQuery } from "./query.js";
import { isWrite, tableNamed } from "./statement.js";
import { knownTables, openByName } from "./table-names.js";
import { describe, indexesOf, keysOf } from "./table-parts.js";
import { attribute, display } from "./values.js";

/** Milliseconds after which a row that is chosen stands in the address. */
const CHOSEN_PAUSE = 200;
/**
 * The addresses of the pages before each; a scan cannot be read backwards, so only this tab knows
 * them.
 */
const before = new Map();
/**
 * The table that is looked at, and the names of all. From page to page they are not asked for
 * again.
 */
let visited = null;

/** Shows the items of a table, or lets one choose a table. */
export async function showItems(room, place) {
  const name = place.path[1];
  if (!name) {
    const { names, why } = await knownTables();
    return names.length === 1 ? go(["items", names[0]]) : choose(room, names, why);
  }
  const [view, table] = place.previous?.path ?? [];
  if (view !== "items" || table !== name || visited?.table.TableName !== name) visited = await look(name);
  const shown = new ItemsView(room, visited, place.params);
  await shown.start();
  return () => shown.end();
}

async function look(name) {
  const [{ names }, table] = await Promise.all([knownTables(name), describe(name)]);
  return { names, table };
}

function choose(room, names, why) {
  replace(
    room,
    h("div.bar", h("h1", "Items")),
    names.length
      ? h(
          "div.pad",
          h("p.muted", "Of which table?"),
          h(
            "ul",
            names.map((name) => h("li", h("a", { href: address(["items", name]) }, name))),
          ),
        )
      : why
        ? openByName(why, "items")
        : h("div.empty", "There are no tables yet."),
  );
}

class ItemsView {
  constructor(room, { table, names }, params) {
    Object.assign(this, { room, table, names, params, query: readQuery(params) });
    this.isColumns = params.layout === "columns";
    this.actions = this.makeActions();
    this.rows = [];
    this.page = null;
    this.isOver = false;
    this.noteChosen = debounce(() => this.noteRow(), CHOSEN_PAUSE);
  }

  /** Nothing that is under way changes the address once another view is shown. */
  end() {
    this.isOver = true;
  }

  /** Why nothing can be done to the rows of a statement, or null if it can. */
  whyNoActions() {
    if (!this.query.statement) return null;
    const named = tableNamed(this.query.statement);
    if (named === this.table.TableName) return null;
    if (named === null) return "It cannot be told of which table these items are, so they cannot be changed here.";
    return `These are items of ${named}, not of ${this.table.TableName}: they can be changed on the page of ${named}.`;
  }

  /** Whether an item has its whole key, so that something can be done to it. */
  hasKey(item) {
    return keysOf(this.table).every(({ name }) => Object.hasOwn(item, name));
  }

  canChange(row) {
    return !isReadOnly && this.whyNoActions() === null && this.hasKey(row.item);
  }

  makeActions() {
    return new ItemActions(this.table, (text) => this.written(text));
  }

  async start() {
    this.known = knownDesignFor(this.table.TableName);
    this.grid = grid({
      label: `Items of ${this.query.index || this.table.TableName}`,
      columns: columnsOf(this),
      rowClass: (row, _, previous) => rowClass(this, row, previous),
      onOpen: (row) => !row.isAbsent && this.canChange(row) && this.actions.edit(row),
      onMoved: (row) => {
        this.showDetail(row);
        this.noteChosen();
      },
      onMark: isReadOnly ? null : (marked) => this.marked(marked.size),
      // Rows that an index lacks are shown with it, but are not of it.
      canMark: (row) => !row.isAbsent && this.canChange(row),
    });
    this.foot = h("div.foot", { role: "group", "aria-label": "Page" });
    this.side = h("div", { style: { display: "contents" } });
    this.failed = h("div.error", { hidden: true, role: "alert" });
    this.nothing = h("p.empty", { hidden: true, role: "status" });
    this.form =
      this.query.statement || "statement" in this.params
        ? this.statementForm()
        : queryForm(this.table, this.query, (query) => this.run(query));
    this.draw();
    await this.load();
  }

  draw() {
    const { table, names, query } = this;
    const indexes = [["", "Table"], ...indexesOf(table).map(({ IndexName }) => [IndexName, IndexName])];
    const isStatement = this.form.isStatement === true;
    const tableChoice = select(names, table.TableName, {
      "aria-label": "Table",
      onchange: () => go(["items", tableChoice.value]),
    });
    const pivot = h(
      "div.row",
      { role: "group", "aria-label": "Index" },
      indexes.map(([index, text]) =>
        h(
          "a.button",
          {
            href: this.addressOf({ ...readQuery({}), index, limit: query.limit }),
            "aria-current": !isStatement && index === query.index ? "true" : null,
            class: !isStatement && index === query.index ? "primary-link" : "",
          },
          text,
        ),
      ),
      h(
        "a.button",
        {
          href: `${address(["items", table.TableName], { statement: `SELECT * FROM "${table.TableName}"` })}`,
          class: isStatement ? "primary-link" : "",
        },
        "PartiQL",
      ),
    );
    replace(
      this.room,
      h(
        "div.bar",
        h("h1.visually-hidden", `Items of ${table.TableName}`),
        tableChoice,
        pivot,
        h("span.grow"),
        h("button", { type: "button", onclick: () => this.openQueries() }, "Queries"),
        h("button", { type: "button", onclick: () => this.changeLayout() }, this.isColumns ? "Inline" : "Columns"),
        isReadOnly
          ? null
          : h("button.primary", { type: "button", "data-key": "n", onclick: () => this.create() }, "New item"),
        h("button", { type: "button", "data-key": "r", onclick: () => this.refresh() }, "Refresh"),
        h("a.button", { href: address(["tables", table.TableName]) }, "Settings"),
      ),
      this.form.element,
      h("div.split", h("div.grid-pane", this.failed, this.grid.element, this.nothing), this.side),
      this.foot,
    );
  }

  addressOf(query) {
    return address(["items", this.table.TableName], this.parametersOf(query));
  }

  parametersOf(query) {
    return { ...writeQuery(query), layout: this.isColumns ? "columns" : "" };
  }

  /** A row as the address names it: the values of its key. */
  rowName(row) {
    if (!row || !this.hasKey(row.item)) return "";
    return JSON.stringify(keysOf(this.table).map(({ name }) => display(attribute(row.item, name))));
  }

  noteRow() {
    if (!this.isOver) this.noteAddress();
  }

  /** Has the address say what is shown, without a step in the history. */
  noteAddress() {
    note(["items", this.table.TableName], { ...this.parametersOf(this.query), row: this.rowName(this.chosen) });
  }

  /** Chooses the row that the address names, if it is on the page. */
  chooseNoted() {
    const { row: name } = current().params;
    const place = name ? this.rows.findIndex((row) => this.rowName(row) === name) : -1;
    if (place >= 0) this.grid.move(place);
  }

  changeLayout() {
    this.isColumns = !this.isColumns;
    this.noteAddress();
    this.draw();
    this.grid.show(this.rows, columnsOf(this));
    this.chooseNoted();
  }

  run(query) {
    const to = this.addressOf(query);
    if (isWrite(query.statement)) {
      this.query = query;
      note(["items", this.table.TableName], this.parametersOf(query));
      return this.load("asked for");
    }
    if (to === location.hash) return this.load();
    location.hash = to;
    return null;
  }

  statementForm() {
    const button = h("button.primary", { type: "submit" }, "Run");
    const area = h("textarea", { rows: "3", spellcheck: "false", "aria-label": "PartiQL statement" });
    area.value = this.query.statement;
    // A statement may write, so it does not run twice at once.
    const submit = async (event) => {
      event.preventDefault();
      if (button.disabled) return;
      button.disabled = true;
      try {
        await this.run({ ...this.query, statement: area.value, start: "", before: "" });
      } finally {
        button.disabled = false;
      }
    };
    area.addEventListener(
      "keydown",
      (event) => event.key === "Enter" && (event.ctrlKey || event.metaKey) && submit(event),
    );
    const element = h(
      "form.builder",
      { "aria-label": "PartiQL", onsubmit: submit },
      area,
      h("div.row", button, h("span.muted.small", "Ctrl-Enter runs it")),
    );
    return { element, isStatement: true };
  }

  /** Looks at the table again, and reads the page. */
  async refresh() {
    visited = await look(this.table.TableName);
    // This view goes on with what it is told of the table.
    Object.assign(this, { ...visited, params: current().params });
    this.query = readQuery(this.params);
    this.actions = this.makeActions();
    await this.start();
  }

  /**
   * Reads the page of the address, and shows it; entities are coloured as soon as they are known.
   */
  async load(reason = "shown") {
    this.failed.hidden = true;
    // An address is enough to read. It must not be enough to write.
    if (isWrite(this.query.statement) && reason !== "asked for") {
      return replace(this.foot, "This statement writes. It is run when you press Run.");
    }
    try {
      this.page = await readPage(this.table, this.query);
    } catch (error) {
      this.page = null;
      this.fail(error);
      if (error.status === 403 || error.code === "MissingAuthenticationTokenException") throw error;
    }
    const items = this.page?.items ?? [];
    // Nothing is before the first page.
    if (this.page && this.query.before && !items.length && !this.page.previous) {
      return location.replace(this.addressOf({ ...this.query, before: "" }));
    }
    if (this.page) this.noteQuery();
    const absent = this.page?.absent ?? [];
    this.rows = [...items.map((item) => ({ item })), ...absent.map((item) => ({ item, isAbsent: true }))];
    this.hideDetail();
    // With a model at hand entities are known in a moment, and rows are drawn once.
    if (this.hasModel()) await this.recogniseRows();
    this.grid.show(this.rows, columnsOf(this));
    this.chooseNoted();
    this.nothing.hidden = !this.page || this.rows.length > 0;
    this.nothing.textContent = this.nothing.hidden ? "" : this.whyNothing();
    this.drawFoot();
    if (this.known) return;
    this.known = await designFor(this.table.TableName);
    if (!this.hasModel()) return;
    await this.recogniseRows();
    this.grid.redraw(columnsOf(this));
  }

  fail(error) {
    this.failed.textContent = error.message;
    this.failed.hidden = false;
  }

  /** The address of the query as a whole, whichever page of it is shown. */
  firstAddress() {
    return this.addressOf({ ...this.query, start: "", before: "" });
  }

  noteQuery() {
    const { items, units } = this.page;
    if (this.query.start || this.query.before) return;
    const text = queryText(this.table, this.query);
    remember({ address: this.firstAddress(), text, items: items.length, units });
  }

  openQueries() {
    showQueries({
      known: this.known,
      address: this.firstAddress(),
      text: queryText(this.table, this.query),
      changed: (design) => (this.known = design),
    });
  }

  /** What an empty page means. */
  whyNothing() {
    if (this.page.next) return "Nothing on this page passes the filter. The next page may have more.";
    if (this.page.scanned > 0) return "Nothing here passes the filter.";
    if (this.query.start) return "There are no more items.";
    if (this.query.statement) return "The statement returned no items.";
    if (hasPartition(this.table, this.query)) return "No items have this key.";
    return this.query.index ? "This index has no items." : "This table has no items yet.";
  }

  /** Whether a model explains the items of the table, as far as is known yet. */
  hasModel() {
    return this.whyNoActions() === null && tableOf(this.known, this.table.TableName) !== null;
  }

  async recogniseRows() {
    try {
      const { rows } = this;
      const found = await recognise(
        this.table.TableName,
        rows.map(({ item }) => item),
      );
      rows.forEach((row, place) => (row.recognised = found[place]));
    } catch (error) {
      notify(`The model does not explain these items: ${error.message}`, true);
    }
  }

  drawFoot() {
    const { page, query } = this;
    if (!page) return replace(this.foot);
    const items = page.items.length;
    const discarded =
      page.scanned > items ? ` · ${number(page.scanned - items)} read and thrown away by the filter` : "";
    const earlier = page.previous ? this.addressOf({ ...query, start: "", before: page.previous }) : null;
    const back = before.get(this.addressOf(query)) ?? earlier;
    const next = page.next ? this.addressOf({ ...query, start: page.next, before: "" }) : null;
    const goNext = () => {
      before.set(next, location.hash);
      location.hash = next;
    };
    const readOn = h("button", { type: "button", onclick: () => this.readOn() }, "Read on until found");
    const first = this.firstAddress();
    const isFirst = !query.start && !query.before;
    this.markedText = h("span");
    this.bulk = h(
      "button.danger",
      { type: "button", hidden: true, onclick: () => this.actions.removeAll(this.grid.marked) },
      "Delete marked",
    );
    const markAll = h(
      "button.quiet",
      { type: "button", onclick: () => this.grid.markAll(this.grid.marked.length === 0) },
      "Mark all",
    );
    replace(
      this.foot,
      h("span", `${counted(items, "item")}${discarded}`),
      page.absent.length
        ? h("span.muted", `${number(page.absent.length)} of this page of the table are not in ${query.index}`)
        : null,
      h(
        "span.tag",
        { title: "What the service would bill for this page", "data-units": "" },
        counted(page.units, "read unit"),
      ),
      h("span.muted.small", `${number(page.millis, 0)} ms`),
      h("span.grow"),
      isReadOnly || !items || this.whyNoActions() ? null : [this.bulk, markAll],
      page.next && !items ? readOn : null,
      h("button.quiet", { type: "button", onclick: () => saveJson(this.fileName(), page.items) }, "JSON"),
      h(
        "button.quiet",
        {
          type: "button",
          onclick: () =>
            saveCsv(
              this.fileName(),
              keysOf(this.table, query.index || null).map(({ name }) => name),
              page.items,
            ),
        },
        "CSV",
      ),
      h("button", { type: "button", disabled: isFirst, onclick: () => (location.hash = first) }, "First"),
      h("button", { type: "button", disabled: !back, onclick: () => (location.hash = back) }, "‹ Previous"),
      h("button", { type: "button", disabled: !next, onclick: goNext }, "Next ›"),
    );
  }

  fileName() {
    return [this.table.TableName, this.query.index].filter(Boolean).join("-");
  }

  /** Reads page after page until there is an item on one, and goes to it. */
  async readOn() {
    const { query, page } = this;
    this.failed.hidden = true;
    const text = h("span", { role: "status" });
    let isStopped = false;
    const stop = () => (isStopped = true);
    replace(this.foot, text, h("span.grow"), h("button", { type: "button", onclick: stop }, "Stop"));
    let [start, scanned, units] = [page.next, page.scanned, page.units];
    while (start && !isStopped) {
      const found = await readPage(this.table, { ...query, start, before: "" }).catch((error) => this.fail(error));
      // It can be gone on from where it ended.
      if (!found) break;
      if (this.isOver) return;
      [scanned, units] = [scanned + found.scanned, units + found.units];
      const to = this.addressOf({ ...query, start, before: "" });
      before.set(to, location.hash);
      if (found.items.length || (isStopped && found.next)) return (location.hash = to);
      start = found.next;
      replace(text, `${counted(scanned, "item")} read and thrown away, ${counted(units, "read unit")}`);
    }
    // Nothing was found in what was read: all that is left, unless something went wrong.
    this.page = { ...page, next: start, scanned, units };
    this.nothing.textContent = this.whyNothing();
    this.drawFoot();
  }

  marked(count) {
    this.bulk.hidden = count === 0;
    this.bulk.textContent = `Delete ${number(count)} marked`;
  }

  showDetail(row) {
    if (!row) return;
    this.chosen = row;
    const why = this.whyNoActions();
    // A row of an index, a projection or a statement may be a part of its item.
    const isWhole = !this.query.index && !this.query.project && !this.query.statement;
    const actions = {
      close: () => this.closeDetail(),
      edit: () => this.actions.edit(row),
      duplicate: () => this.actions.duplicate(row),
      remove: () => this.actions.remove(row, isWhole),
    };
    const className = entityClass(this.known, row.recognised?.entity);
    replace(
      this.side,
      itemDetail({
        table: this.table,
        item: row.item,
        recognised: row.recognised,
        className,
        actions,
        isForeign: why !== null,
        why: why ?? (this.hasKey(row.item) ? null : "The row lacks the key of its item, so it cannot be changed."),
      }),
    );
  }

  /** The row is no longer chosen, and the address does not name it. */
  closeDetail() {
    this.hideDetail();
    this.noteRow();
  }

  hideDetail() {
    this.chosen = null;
    replace(this.side);
  }

  create() {
    const partition = hasPartition(this.table, this.query) && !this.query.index ? this.query.partition : [];
    return this.actions.create(partition);
  }

  async written(text) {
    notify(text);
    await this.load();
  }
}
