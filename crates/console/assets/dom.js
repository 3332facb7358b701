// Elements without a framework. Texts are texts: nothing here ever reads HTML.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Makes an element: `h("a.button", { href: "#/tables" }, "Tables")`. Functions are listeners,
 * `style` is an object.
 */
export function h(selector, ...rest) {
  const [tag, ...classes] = selector.split(".");
  const element = document.createElement(tag || "div");
  element.classList.add(...classes);
  return fill(element, rest);
}

/** The same for pictures. */
export function s(selector, ...rest) {
  const [tag, ...classes] = selector.split(".");
  const element = document.createElementNS(SVG, tag);
  element.classList.add(...classes);
  return fill(element, rest);
}

function fill(element, rest) {
  for (const part of rest) {
    if (isAttributes(part)) setAttributes(element, part);
    else append(element, part);
  }
  return element;
}

function isAttributes(part) {
  return part !== null && typeof part === "object" && !(part instanceof Node) && !Array.isArray(part);
}

function append(element, part) {
  if (part === null || part === undefined || part === false) return;
  if (Array.isArray(part)) part.forEach((one) => append(element, one));
  else element.append(part instanceof Node ? part : String(part));
}

function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
    else if (name === "class") element.classList.add(...value.split(" ").filter(Boolean));
    else if (name === "style") for (const [key, one] of Object.entries(value)) element.style.setProperty(key, one);
    else if (name === "value") element.value = value;
    else if (name === "checked" || name === "selected") element[name] = true;
    else element.setAttribute(name, value === true ? "" : value);
  }
}

/** Puts other content into an element. */
export function replace(element, ...content) {
  element.replaceChildren();
  append(element, content);
  return element;
}

/** A choice of texts, or of pairs of a value and a text. */
export function select(options, value, attributes = {}) {
  const all = options.map((option) => (Array.isArray(option) ? option : [option, option]));
  const element = h(
    "select",
    attributes,
    all.map(([key, text]) => h("option", { value: key, selected: key === value }, text)),
  );
  element.value = value ?? all[0]?.[0] ?? "";
  return element;
}

/** A control with its name above it. */
export function field(name, control, attributes = {}) {
  return h("label.field", attributes, name, control);
}

/** A box to tick, with its name beside it. */
export function check(name, isChecked, attributes = {}) {
  return h("label.check", h("input", { type: "checkbox", checked: isChecked, ...attributes }), name);
}

/**
 * A table that scrolls sideways. A title is a text, `{ number }` for a column of numbers, or
 * `{ hidden }` for one that only readers of screens need; rows are rows, or a body that has them.
 * Arrows move from row to row, and Enter follows the first link of a row.
 */
export function dataTable(titles, rows, attributes = {}) {
  const head = titles.map((title) => {
    if (title.number) return h("th.number", { scope: "col" }, title.number);
    return h("th", { scope: "col" }, title.hidden ? h("span.visually-hidden", title.hidden) : title);
  });
  const body = rows instanceof Node ? rows : h("tbody", rows);
  const table = h("table", attributes, h("thead", h("tr", head)), body);
  return h("div.scroll", { tabindex: "0", onkeydown: (event) => pressInRows(event, body) }, table);
}

/** Rows that Page Down goes on by. */
const PAGE = 10;

function pressInRows(event, body) {
  const row = event.target.closest("tbody tr");
  // A control in a row has keys of its own.
  if (event.target !== event.currentTarget && event.target !== row) return;
  const rows = [...body.rows];
  const at = rows.indexOf(row);
  const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE, Home: -Infinity, End: Infinity };
  if (event.key in steps && rows.length) {
    event.preventDefault();
    focusRow(rows[Math.max(0, Math.min(at + steps[event.key], rows.length - 1))]);
  } else if (event.key === "Enter") {
    row?.querySelector("a[href], button")?.click();
  }
}

function focusRow(row) {
  row.tabIndex = -1;
  row.focus();
}

/** Puts other content into an element; a row that has the focus keeps it, by its place. */
export function replaceAround(element, ...content) {
  const row = element.contains(document.activeElement) ? document.activeElement.closest("tbody tr") : null;
  const rows = () => [...element.querySelectorAll("tbody tr")];
  const place = row === document.activeElement ? rows().indexOf(row) : -1;
  replace(element, ...content);
  const same = place < 0 ? undefined : rows()[place];
  if (same) focusRow(same);
  return element;
}

/**
 * Tabs; `show` is called with the name of the one that is chosen. If it gives false, the one before
 * stays.
 */
export function tabs(label, names, chosen, show) {
  let shown = chosen;
  const buttons = names.map(([key, text]) =>
    h("button", { type: "button", role: "tab", "data-tab": key, onclick: () => choose(key) }, text),
  );
  const bar = h("div.tabs", { role: "tablist", "aria-label": label, onkeydown: move }, buttons);
  function mark(key) {
    for (const button of buttons) {
      const isChosen = button.dataset.tab === key;
      button.setAttribute("aria-selected", String(isChosen));
      button.tabIndex = isChosen ? 0 : -1;
    }
  }
  function choose(key) {
    if (show(key) !== false) shown = key;
    mark(shown);
  }
  function move(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const at = buttons.indexOf(document.activeElement);
    const next = buttons[(at + step + buttons.length) % buttons.length];
    next.focus();
    choose(next.dataset.tab);
  }
  mark(chosen);
  return bar;
}

/** Says something in a corner for a while. */
export function notify(text, isBad = false) {
  show(h(isBad ? "div.bad" : "div", text), isBad ? 9000 : 4000);
}

/** Says in a corner what was done, with a button that undoes it. */
export function offerUndo(text, undo) {
  const back = () => [notice.remove(), undo()];
  const notice = h("div", text, " ", h("button", { type: "button", onclick: back }, "Undo"));
  show(notice, 30_000);
}

function show(notice, millis) {
  document.getElementById("notices").append(notice);
  setTimeout(() => notice.remove(), millis);
}

/** Waits for a pause of so many milliseconds before it calls. */
export function debounce(call, millis) {
  let timer;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => call(...given), millis);
  };
}

/**
 * For answers that may come in another order than they were asked for: each call says that the
 * answers to earlier ones are not wanted any longer, and gives what tells whether its own still is.
 */
export function rounds() {
  let latest = 0;
  return () => {
    latest += 1;
    const mine = latest;
    return () => mine === latest;
  };
}

/** Copies the text of an element. Pages of other machines have no clipboard without TLS. */
export async function copy(element) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(element.textContent);
    return notify("Copied");
  }
  getSelection().selectAllChildren(element);
  return document.execCommand("copy") ? notify("Copied") : notify("The text is selected, but not copied", true);
}

/** Has the browser save a text as a file. */
export function download(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** A number as people read it. */
export function number(value, digits = 2) {
  if (value === null || value === undefined) return "–";
  return Number(value).toLocaleString("en", { maximumFractionDigits: digits });
}

/** A time of the day, where the user is. */
export function clockText(millis) {
  return new Date(millis).toTimeString().slice(0, 8);
}

/** An amount of money. */
export function money(value, currency) {
  return `${number(value, value < 10 ? 2 : 0)} ${currency}`;
}

/** A number with its noun. */
export function counted(count, noun) {
  return `${number(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Bytes as people read them. */
export function bytes(count) {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let value = Number(count ?? 0);
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${number(value, value < 10 && unit > 0 ? 1 : 0)} ${units[unit]}`;
}
