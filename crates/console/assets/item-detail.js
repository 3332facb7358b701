// One item beside the grid: its entity, its keys in all indexes, its attributes, where it leads.
import { address } from "./address.js";
import { isReadOnly } from "./client.js";
import { bytes, h } from "./dom.js";
import { entityChip, keyParts, partsOf } from "./key-text.js";
import { indexesOf, keysOf } from "./table-parts.js";
import { attribute, display, kind, sizeOf } from "./values.js";

/**
 * The panel of an item; `actions` are called with nothing. `why` says why there are none, and an
 * item that `isForeign` is of another table, so that nothing is known of its keys.
 */
export function itemDetail({ table, item, recognised, className, actions, why = null, isForeign = false }) {
  const schemas = isForeign ? [] : [table, ...indexesOf(table)];
  const keyNames = new Set(schemas.flatMap(({ KeySchema }) => KeySchema.map((key) => key.AttributeName)));
  const others = Object.keys(item)
    .filter((name) => !keyNames.has(name))
    .sort();
  return h(
    "aside.detail",
    { "aria-label": "Item", tabindex: "0" },
    h(
      "div.row.middle",
      recognised ? entityChip(recognised.entity, className) : null,
      recognised?.undecided?.length > 1
        ? h("span.small.muted", `or ${recognised.undecided.slice(1).join(", ")}`)
        : null,
      h("span.small.muted", `≈ ${bytes(sizeOf(item))}`),
      h("span.grow"),
      h("button.quiet", { type: "button", "aria-label": "Close", onclick: actions.close }, "✕"),
    ),
    isReadOnly ? null : actionRow(actions, why),
    isForeign
      ? null
      : [
          keySection("Key", table, null, item, recognised),
          indexesOf(table).map((index) => keySection(index.IndexName, table, index.IndexName, item, recognised)),
        ],
    h("h3", "Attributes"),
    h(
      "dl.attributes",
      others.map((name) => [h("dt", name), h("dd", { class: `type-${kind(item[name])}` }, attributeText(item[name]))]),
    ),
  );
}

function actionRow(actions, why) {
  if (why) return h("p.note", why);
  return h(
    "div.row",
    h("button", { type: "button", onclick: actions.edit }, "Edit"),
    h("button", { type: "button", onclick: actions.duplicate }, "Duplicate"),
    h("button.danger", { type: "button", onclick: actions.remove }, "Delete"),
  );
}

function attributeText(value) {
  const text = display(value);
  if (!["M", "L"].includes(kind(value))) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function keySection(title, table, index, item, recognised) {
  const keys = keysOf(table, index);
  const isThere = keys.every(({ name }) => Object.hasOwn(item, name));
  const partition = keys.filter((key) => key.isPartition).map(({ name }) => attribute(item, name));
  const values = partition.map((value) => (value ? display(value) : ""));
  const collection = address(["items", table.TableName], { index: index ?? "", p: JSON.stringify(values) });
  return [
    h(
      "h3",
      title,
      " ",
      isThere ? h("a.small", { href: collection }, "collection") : h("span.small.muted", "not in this index"),
    ),
    isThere
      ? h(
          "dl.attributes",
          keys.map(({ name }) => [h("dt", name), h("dd", keyParts(item[name], partsOf(recognised, name)))]),
        )
      : null,
  ];
}
