// A grid of many rows: all have one height, and only those in sight are elements.
import { h, replace } from "./dom.js";

const ROW = 28;
const MARGIN = 8;

/**
 * A grid.
 *
 * `columns` have `title`, `width` in pixels, whether they take what is left (`grows`) and
 * `cell(row, place)`; `rowClass(row, place)` colours a row. Arrows move, Enter opens, Space marks
 * rows if `onMark` is given: those that `canMark` says can be marked, and no others.
 */
export function grid({
  label,
  columns,
  rowClass = () => "",
  onOpen = () => {},
  onMoved = () => {},
  onMark = null,
  canMark = () => true,
}) {
  const state = { rows: [], columns, at: -1, marked: new Set() };
  /** The rows that are elements, by their places. */
  const drawn = new Map();
  const head = h("div.grid-head", { role: "row", "aria-rowindex": "1" });
  const body = h("div.grid-body", { role: "rowgroup" });
  const element = h(
    "div.grid",
    { role: "grid", "aria-label": label, tabindex: "0", onscroll: draw, onkeydown: press },
    h("div.grid-top", { role: "rowgroup" }, head),
    body,
  );
  new ResizeObserver(draw).observe(element);

  function template() {
    return state.columns.map(({ width, grows }) => (grows ? `minmax(${width}px, 1fr)` : `${width}px`)).join(" ");
  }

  /** Rows are no narrower than their columns, and as wide as the grid at least. */
  function setWidth() {
    const width = state.columns.reduce((sum, column) => sum + column.width, 4);
    element.style.setProperty("--grid-width", `${width}px`);
  }

  function drawHead() {
    setWidth();
    head.style.setProperty("grid-template-columns", template());
    replace(
      head,
      state.columns.map((column) => h("div.cell", { role: "columnheader", title: column.hint ?? null }, column.title)),
    );
  }

  /**
   * Makes elements of the rows that have come into sight, and lets go of those that have left it.
   */
  function draw() {
    const height = element.clientHeight || 600;
    const first = Math.max(0, Math.floor((element.scrollTop - ROW) / ROW) - MARGIN);
    const last = Math.min(state.rows.length, Math.ceil((element.scrollTop + height) / ROW) + MARGIN);
    for (const [place, row] of drawn) {
      if (place >= first && place < last) continue;
      row.remove();
      drawn.delete(place);
    }
    const isAbove = drawn.size > 0 && !drawn.has(first);
    const added = [];
    for (let place = first; place < last; place += 1) {
      if (drawn.has(place)) continue;
      drawn.set(place, rowElement(place));
      added.push(drawn.get(place));
    }
    if (isAbove) body.prepend(...added);
    else body.append(...added);
  }

  /** Draws everything anew. */
  function drawAll() {
    drawn.clear();
    replace(body);
    body.style.setProperty("height", `${state.rows.length * ROW}px`);
    element.setAttribute("aria-rowcount", String(state.rows.length + 1));
    drawHead();
    draw();
  }

  function choose(place) {
    drawn.get(state.at)?.setAttribute("aria-selected", "false");
    state.at = place;
    drawn.get(place)?.setAttribute("aria-selected", "true");
    element.setAttribute("aria-activedescendant", `row-${place}`);
  }

  function rowElement(place) {
    const row = state.rows[place];
    const element = h(
      "div.grid-row",
      {
        role: "row",
        id: `row-${place}`,
        "aria-rowindex": String(place + 2),
        "aria-selected": String(place === state.at),
        class: rowClass(row, place, state.rows[place - 1]),
        style: { top: `${place * ROW}px`, "grid-template-columns": template() },
        onclick: (event) => {
          if (event.target.type === "checkbox") return;
          move(place);
        },
        ondblclick: () => onOpen(state.rows[place], place),
      },
      state.columns.map((column) =>
        h("div.cell", { role: "gridcell", class: column.class ?? "" }, column.cell(row, place, state.rows[place - 1])),
      ),
    );
    return element;
  }

  function move(place) {
    if (!state.rows.length) return;
    choose(Math.max(0, Math.min(place, state.rows.length - 1)));
    const top = state.at * ROW;
    const height = element.clientHeight - ROW;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + ROW > element.scrollTop + height) element.scrollTop = top + ROW - height;
    draw();
    onMoved(state.rows[state.at], state.at);
  }

  function press(event) {
    const page = Math.max(1, Math.floor(element.clientHeight / ROW) - 2);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.key in steps && !event.metaKey && !event.ctrlKey) {
      event.preventDefault();
      move(Math.min(Math.max(state.at + steps[event.key], 0), state.rows.length - 1));
    } else if (event.key === "Enter" && state.at >= 0) {
      onOpen(state.rows[state.at], state.at);
    } else if (event.key === " " && onMark && state.at >= 0) {
      event.preventDefault();
      mark(state.at, !state.marked.has(state.at));
    }
  }

  function mark(place, isMarked) {
    if (!canMark(state.rows[place])) return;
    if (isMarked) state.marked.add(place);
    else state.marked.delete(place);
    const before = drawn.get(place);
    if (before) {
      drawn.set(place, rowElement(place));
      before.replaceWith(drawn.get(place));
    }
    onMark?.(state.marked);
  }

  return {
    element,
    move,
    mark,
    markAll(isMarked) {
      const places = [...state.rows.keys()].filter((place) => canMark(state.rows[place]));
      state.marked = new Set(isMarked ? places : []);
      drawAll();
      onMark?.(state.marked);
    },
    get marked() {
      return [...state.marked].sort((one, other) => one - other).map((place) => state.rows[place]);
    },
    isMarked: (place) => state.marked.has(place),
    show(rows, columns = state.columns) {
      Object.assign(state, { rows, columns, at: -1, marked: new Set() });
      element.scrollTop = 0;
      drawAll();
    },
    /** Draws the same rows with other columns; what is chosen and marked stays. */
    redraw(columns) {
      state.columns = columns;
      drawAll();
    },
  };
}
