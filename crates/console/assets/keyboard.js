// Keys that work everywhere: / searches, g goes, ? shows what there is.
import { go } from "./address.js";
import { open } from "./dialog.js";
import { h } from "./dom.js";

const PLACES = { t: ["tables"], i: ["items"], d: ["design"], p: ["patterns"], l: ["live"], o: ["operations"] };

const KEYS = [
  ["/", "search tables, views, access patterns"],
  ["g t", "go to tables"],
  ["g i", "go to items"],
  ["g d", "go to the design"],
  ["g p", "go to access patterns"],
  ["g l", "go to what happens now"],
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
    if (isGoing && event.key in PLACES) {
      event.preventDefault();
      go(PLACES[event.key]);
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

function isTyping(target) {
  return target.closest?.("input, textarea, select, [contenteditable]") !== null;
}
