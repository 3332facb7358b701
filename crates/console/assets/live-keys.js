// Hot keys: how often each partition key was asked for, over time.
import { ask, call, isReadOnly } from "./client.js";
import { clockText, dataTable, field, h, number, replace, replaceAround, s, select } from "./dom.js";
import { entityChip } from "./key-text.js";
import { designFor, entityClass } from "./model.js";
import { follow, growths, targetOf } from "./observations.js";
import { describe, indexesOf } from "./table-parts.js";

const KEYS_MAX = 20;
/** Intervals that are shown at most and at least, by the room that there is. */
const [COLUMNS_MAX, COLUMNS_MIN] = [60, 12];
/** Pixels of what is drawn. */
const [CELL_WIDTH, CELL_HEIGHT, HEAD_HEIGHT] = [12, 20, 20];
/** How many characters labels have at most, where there is room and where there is little. */
const [CHARACTERS_WIDE, CHARACTERS_NARROW] = [30, 16];
const NARROW_WIDTH = 600;
/** Pixels of a character of a label, and those before and behind it. */
const [CHARACTER_WIDTH, LABEL_LEFT, LABEL_RIGHT] = [7.3, 10, 8];
/** Shades of the one colour, from few to most. */
const SHADES = 5;
const MEASURES = [
  ["accessed", "requests"],
  ["throttled", "throttles"],
];

/** Shows the partition keys of a table or one of its indexes. */
export async function showKeys({ bar, body, params, noted }, name) {
  const [table, known] = await Promise.all([describe(name), designFor(name)]);
  const options = [["", "none, the table"], ...indexesOf(table).map(({ IndexName }) => [IndexName, IndexName])];
  const isIndex = options.some(([index]) => index === params.index);
  const isMeasure = MEASURES.some(([key]) => key === params.measure);
  const index = select(options, isIndex ? params.index : "", { onchange: choose });
  const measure = select(MEASURES, isMeasure ? params.measure : "accessed", { onchange: choose });
  const entities = new KeyEntities(known, name, () => looks.length && draw());
  let looks = [];
  const map = new HeatMap(sizesFor(body.clientWidth));
  replace(bar, field("Index", index), field("What is counted", measure), h("span.muted", "every two seconds"));
  function choose() {
    const isUsual = measure.value === "accessed";
    noted({ index: index.value, measure: isUsual ? "" : measure.value });
    if (looks.length) draw();
  }
  function draw() {
    const target = targetOf(name, index.value);
    const id = `${measure.value} ${target}`;
    const noun = MEASURES.find(([key]) => key === measure.value)[1];
    if (!looks.at(-1).keys.has(id)) return replace(body, offer(name));
    const rows = rowsOf(looks, id, map.sizes);
    const chips = (key) => entities.chips(index.value, key);
    entities.find(index.value, rows);
    return replace(body, map.draw(rows, looks, { noun, target, chips }));
  }
  const seen = (all) => {
    looks = all;
    draw();
  };
  return follow(seen, (error) => replace(body, h("div.error", { role: "alert" }, error.message)));
}

/** Which entities lie under partition keys. A key is asked about once. */
class KeyEntities {
  constructor(known, table, found) {
    Object.assign(this, { known, table, found, entities: new Map() });
  }

  /** Asks about the keys that are not known yet; what is found is drawn when it is there. */
  async find(index, rows) {
    if (!this.known) return;
    const keys = rows.map(({ key }) => key).filter((key) => !this.entities.has(idOf(index, key)));
    if (!keys.length) return;
    for (const key of keys) this.entities.set(idOf(index, key), []);
    const question = { model: this.known.text, table: this.table, keys, ...(index ? { index } : {}) };
    // Without an answer the keys are shown as they are.
    const { entities } = await ask("collections", question).catch(() => ({ entities: [] }));
    entities.forEach((names, place) => this.entities.set(idOf(index, keys[place]), names));
    this.found();
  }

  chips(index, key) {
    const names = this.entities.get(idOf(index, key)) ?? [];
    return names.map((entity) => [entityChip(entity, entityClass(this.known, entity)), " "]);
  }
}

function idOf(index, key) {
  return `${index ?? ""} ${key}`;
}

/** The keys that were asked for most in what is shown, each with its count in every interval. */
function rowsOf(looks, id, { columns }) {
  const shown = looks.slice(-columns - 1);
  const keys = new Set(shown.flatMap((look) => [...(look.keys.get(id)?.counts.keys() ?? [])]));
  const floor = (look) => look.keys.get(id)?.floor ?? 0;
  const rows = [...keys].map((key) => {
    const read = (look) => look.keys.get(id)?.counts.get(key);
    const counts = growths(shown, read, floor);
    const all = read(shown.at(-1)) ?? null;
    return { key, counts, sum: counts.reduce((sum, count) => sum + count, 0), all };
  });
  rows.sort((one, other) => other.sum - one.sum || (other.all ?? 0) - (one.all ?? 0));
  // Keys that nobody asked for meanwhile are shown only until one is.
  const asked = rows.filter(({ sum }) => sum > 0);
  return (asked.length ? asked : rows).slice(0, KEYS_MAX);
}

/** What fits into so many pixels. */
function sizesFor(width) {
  const characters = width < NARROW_WIDTH ? CHARACTERS_NARROW : CHARACTERS_WIDE;
  const columns = Math.floor((width - 40 - labelWidth(characters)) / CELL_WIDTH);
  return { characters, columns: Math.max(COLUMNS_MIN, Math.min(columns, COLUMNS_MAX)) };
}

/** How wide a label of so many characters is. */
function labelWidth(characters) {
  return Math.ceil(LABEL_LEFT + characters * CHARACTER_WIDTH + LABEL_RIGHT);
}

function offer(name) {
  const turnOn = async () => {
    await call("UpdateContributorInsights", { TableName: name, ContributorInsightsAction: "ENABLE" });
  };
  return h(
    "div.empty",
    h("p", `The keys of ${name} are not counted: no model of the server has this table.`),
    isReadOnly ? null : h("button.primary", { type: "button", onclick: turnOn }, "Turn on Contributor Insights"),
  );
}

/** The picture, a cursor in it that arrows move, and the same as a table. */
class HeatMap {
  constructor(sizes) {
    this.sizes = sizes;
    this.at = null;
    this.said = h("p.muted.small", { role: "status" });
    this.picture = h("div.scroll.heat", { tabindex: "0", role: "img", onkeydown: (event) => this.press(event) });
  }

  draw(rows, looks, { noun, target, chips }) {
    if (!rows.length) return h("div.empty", `No key of ${target} had ${noun} often enough to be shown.`);
    Object.assign(this, { rows, noun, times: looks.slice(-this.sizes.columns - 1).slice(1) });
    this.most = Math.max(1, ...rows.flatMap(({ counts }) => counts));
    const hottest = rows[0];
    this.picture.setAttribute(
      "aria-label",
      `${noun} of ${rows.length} partition keys of ${target} over time. Most: ${hottest.key}, ${hottest.sum}. ` +
        "Arrows move through it; the table below has the sums.",
    );
    this.redraw();
    // An element that is put where it is keeps its focus.
    if (!this.element?.isConnected) this.element = h("div.stack", h("div"), this.picture, this.said, h("div"));
    replace(this.element.firstElementChild, legend(this.most, noun));
    replaceAround(this.element.lastElementChild, sumsTable(rows, noun, chips));
    return this.element;
  }

  redraw() {
    const { rows, times, most, at } = this;
    const longest = Math.max(...rows.map(({ key }) => key.length));
    const sizes = { ...this.sizes, label: labelWidth(Math.min(longest, this.sizes.characters)) };
    const width = sizes.label + sizes.columns * CELL_WIDTH;
    // The right end is now.
    const left = (column) => sizes.label + (sizes.columns - times.length + column) * CELL_WIDTH;
    const height = HEAD_HEIGHT + rows.length * CELL_HEIGHT;
    const drawn = s(
      "svg",
      { width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
      timeLabels(times, left),
      rows.map((row, place) => rowShape(row, HEAD_HEIGHT + place * CELL_HEIGHT, { sizes, left, most })),
      at ? cursor(at, left) : null,
    );
    replace(this.picture, drawn);
    this.say();
  }

  press(event) {
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const step = steps[event.key];
    if (!step || !this.times.length) return;
    event.preventDefault();
    const [row, column] = this.at ?? [0, this.times.length - 1];
    const within = (value, count) => Math.max(0, Math.min(value, count - 1));
    const isFirst = this.at === null;
    this.at = isFirst
      ? [row, column]
      : [within(row + step[0], this.rows.length), within(column + step[1], this.times.length)];
    this.redraw();
  }

  say() {
    if (!this.at) return replace(this.said, "Arrow keys read single cells.");
    const [row, column] = this.at;
    const found = this.rows[row];
    if (!found || !this.times[column]) return undefined;
    const text = `${found.key} at ${clockText(this.times[column].at)}: ${number(found.counts[column])} ${this.noun}`;
    return replace(this.said, text);
  }
}

function rowShape({ key, counts }, top, { sizes, left, most }) {
  const text = key.length > sizes.characters ? `${key.slice(0, sizes.characters - 1)}…` : key;
  return s(
    "g",
    s("title", key),
    s("text.heat-label", { x: sizes.label - LABEL_RIGHT, y: top + 14, "text-anchor": "end" }, text),
    s("rect.heat0", {
      x: sizes.label,
      y: top + 1,
      width: sizes.columns * CELL_WIDTH,
      height: CELL_HEIGHT - 2,
    }),
    counts.map((count, column) =>
      count
        ? s("rect", {
            class: `heat${shade(count, most)}`,
            x: left(column),
            y: top + 1,
            width: CELL_WIDTH - 1,
            height: CELL_HEIGHT - 2,
          })
        : null,
    ),
  );
}

function cursor([row, column], left) {
  return s("rect.heat-cursor", {
    x: left(column) - 1,
    y: HEAD_HEIGHT + row * CELL_HEIGHT,
    width: CELL_WIDTH + 1,
    height: CELL_HEIGHT,
  });
}

function timeLabels(times, left) {
  const every = 15;
  return times
    .map((look, column) => [look, column])
    .filter(([, column]) => (times.length - 1 - column) % every === 0)
    .map(([{ at }, column]) =>
      s("text.heat-time", { x: left(column) + CELL_WIDTH, y: 13, "text-anchor": "end" }, clockText(at)),
    );
}

/**
 * Shades go by the logarithm: a key that is asked for ten times as often is not ten times as dark.
 */
function shade(count, most) {
  if (most <= 1) return SHADES;
  return Math.max(1, Math.min(SHADES, 1 + Math.floor((Math.log(count) / Math.log(most)) * (SHADES - 1))));
}

function legend(most, noun) {
  const bounds = Array.from({ length: SHADES }, (_, place) => Math.max(1, Math.ceil(most ** (place / (SHADES - 1)))));
  const distinct = bounds.filter((bound, place) => place === SHADES - 1 || bound !== bounds[place + 1]);
  return h(
    "div.row.middle.small.muted",
    `${noun} in two seconds`,
    distinct.map((bound) =>
      h(
        "span.heat-key",
        s(
          "svg",
          { width: 14, height: 14, "aria-hidden": "true" },
          s("rect", { class: `heat${shade(bound, most)}`, width: 14, height: 14 }),
        ),
        bound === most ? number(bound) : `from ${number(bound)}`,
      ),
    ),
  );
}

function sumsTable(rows, noun, chips) {
  const all = rows.reduce((sum, row) => sum + row.sum, 0);
  const row = ({ key, sum, counts, all: total }) =>
    h(
      "tr",
      h("td.mono", key),
      h("td", chips(key)),
      h("td.number", number(sum)),
      h("td.number", all ? `${number((sum / all) * 100, 0)} %` : "–"),
      h("td.number", number(Math.max(0, ...counts))),
      h("td.number", number(total)),
    );
  const title = noun[0].toUpperCase() + noun.slice(1);
  return dataTable(
    [
      "Partition key",
      "Entities",
      ...[`${title} shown`, "Share", "Most in two seconds", "Since it is counted"].map((text) => ({ number: text })),
    ],
    rows.map(row),
  );
}
