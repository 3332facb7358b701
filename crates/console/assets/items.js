// Items: a table or one of its indexes, collection by collection.
import { address, go } from "./address.js";
import { call, isReadOnly, writeAll } from "./client.js";
import { confirmTyped } from "./dialog.js";
import { h, notify, number, replace, select } from "./dom.js";
import { saveCsv, saveJson } from "./export.js";
import { grid } from "./grid.js";
import { itemDetail } from "./item-detail.js";
import { editItem } from "./item-editor.js";
import { deletion } from "./item-change.js";
import { entityChip, keyParts } from "./key-text.js";
import { consistentDesign, entityClass, recognise } from "./model.js";
import { readPage } from "./page.js";
import { queryForm } from "./query-form.js";
import { hasPartition, readQuery, writeQuery } from "./query.js";
import { tableNames } from "./search.js";
import { describe, indexesOf, keyOf, keysOf } from "./table-parts.js";
import { display, isSame, kind } from "./values.js";

/** Where the pages before this one began, by the address of each; only this tab knows them. */
const before = new Map();

/** Shows the items of a table, or lets one choose a table. */
export async function showItems(room, place) {
  const name = place.path[1];
  const names = await tableNames();
  if (!name) return names.length === 1 ? go(["items", names[0]]) : choose(room, names);
  const table = await describe(name);
  await new ItemsView(room, table, names, place.params).start();
}

function choose(room, names) {
  replace(
    room,
    h("div.bar", h("h1", "Items")),
    names.length
      ? h("div.pad", h("p.muted", "Of which table?"), h("ul", names.map((name) => h("li", h("a", { href: address(["items", name]) }, name)))))
      : h("div.empty", "There are no tables yet."),
  );
}

class ItemsView {
  constructor(room, table, names, params) {
    Object.assign(this, { room, table, names, params, query: readQuery(params) });
    this.isColumns = params.layout === "columns";
    this.rows = [];
    this.page = null;
    this.detail = null;
  }

  async start() {
    this.known = null;
    this.grid = grid({
      label: `Items of ${this.query.index || this.table.TableName}`,
      columns: this.columns(),
      rowClass: (row, _, previous) => this.rowClass(row, previous),
      onOpen: (row) => !isReadOnly && !row.isAbsent && this.edit(row),
      onMoved: (row) => this.showDetail(row),
      onMark: isReadOnly ? null : (marked) => this.marked(marked.size),
    });
    this.foot = h("div.foot", { role: "group", "aria-label": "Page" });
    this.side = h("div", { style: { display: "contents" } });
    this.failed = h("div.error", { hidden: true, role: "alert" });
    this.form = this.query.statement || "statement" in this.params ? this.statementForm() : queryForm(this.table, this.query, (query) => this.run(query));
    this.draw();
    await this.load();
  }

  draw() {
    const { table, names, query } = this;
    const indexes = [["", "Table"], ...indexesOf(table).map(({ IndexName }) => [IndexName, IndexName])];
    const isStatement = this.form.isStatement === true;
    const tableChoice = select(names, table.TableName, { "aria-label": "Table", onchange: () => go(["items", tableChoice.value]) });
    const pivot = h(
      "div.row",
      { role: "group", "aria-label": "Index" },
      indexes.map(([index, text]) =>
        h("a.button", { href: this.addressOf({ ...readQuery({}), index, limit: query.limit }), "aria-current": !isStatement && index === query.index ? "true" : null, class: !isStatement && index === query.index ? "primary-link" : "" }, text),
      ),
      h("a.button", { href: `${address(["items", table.TableName], { statement: `SELECT * FROM "${table.TableName}"` })}`, class: isStatement ? "primary-link" : "" }, "PartiQL"),
    );
    replace(
      this.room,
      h(
        "div.bar",
        h("h1.visually-hidden", `Items of ${table.TableName}`),
        tableChoice,
        pivot,
        h("span.grow"),
        h("button", { type: "button", onclick: () => this.changeLayout() }, this.isColumns ? "Inline" : "Columns"),
        isReadOnly ? null : h("button.primary", { type: "button", "data-key": "n", onclick: () => this.create() }, "New item"),
        h("button", { type: "button", "data-key": "r", onclick: () => this.load() }, "Refresh"),
        h("a.button", { href: address(["tables", table.TableName]) }, "Settings"),
      ),
      this.form.element,
      h("div.split", h("div.grid-pane", this.failed, this.grid.element), this.side),
      this.foot,
    );
  }

  addressOf(query) {
    return address(["items", this.table.TableName], { ...writeQuery(query), layout: this.isColumns ? "columns" : "" });
  }

  changeLayout() {
    this.isColumns = !this.isColumns;
    history.replaceState(null, "", this.addressOf(this.query));
    this.draw();
    this.grid.show(this.rows, this.columns());
  }

  run(query) {
    const to = this.addressOf(query);
    if (to === location.hash) this.load();
    else location.hash = to;
  }

  statementForm() {
    const area = h("textarea", { rows: "3", spellcheck: "false", "aria-label": "PartiQL statement" });
    area.value = this.query.statement;
    const submit = (event) => {
      event.preventDefault();
      this.run({ ...this.query, statement: area.value, start: "" });
    };
    area.addEventListener("keydown", (event) => event.key === "Enter" && (event.ctrlKey || event.metaKey) && submit(event));
    const element = h("form.builder", { "aria-label": "PartiQL", onsubmit: submit }, area, h("div.row", h("button.primary", { type: "submit" }, "Run"), h("span.muted.small", "Ctrl-Enter runs it")));
    return { element, isStatement: true };
  }

  /** Reads the page of the address, and shows it; entities are coloured as soon as they are known. */
  async load() {
    this.failed.hidden = true;
    try {
      this.page = await readPage(this.table, this.query);
    } catch (error) {
      this.page = null;
      this.failed.textContent = error.message;
      this.failed.hidden = false;
      if (error.status === 403 || error.code === "MissingAuthenticationTokenException") throw error;
    }
    const items = this.page?.items ?? [];
    const absent = this.page?.absent ?? [];
    this.rows = [...items.map((item) => ({ item })), ...absent.map((item) => ({ item, isAbsent: true }))];
    this.grid.show(this.rows, this.columns());
    this.drawFoot();
    this.closeDetail();
    try {
      const { rows } = this;
      this.known = await consistentDesign();
      const found = await recognise(this.table.TableName, rows.map(({ item }) => item));
      if (rows !== this.rows) return;
      rows.forEach((row, place) => (row.recognised = found[place]));
      this.grid.redraw(this.columns());
    } catch (error) {
      notify(`The model does not explain these items: ${error.message}`, true);
    }
  }

  rowClass(row, previous) {
    const [key] = keysOf(this.table, this.query.index || null);
    const isFirst = previous && !isSame(previous.item[key?.name], row.item[key?.name]);
    const colour = row.isAbsent ? "absent" : entityClass(this.known, row.recognised?.entity);
    return `${colour} ${isFirst ? "first" : ""}`;
  }

  columns() {
    const keys = keysOf(this.table, this.query.index || null);
    const tableKeys = keysOf(this.table).filter(({ name }) => !keys.some((key) => key.name === name));
    const mark = { title: "", width: 34, cell: (_, place) => this.markBox(place) };
    const key = ({ name, isPartition }) => ({
      title: name,
      width: 226,
      class: "mono",
      cell: (row, _, previous) => {
        const isSameCollection = isPartition && previous && isSame(previous.item[name], row.item[name]);
        const text = keyParts(row.item[name], row.recognised?.keys?.[name]);
        return isSameCollection ? h("span.same", text) : text;
      },
    });
    const hasModel = this.rows.some((row) => row.recognised);
    const entity = { title: "Entity", width: 118, cell: (row) => (row.isAbsent ? h("span.tag", `not in ${this.query.index}`) : row.recognised ? entityChip(row.recognised.entity, entityClass(this.known, row.recognised.entity)) : "") };
    const isSparse = this.rows.some((row) => row.isAbsent);
    return [
      ...(isReadOnly ? [] : [mark]),
      ...(hasModel || isSparse ? [entity] : []),
      ...keys.map(key),
      ...(this.query.index ? tableKeys.map(key) : []),
      ...(this.isColumns ? this.attributeColumns() : [this.inlineColumn()]),
    ];
  }

  markBox(place) {
    return h("input", {
      type: "checkbox",
      "aria-label": `Mark row ${place + 1}`,
      tabindex: "-1",
      checked: this.grid.isMarked(place),
      onchange: (event) => this.grid.mark(place, event.target.checked),
    });
  }

  keyNames() {
    return new Set([this.table, ...indexesOf(this.table)].flatMap(({ KeySchema }) => KeySchema.map((key) => key.AttributeName)));
  }

  inlineColumn() {
    const keys = this.keyNames();
    return {
      title: "Attributes",
      width: 300,
      grows: true,
      cell: ({ item }) =>
        Object.keys(item)
          .filter((name) => !keys.has(name))
          .sort()
          .slice(0, 12)
          .map((name) => h("span.pair", h("b", name), h("span.mono", { class: `type-${kind(item[name])}` }, display(item[name]).slice(0, 80)))),
    };
  }

  attributeColumns() {
    const keys = this.keyNames();
    const names = [...new Set(this.rows.flatMap(({ item }) => Object.keys(item)))].filter((name) => !keys.has(name)).sort();
    return names.map((name) => ({
      title: name,
      width: 150,
      class: "mono",
      cell: ({ item }) => (item[name] ? h("span", { class: `type-${kind(item[name])}`, title: display(item[name]).slice(0, 400) }, display(item[name]).slice(0, 120)) : ""),
    }));
  }

  drawFoot() {
    const { page, query } = this;
    if (!page) return replace(this.foot);
    const items = page.items.length;
    const discarded = page.scanned > items ? ` · ${number(page.scanned - items)} read and thrown away by the filter` : "";
    const back = before.get(location.hash);
    const next = page.next ? this.addressOf({ ...query, start: page.next }) : null;
    const goNext = () => {
      before.set(next, location.hash);
      location.hash = next;
    };
    const first = this.addressOf({ ...query, start: "" });
    this.markedText = h("span");
    this.bulk = h("button.danger", { type: "button", hidden: true, onclick: () => this.removeMarked() }, "Delete marked");
    const markAll = h("button.quiet", { type: "button", onclick: () => this.grid.markAll(this.grid.marked.length === 0) }, "Mark all");
    replace(
      this.foot,
      h("span", `${number(items)} ${items === 1 ? "item" : "items"}${discarded}`),
      page.absent.length ? h("span.muted", `${number(page.absent.length)} of this page of the table are not in ${query.index}`) : null,
      h("span.tag", { title: "What the service would bill for this page", "data-units": "" }, `${number(page.units, 2)} read units`),
      h("span.muted.small", `${number(page.millis, 0)} ms`),
      h("span.grow"),
      isReadOnly || !items ? null : [this.bulk, markAll],
      h("button.quiet", { type: "button", onclick: () => saveJson(this.fileName(), page.items) }, "JSON"),
      h("button.quiet", { type: "button", onclick: () => saveCsv(this.fileName(), keysOf(this.table, query.index || null).map(({ name }) => name), page.items) }, "CSV"),
      h("button", { type: "button", disabled: !query.start, onclick: () => (location.hash = first) }, "First"),
      h("button", { type: "button", disabled: !back, onclick: () => (location.hash = back) }, "‹ Previous"),
      h("button", { type: "button", disabled: !next, onclick: goNext }, "Next ›"),
    );
  }

  fileName() {
    return [this.table.TableName, this.query.index].filter(Boolean).join("-");
  }

  marked(count) {
    this.bulk.hidden = count === 0;
    this.bulk.textContent = `Delete ${number(count)} marked`;
  }

  showDetail(row) {
    if (!row) return;
    const actions = {
      close: () => this.closeDetail(),
      edit: () => this.edit(row),
      duplicate: () => this.duplicate(row),
      remove: () => this.remove(row),
    };
    const className = entityClass(this.known, row.recognised?.entity);
    replace(this.side, itemDetail({ table: this.table, item: row.item, recognised: row.recognised, className, actions }));
    this.grid.draw();
  }

  closeDetail() {
    replace(this.side);
  }

  /** The item as it is now: an index may hold only a part of it. */
  async whole(row) {
    const answer = await call("GetItem", { TableName: this.table.TableName, Key: keyOf(this.table, row.item), ConsistentRead: true });
    if (!answer.Item) throw new Error("the item is not there any more");
    return answer.Item;
  }

  async edit(row) {
    try {
      const stored = await this.whole(row);
      await editItem({ table: this.table, stored, item: stored, entity: row.recognised?.entity, done: () => this.written("Saved") });
    } catch (error) {
      notify(error.message, true);
    }
  }

  async duplicate(row) {
    try {
      const item = await this.whole(row);
      await editItem({ table: this.table, item, entity: row.recognised?.entity, done: () => this.written("Created") });
    } catch (error) {
      notify(error.message, true);
    }
  }

  create() {
    const keys = keysOf(this.table);
    const partition = hasPartition(this.table, this.query) && !this.query.index ? this.query.partition : [];
    const item = Object.fromEntries(keys.map(({ name, type, isPartition }) => [name, { [type]: isPartition ? (partition[0] ?? "") : "" }]));
    return editItem({ table: this.table, item, done: () => this.written("Created") });
  }

  async remove(row) {
    let stored;
    try {
      stored = await this.whole(row);
    } catch (error) {
      return notify(error.message, true);
    }
    const key = keysOf(this.table).map(({ name }) => display(stored[name]));
    confirmTyped({
      title: "Delete item",
      text: `The item ${key.join(" / ")} is deleted if it is still as shown. This cannot be undone.`,
      word: "delete",
      action: "Delete item",
      run: async () => {
        const { operation, request } = deletion(this.table, stored);
        await call(operation, request);
        await this.written("Deleted");
      },
    });
  }

  removeMarked() {
    const rows = this.grid.marked;
    confirmTyped({
      title: `Delete ${number(rows.length)} items`,
      text: "They are deleted whatever became of them meanwhile. This cannot be undone.",
      word: String(rows.length),
      action: "Delete items",
      run: async (progress) => {
        const requests = rows.map(({ item }) => ({ DeleteRequest: { Key: keyOf(this.table, item) } }));
        await writeAll({ [this.table.TableName]: requests }, (done, all) => progress(`${done} of ${all}`));
        await this.written(`Deleted ${rows.length} items`);
      },
    });
  }

  async written(text) {
    notify(text);
    await this.load();
  }
}
