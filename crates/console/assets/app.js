// The frame: which view is shown, by the address, and what is the same in all of them.
import { address, current, go } from "./address.js";
import { CallError, currentCredentials, isReadOnly, isUnsigned, onCredentials, wantsKey } from "./client.js";
import { askForCredentials } from "./credentials.js";
import { leaveDialogs } from "./dialog.js";
import { h, notify, replace } from "./dom.js";
import { help, listen } from "./keyboard.js";
import { search } from "./search.js";
import { showDesign } from "./design.js";
import { showItems } from "./items.js";
import { showLive } from "./live.js";
import { showOperations } from "./operations.js";
import { showPatterns } from "./patterns.js";
import { showTable } from "./table.js";
import { showTables } from "./tables.js";

const VIEWS = [
  {
    name: "tables",
    title: "Tables",
    show: (main, place) => (place.path[1] ? showTable(main, place) : showTables(main, place)),
  },
  { name: "items", title: "Items", show: showItems },
  { name: "design", title: "Design", show: showDesign },
  { name: "patterns", title: "Patterns", show: showPatterns },
  { name: "live", title: "Live", show: showLive },
  { name: "operations", title: "Operations", show: showOperations },
];

/** The views of one table. */
const HAS_TABLE = new Set(["tables", "items", "live"]);

/** Where the user was before, for views that go on from there. */
let previous = null;
const main = document.getElementById("main");
const nav = document.getElementById("nav");
const links = new Map(
  VIEWS.map(({ name, title }) => [name, h("a", { "data-view": name }, title, h("kbd", `g ${name[0]}`))]),
);
let leave = null;
let shown = 0;

async function show() {
  const place = { ...current(), previous };
  const view = VIEWS.find(({ name }) => name === place.path[0]);
  if (!view) return go(["tables"]);
  // What had the focus goes with the view that had it.
  const isOther = previous !== null && previous.path[0] !== view.name;
  const isFirst = previous === null;
  previous = { path: place.path };
  leave?.();
  leave = null;
  shown += 1;
  const mine = shown;
  if (HAS_TABLE.has(view.name) && place.path[1]) lastTable = place.path[1];
  drawNav(view);
  document.title = `${[place.path[1], view.title].filter(Boolean).join(" · ")} · Monotable`;
  delete main.dataset.shown;
  const room = roomOf(() => mine === shown);
  try {
    const cleanup = await view.show(room, place);
    const end = typeof cleanup === "function" ? cleanup : null;
    if (mine !== shown) return end?.();
    leave = end;
    if (!isFirst) focusMain(isOther);
    main.dataset.shown = location.hash;
  } catch (error) {
    if (mine === shown) await fail(error, () => mine === shown);
  }
}

function drawNav(view) {
  for (const [name, link] of links) {
    link.href = address(target(name));
    if (name === view.name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** The focus goes to the content if nothing has it, and from anywhere if it is another view. */
function focusMain(isOther) {
  const { activeElement } = document;
  if (document.querySelector("dialog[open]")) return;
  const isLost = activeElement === null || activeElement === document.body;
  if (isLost || (isOther && !main.contains(activeElement))) main.focus({ preventScroll: true });
}

/**
 * A place for a view, which takes the place of the one before as soon as there is something in it.
 */
function roomOf(isWanted) {
  const room = h("div", { style: { display: "contents" } });
  const watch = new MutationObserver(() => {
    watch.disconnect();
    if (isWanted()) replace(main, room);
  });
  watch.observe(room, { childList: true });
  return room;
}

/** The table that was looked at last is the one that is meant. */
let lastTable = null;

function target(name) {
  return lastTable && (name === "items" || name === "live") ? [name, lastTable] : [name];
}

/** Shows why a view cannot be shown, and asks for a key if one could help. */
async function fail(error, isWanted) {
  // A table that is gone is not meant any longer.
  if (error.code === "ResourceNotFoundException") lastTable = null;
  replace(
    main,
    h(
      "div.pad.stack",
      h("div.error", { role: "alert" }, error.message),
      h("p", h("button", { type: "button", "data-key": "r", onclick: show }, "Try again")),
    ),
  );
  if (!(error instanceof CallError)) console.error(error);
  const hasKeys = isUnsigned(error) || (error.status === 403 && (currentCredentials() || (await wantsKey())));
  if (hasKeys && isWanted()) askForCredentials(show, error.message);
}

function drawCredentials() {
  document.getElementById("credentials-button").textContent = currentCredentials() ? "Credentials ✓" : "Credentials";
}

let isLeaving = false;

/** Shows the view of another address, unless a dialog of the one before is to stay. */
async function leaveFor({ oldURL }) {
  // While somebody is asked, the address may go further.
  if (isLeaving) return;
  isLeaving = true;
  const isLeft = await leaveDialogs();
  isLeaving = false;
  if (isLeft) await show();
  else history.pushState(null, "", oldURL);
}

addEventListener("hashchange", leaveFor);
// What a button asked for and did not get is said, whichever button it was.
addEventListener("unhandledrejection", (event) => {
  if (!(event.reason instanceof CallError)) return;
  event.preventDefault();
  notify(event.reason.message, true);
});
replace(nav, [...links.values()]);
listen(search);
document.getElementById("search-button").addEventListener("click", search);
document.getElementById("help-button").addEventListener("click", help);
document.getElementById("credentials-button").addEventListener("click", () => askForCredentials(show));
document.getElementById("mode").textContent = isReadOnly ? "Read-only" : "";
onCredentials(drawCredentials);
drawCredentials();
show();
