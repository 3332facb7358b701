// The form of an item: a row for each attribute. What nobody touches stays as it is, to the byte.
import { h, replace, select } from "./dom.js";
import { keysOf } from "./table-parts.js";
import { display, formText, isSame, kind, readForm, TYPES } from "./values.js";

const SETS = ["SS", "NS", "BS"];
const LINE_END = /\r\n|\r|\n/g;

/** The form; `setKeys` puts other values into the rows of keys. */
export function itemForm(table, item) {
  const keys = keysOf(table).map(({ name }) => name);
  const names = [
    ...keys.filter((name) => Object.hasOwn(item, name)),
    ...Object.keys(item)
      .filter((name) => !keys.includes(name))
      .sort(),
  ];
  const rows = h(
    "div.stack",
    names.map((name) => attributeRow(name, item[name], keys.includes(name))),
  );
  const element = h("div.stack", rows, h("p", h("button", { type: "button", onclick: add }, "Add attribute")));

  function append(name, value) {
    rows.append(attributeRow(name, value, false));
  }

  function add() {
    append("", { S: "" });
    rows.lastElementChild.querySelector("input").focus();
  }

  function read() {
    const found = new Map();
    for (const row of rows.children) {
      const { name, value } = row.read();
      if (!name && isEmpty(value)) continue;
      if (!name) throw new Error(`the attribute with the value ${display(value)} has no name`);
      if (found.has(name)) throw new Error(`${name} is there twice`);
      found.set(name, value);
    }
    return Object.fromEntries(found);
  }

  function setKeys(values) {
    for (const [name, value] of Object.entries(values)) {
      const row = [...rows.children].find((one) => one.read().name === name);
      if (value === undefined) row?.remove();
      else if (row) row.set(value);
      else append(name, value);
    }
  }

  return { element, read, setKeys };
}

/** Whether nothing was said of an attribute yet. */
function isEmpty(value) {
  return value.S === "";
}

function attributeRow(name, value, isKey) {
  const nameInput = h("input.mono", {
    value: name,
    placeholder: "name",
    "aria-label": "Name of the attribute",
    readonly: isKey,
  });
  const type = select(TYPES, kind(value), { "aria-label": `Type of ${name || "the attribute"}` });
  const room = h("div");
  const label = `Value of ${name || "the attribute"}`;
  let was;
  let control;

  function draw(text) {
    control = controlOf(type.value, text, label);
    replace(room, control);
  }

  /** Shows a value, which stays what it is until the control says something else. */
  function set(given) {
    type.value = kind(given);
    draw(formText(given));
    was = { value: given, shown: control.value };
    const why = whyNotInForm(given);
    type.disabled = why !== null;
    if (why === null) return;
    control.readOnly = true;
    room.append(h("div.small.muted", why));
  }

  function read() {
    const isTouched = type.value !== kind(was.value) || control.value !== was.shown;
    if (!isTouched) return { name: nameInput.value, value: was.value };
    const text = withLineEndsOf(formText(was.value), control.value);
    return { name: nameInput.value, value: readForm(type.value, text, was.value) };
  }

  type.addEventListener("change", () => draw(type.value === "M" || type.value === "L" ? "" : control.value));
  set(value);
  const row = h("div.editor-row", nameInput, type, room, removeButton(name, isKey));
  return Object.assign(row, { read, set });
}

function controlOf(type, text, label) {
  if (type === "BOOL") return select(["true", "false"], text === "false" ? "false" : "true", { "aria-label": label });
  if (type === "NULL") return h("input", { value: "null", disabled: true, "aria-label": label });
  const attributes = { "aria-label": label, spellcheck: "false" };
  if (["S", "N", "B"].includes(type) && !/[\r\n]/.test(text)) return h("input.mono", { value: text, ...attributes });
  const rows = String(Math.min(10, text.split(LINE_END).length + 1));
  const area = h("textarea", { rows, ...attributes });
  area.value = text || { M: "{}", L: "[]" }[type] || "";
  return area;
}

function removeButton(name, isKey) {
  const remove = ({ target }) => {
    const row = target.closest(".editor-row");
    const list = row.parentElement;
    row.remove();
    list.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const label = `Remove ${name || "the attribute"}`;
  return h("button.quiet", { type: "button", "aria-label": label, disabled: isKey, onclick: remove }, "✕");
}

/** What a control cannot show so that it can be read back: then it only shows it. */
function whyNotInForm(value) {
  const content = value[kind(value)];
  if (SETS.includes(kind(value)) && content.some((member) => /[\r\n]/.test(member) || member === ""))
    return "A member has several lines or none: change it as DynamoDB JSON.";
  if (kind(value) === "S" && new Set(content.match(LINE_END)).size > 1)
    return "Its lines do not all end alike: change it as DynamoDB JSON.";
  if (["M", "L"].includes(kind(value)) && !isSame(readForm(kind(value), formText(value), value), value))
    return "This browser would lose digits of a number in it: change it as DynamoDB JSON.";
  return null;
}

/** A text from a control, which knows one end of lines only, with the ends that the text had. */
function withLineEndsOf(before, text) {
  const [end] = before.match(LINE_END) ?? ["\n"];
  return text.replaceAll("\n", end);
}
