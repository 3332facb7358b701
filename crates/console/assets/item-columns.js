// The columns of the grid of items: keys in parts, entities in their colours, attributes.
import { isReadOnly } from "./client.js";
import { h } from "./dom.js";
import { entityChip, keyParts, partsOf } from "./key-text.js";
import { entityClass } from "./model.js";
import { indexesOf, keysOf } from "./table-parts.js";
import { attribute, display, isSame, kind } from "./values.js";

/** Screens below this width have narrow columns. */
const NARROW = 700;

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
    ...(view.isColumns ? attributeColumns(view) : [inlineColumn(view)]),
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

function keyNames(view) {
  if (view.whyNoActions() !== null) return new Set();
  return new Set(
    [view.table, ...indexesOf(view.table)].flatMap(({ KeySchema }) => KeySchema.map((key) => key.AttributeName)),
  );
}

function inlineColumn(view) {
  const keys = keyNames(view);
  return {
    title: "Attributes",
    width: 300,
    grows: true,
    cell: ({ item }) =>
      Object.keys(item)
        .filter((name) => !keys.has(name))
        .sort()
        .slice(0, 12)
        .map((name) =>
          h(
            "span.pair",
            h("b", name),
            h("span.mono", { class: `type-${kind(item[name])}` }, display(item[name]).slice(0, 80)),
          ),
        ),
  };
}

function attributeColumns(view) {
  const keys = keyNames(view);
  const names = [...new Set(view.rows.flatMap(({ item }) => Object.keys(item)))]
    .filter((name) => !keys.has(name))
    .sort();
  return names.map((name) => ({
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
  }));
}
