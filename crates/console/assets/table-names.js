// Which tables there are, as far as the key of the user may know.
import { go } from "./address.js";
import { CallError } from "./client.js";
import { field, h } from "./dom.js";
import { tableNames } from "./search.js";

/** Whether a call was refused because its key may not do it, not because of what it asked. */
export function isDenied(error) {
  return error instanceof CallError && error.code === "AccessDeniedException";
}

/** The names of all tables; of a key that may not list them the one that is named, and why. */
export async function knownTables(named = null) {
  try {
    return { names: await tableNames(), why: null };
  } catch (error) {
    if (!isDenied(error)) throw error;
    return { names: named ? [named] : [], why: error.message };
  }
}

/** A form that goes to a table by its name, for a key that may use tables but not list them. */
export function openByName(why, view) {
  const name = h("input.mono", { autocomplete: "off", spellcheck: "false" });
  const submit = (event) => {
    event.preventDefault();
    if (name.value.trim()) go([view, name.value.trim()]);
  };
  return h(
    "form.pad.stack",
    { "aria-label": "Open a table", onsubmit: submit },
    h("p", "This key may not list the tables. A table that it may use can be opened by its name."),
    h("p.muted.small", why),
    h("div.row", field("Table name", name), h("button.primary", { type: "submit" }, "Open")),
  );
}
