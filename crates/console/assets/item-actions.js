// What can be done to the items of a table.
import { call } from "./client.js";
import { confirmTyped } from "./dialog.js";
import { counted, notify } from "./dom.js";
import { deletion } from "./item-change.js";
import { editItem } from "./item-editor.js";
import { keyOf, keysOf } from "./table-parts.js";
import { attribute, display } from "./values.js";
import { UnfinishedError, writeAll } from "./write-all.js";

/** Edits, copies, makes and deletes items; `written` is called with what was done. */
export class ItemActions {
  constructor(table, written) {
    Object.assign(this, { table, written });
  }

  async edit(row) {
    await this.withItem(row, (stored) =>
      editItem({
        table: this.table,
        stored,
        item: stored,
        entity: row.recognised?.entity,
        done: () => this.written("Saved"),
      }),
    );
  }

  async duplicate(row) {
    await this.withItem(row, (item) =>
      editItem({ table: this.table, item, entity: row.recognised?.entity, done: () => this.written("Created") }),
    );
  }

  /** Begins a new item, whose partition key may be known already. */
  create(partition) {
    const known = [...partition];
    const value = ({ type, isPartition }) => ({ [type]: (isPartition && known.shift()) || "" });
    const item = Object.fromEntries(keysOf(this.table).map((key) => [key.name, value(key)]));
    return editItem({ table: this.table, item, done: () => this.written("Created") });
  }

  /**
   * Deletes an item if it is still as the row shows it, or else, if the row shows a part, as it is
   * now.
   */
  async remove(row, isWhole) {
    if (isWhole) this.confirmRemoval(row.item);
    else await this.withItem(row, (stored) => this.confirmRemoval(stored));
  }

  confirmRemoval(stored) {
    const { operation, request, sentence } = deletion(this.table, stored);
    const key = keysOf(this.table).map(({ name }) => display(attribute(stored, name)));
    confirmTyped({
      title: "Delete item",
      text: `The item ${key.join(" / ")} is deleted ${sentence}. This cannot be undone.`,
      word: "delete",
      action: "Delete item",
      run: async () => {
        await call(operation, request);
        await this.written("Deleted");
      },
    });
  }

  /** Deletes many items. */
  removeAll(rows) {
    confirmTyped({
      title: `Delete ${counted(rows.length, "item")}`,
      text: "They are deleted whatever became of them meanwhile. This cannot be undone.",
      word: String(rows.length),
      action: "Delete items",
      run: (progress, signal) => this.deleteAll(rows, progress, signal),
    });
  }

  async deleteAll(rows, progress, signal) {
    const requests = rows.map(({ item }) => ({ DeleteRequest: { Key: keyOf(this.table, item) } }));
    const options = { signal, progress: (done, all) => progress(`${done} of ${all}`) };
    try {
      await writeAll({ [this.table.TableName]: requests }, options);
      await this.written(`Deleted ${counted(rows.length, "item")}`);
    } catch (error) {
      // What is gone is not shown any longer.
      if (error instanceof UnfinishedError && error.done) await this.written(error.message);
      throw error;
    }
  }

  /** Does something with the item as it is now: a row may be old, or a part of it. */
  async withItem(row, work) {
    try {
      const Key = keyOf(this.table, row.item);
      const { Item } = await call("GetItem", { TableName: this.table.TableName, Key, ConsistentRead: true });
      if (!Item) throw new Error("the item is not there any more");
      await work(Item);
    } catch (error) {
      notify(error.message, true);
    }
  }
}
