// Queries to come back to: those of this tab, and those that are kept in the model.
import { isReadOnly } from "./client.js";
import { open } from "./dialog.js";
import { counted, field, h, notify, replace } from "./dom.js";
import { saveQuery } from "./model.js";
import { TabHistory } from "./tab-history.js";

const past = new TabHistory("monotable.queries");

/** Remembers a query by its address; `items` and `units` are what it found and cost. */
export function remember(query) {
  past.add(query, ({ address }) => address === query.address);
}

/**
 * Shows the queries. `known` is the design that has the table, `address` the query that is shown.
 */
export function showQueries({ known, address, text, changed }) {
  let design = known;
  const saved = h("section", { "aria-label": "Saved queries" });
  const history = h("section", { "aria-label": "History" });
  const name = h("input", { value: text, autocomplete: "off" });
  const failed = h("div.error", { hidden: true, role: "alert" });
  const dialog = open("Queries", [known && !isReadOnly ? saving() : null, failed, saved, history]);
  const link = (one, title) => h("a", { href: one.address, onclick: () => dialog.close() }, title);

  function saving() {
    const submit = (event) => {
      event.preventDefault();
      change(name.value.trim(), address);
    };
    return h(
      "form.row",
      { "aria-label": "Save this query", onsubmit: submit },
      field("Save this query as", name, { class: "wide" }),
      h("button.primary", { type: "submit" }, "Save in the model"),
    );
  }

  async function change(title, to) {
    if (!title) return;
    try {
      design = await saveQuery(design, title, to);
      changed(design);
      failed.hidden = true;
      if (to) notify("Saved in the model; give it to the server in Design");
    } catch (error) {
      failed.textContent = error.message;
      failed.hidden = false;
    }
    drawSaved();
  }

  function drawSaved() {
    const remove = ({ name: title }) =>
      h("button.quiet", { type: "button", "aria-label": `Forget ${title}`, onclick: () => change(title, null) }, "✕");
    const row = (one) => h("li.row.middle", link(one, one.name), h("span.grow"), isReadOnly ? null : remove(one));
    const queries = design?.queries ?? [];
    const nothing = design ? "None yet." : "No model has this table, so there is no place for them.";
    replace(
      saved,
      h("h3", "Saved in the model"),
      queries.length ? h("ul.plain", queries.map(row)) : h("p.muted", nothing),
    );
  }

  const queries = past.all();
  const row = (one) =>
    h(
      "li",
      link(one, one.text),
      h("span.muted.small", ` ${counted(one.items, "item")}, ${counted(one.units, "read unit")}`),
    );
  replace(
    history,
    h("h3", "History of this tab"),
    queries.length ? h("ul.plain", queries.map(row)) : h("p.muted", "None yet."),
  );
  drawSaved();
}
