// What is shown, as a file.
import { download } from "./dom.js";
import { attribute, display, plainItem } from "./values.js";

/** What stands in a column that an item does not have. */
const EMPTY = { S: "" };

/** Saves items as plain JSON. */
export function saveJson(name, items) {
  download(`${name}.json`, "application/json", `${JSON.stringify(items.map(plainItem), null, 2)}\n`);
}

/** Saves items as CSV: a column for every attribute that one of them has, keys first. */
export function saveCsv(name, keys, items) {
  download(`${name}.csv`, "text/csv", csv(keys, items));
}

/** Items as CSV. What a spreadsheet would take for a formula is quoted as text. */
export function csv(keys, items) {
  const columns = [...new Set([...keys, ...items.flatMap(Object.keys)])];
  const cell = (text) => {
    const safe = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
    return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const line = (item) => columns.map((column) => cell(display(attribute(item, column) ?? EMPTY))).join(",");
  return `${[columns.map(cell).join(","), ...items.map(line)].join("\r\n")}\r\n`;
}
