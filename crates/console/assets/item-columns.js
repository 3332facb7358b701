// The columns of the grid of items: keys in parts, entities in their colours, attributes.
import { isReadOnly } from "./client.js";
import { h } from "./dom.js";
import { entityChip, keyParts, partsOf } from "./key-text.js";
import { entityClass } from "./model.js";
import { indexesOf, keysOf } from "./table-parts.js";
import { attribute, display, isSame, kind } from "./values.js";

/** Screens below this width have narrow columns. */
const NARROW = 700;
/** Attributes that have a column of their own; each column is an element of each row in sight. */
const COLUMNS_MAX = 60;
/** Attributes of an item that stand side by side in one column. */
const INLINE_MAX = 12;

/** How a row looks: the colour of its entity, and whether a collection begins with it. */
export function rowClass(view, row, previous) {
  const [key] = keysOf(view.table, view.query.index || null);
  const isFirst = previous && !isSame(attribute(previous.item, key?.name), attribute(row.item, key?.name));
  const colour = row.isAbsent ? "absent" : entityClass(view.known, row.recognised?.entity);
  return `${colour} ${isFirst ? "first" : ""}`;
}

/** The columns of the rows of a view. */
export function columnsOf(view) {
  const isForeign = view.whyNoActions() !== null;
  const keys = isForeign ? [] : keysOf(view.table, view.query.index || null);
  const tableKeys = keysOf(view.table).filter(({ name }) => !keys.some((key) => key.name === name));
  const mark = { title: "", width: 34, class: "mark", cell: (row, place) => markBox(view, row, place) };
  const key =
    (width) =>
    ({ name, isPartition }) => ({
      title: name,
      width,
      class: "mono",
      cell: (row, _, previous) => {
        const isSameCollection =
          isPartition && previous && isSame(attribute(previous.item, name), attribute(row.item, name));
        const text = keyParts(attribute(row.item, name), partsOf(row.recognised, name));
        return isSameCollection ? h("span.same", text) : text;
      },
    });
  const entity = {
    title: "Entity",
    width: entityWidth(view),
    cell: (row) =>
      row.isAbsent
        ? h("span.tag", `not in ${view.query.index}`)
        : row.recognised
          ? entityChip(row.recognised.entity, entityClass(view.known, row.recognised.entity))
          : "",
  };
  const isSparse = view.rows.some((row) => row.isAbsent);
  return [
    ...(isReadOnly || isForeign ? [] : [mark]),
    ...(view.hasModel() || isSparse ? [entity] : []),
    ...keys.map(key(innerWidth < NARROW ? 140 : 226)),
    ...(view.query.index ? tableKeys.map(key(150)) : []),
    ...(view.isColumns ? attributeColumns(view) : [inlineColumn("Attributes", isNoKey(view))]),
  ];
}

/** As wide as the longest name of an entity needs, within reason. */
function entityWidth(view) {
  const longest = Math.max(0, ...(view.known?.legend ?? []).map((entity) => entity.length));
  return Math.min(Math.max(118, longest * 8 + 30), innerWidth < NARROW ? 118 : 190);
}

function markBox(view, row, place) {
  if (row.isAbsent || !view.canChange(row)) return null;
  return h("input", {
    type: "checkbox",
    "aria-label": `Mark row ${place + 1}`,
    tabindex: "-1",
    checked: view.grid.isMarked(place),
    onchange: (event) => view.grid.mark(place, event.target.checked),
  });
}

function isNoKey(view) {
  const keys = keyNames(view);
  return (name) => !keys.has(name);
}

function keyNames(view) {
  if (view.whyNoActions() !== null) return new Set();
  return new Set(
    [view.table, ...indexesOf(view.table)].flatMap(({ KeySchema }) => KeySchema.map((key) => key.AttributeName)),
  );
}

function inlineColumn(title, isShown) {
  return {
    title,
    width: 300,
    grows: true,
    cell: ({ item }) =>
      Object.keys(item)
        .filter(isShown)
        .sort()
        .slice(0, INLINE_MAX)
        .map((name) =>
          h(
            "span.pair",
            h("b", name),
            h("span.mono", { class: `type-${kind(item[name])}` }, display(item[name]).slice(0, 80)),
          ),
        ),
  };
}

/** Columns of the attributes that most rows have, and one for all others together. */
function attributeColumns(view) {
  const keys = keyNames(view);
  const counts = new Map();
  for (const { item } of view.rows)
    for (const name of Object.keys(item)) if (!keys.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = [...counts.keys()].sort(
    (one, other) => counts.get(other) - counts.get(one) || one.localeCompare(other),
  );
  const others = new Set(names.slice(COLUMNS_MAX));
  const columns = names.slice(0, COLUMNS_MAX).sort().map(attributeColumn);
  return others.size
    ? [...columns, inlineColumn(`${others.size} more attributes`, (name) => others.has(name))]
    : columns;
}

function attributeColumn(name) {
  return {
    title: name,
    width: 150,
    class: "mono",
    cell: ({ item }) =>
      attribute(item, name)
        ? h(
            "span",
            { class: `type-${kind(item[name])}`, title: display(item[name]).slice(0, 400) },
            display(item[name]).slice(0, 120),
          )
        : "",
  };
}
