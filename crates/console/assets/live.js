// Live: what happens on the server now. Changes, requests by access pattern, hot keys, errors.
import { go, note } from "./address.js";
import { field, h, replace, select, tabs } from "./dom.js";
import { showChanges } from "./live-changes.js";
import { showErrors } from "./live-errors.js";
import { showKeys } from "./live-keys.js";
import { showRequests } from "./live-requests.js";
import { knownTables, openByName } from "./table-names.js";

const TABS = [
  ["changes", "Changes"],
  ["requests", "Requests"],
  ["keys", "Hot keys"],
  ["errors", "Errors"],
];

/** What each tab shows, of a table. */
const SHOWN = { changes: showChanges, requests: showRequests, keys: showKeys, errors: showErrors };

/** Shows what happens, and gives what ends it. */
export async function showLive(room, place) {
  const name = place.path[1];
  const { names, why } = await knownTables(name);
  if (!name) {
    if (names.length) return go(["live", names[0]], place.params);
    const nothing = why ? openByName(why, "live") : h("div.empty", "There are no tables yet.");
    return replace(room, h("div.bar", h("h1", "Live")), nothing);
  }
  let tab = Object.hasOwn(SHOWN, place.params.tab ?? "") ? place.params.tab : "changes";
  let leave = null;
  let shown = 0;
  const bar = h("div.row.middle.grow");
  const body = h("div.panel-body", { tabindex: "0", role: "tabpanel", "aria-label": "What happens" });
  const choice = select(names, name, { onchange: () => go(["live", choice.value], { tab }) });
  const table = field("Table", choice);
  const show = async () => {
    leave?.();
    leave = null;
    shown += 1;
    const mine = shown;
    // Requests and errors are those of the whole server.
    table.hidden = tab === "requests" || tab === "errors";
    body.className = tab === "changes" ? "panel-body flush" : "panel-body";
    replace(bar);
    const ended = await SHOWN[tab]({ bar, body, params, noted }, name);
    if (mine === shown) leave = ended ?? null;
    else ended?.();
  };
  /** What the tab shows of all that it could: it stands in the address. */
  let params = place.params;
  const noted = (chosen) => {
    params = chosen;
    note(["live", name], { ...chosen, tab: tab === "changes" ? "" : tab });
  };
  const choose = (chosen) => {
    tab = chosen;
    noted({});
    show().catch((error) => replace(body, h("div.error", { role: "alert" }, error.message)));
  };
  replace(room, h("div.bar", h("h1", "Live"), table, bar), tabs("What happens", TABS, tab, choose), body);
  await show();
  return () => {
    shown += 1;
    leave?.();
  };
}
