// Keys that work everywhere: / searches, g goes, ? shows what there is.
import { open } from "./dialog.js";
import { h } from "./dom.js";

const VIEWS = { t: "tables", i: "items", d: "design", p: "patterns", l: "live", o: "operations" };
const MOVES = new Set(["ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End"]);

const KEYS = [
  ["/", "search tables, views, access patterns"],
  ["g t", "go to tables"],
  ["g i", "go to items, of the table that was looked at last"],
  ["g d", "go to the design"],
  ["g p", "go to access patterns"],
  ["g l", "go to what happens now, in the table that was looked at last"],
  ["g o", "go to operations"],
  ["↑ ↓ PgUp PgDn Home End", "move in tables"],
  ["Enter", "open what is chosen"],
  ["Space", "mark a row"],
  ["n", "make something new"],
  ["r", "read again"],
  ["Esc", "close"],
  ["?", "show this"],
];

/** Starts to listen. `search` opens the search. */
export function listen(search) {
  let isGoing = false;
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]") || isTyping(event.target)) {
      isGoing = false;
      return;
    }
    if (isGoing && event.key in VIEWS) {
      event.preventDefault();
      document.querySelector(`#nav [data-view="${VIEWS[event.key]}"]`)?.click();
    } else if (MOVES.has(event.key) && isNowhere(event.target)) {
      beginToMove(event);
    } else if (event.key === "/") {
      event.preventDefault();
      search();
    } else if (event.key === "?") {
      help();
    } else if (event.key === "n" || event.key === "r") {
      event.preventDefault();
      document.querySelector(`main [data-key="${event.key}"]`)?.click();
    }
    isGoing = event.key === "g";
  });
}

/** Shows the keys. */
export function help() {
  open(
    "Shortcuts",
    h(
      "dl.keys-list",
      KEYS.map(([keys, text]) => [
        h(
          "dt",
          keys.split(" ").map((key) => [h("kbd", key), " "]),
        ),
        h("dd", text),
      ]),
    ),
    [],
    {
      class: "narrow",
    },
  );
}

function isNowhere(target) {
  return target === document.body || target.id === "main";
}

/** Nothing has the focus: the first list of the view gets it, and the key is for that. */
function beginToMove(event) {
  const list = document.querySelector("main .grid, main .scroll:has(> table)");
  if (!list) return;
  event.preventDefault();
  list.focus();
  list.dispatchEvent(new KeyboardEvent("keydown", { key: event.key, bubbles: true, cancelable: true }));
}

function isTyping(target) {
  return target.closest?.("input, textarea, select, [contenteditable]") !== null;
}
