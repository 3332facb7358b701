// For tests: all tables as they were, and none of their items.
import { administer, encoded, isReadOnly } from "./client.js";
import { confirmTyped } from "./dialog.js";
import { bytes, dataTable, field, h, notify, number, replace } from "./dom.js";

/** Shows the snapshots, and what can be done with them. */
export async function drawRewinds(room) {
  const report = await administer("GET", "snapshots");
  const draw = (text) => {
    notify(text);
    return drawRewinds(room);
  };
  const actions = {
    restore: ({ name }) =>
      confirmTyped({
        title: "Restore a snapshot",
        text: "All tables become what they were. What was written since, and tables made since, are gone.",
        word: name,
        action: "Restore",
        run: async () => {
          await administer("POST", "snapshots/restore", { name });
          await draw(`The tables are those of ${name}`);
        },
      }),
    remove: async ({ name }) => {
      await administer("DELETE", `snapshots?name=${encoded(name)}`);
      await draw(`${name} is forgotten`);
    },
  };
  replace(
    room,
    h("h2", "Snapshots and reset"),
    report.snapshots.length
      ? list(report.snapshots, actions)
      : h("p.muted.small", "A snapshot keeps all tables in memory until the server stops."),
    isReadOnly ? null : [takeForm(draw), resetButtons(draw)],
  );
}

function list(snapshots, actions) {
  const button = (text, run) => h("button.quiet", { type: "button", onclick: run }, text);
  const row = (snapshot) =>
    h(
      "tr",
      h("td.mono", snapshot.name),
      h("td.mono.nowrap", { title: snapshot.time }, snapshot.time.slice(11, 19)),
      h("td.number", number(snapshot.tables)),
      h("td.number", number(snapshot.items)),
      h("td.number", bytes(snapshot.bytes)),
      h(
        "td.nowrap",
        isReadOnly
          ? null
          : [
              button("Restore", () => actions.restore(snapshot)),
              button("Delete", () => actions.remove(snapshot).catch((error) => notify(error.message, true))),
            ],
      ),
    );
  const numbers = ["Tables", "Items", "Size"].map((title) => ({ number: title }));
  return dataTable(["Snapshot", "Time", ...numbers, { hidden: "Actions" }], snapshots.map(row));
}

function takeForm(draw) {
  const name = h("input.mono", { value: "base", maxlength: "64", spellcheck: "false", autocomplete: "off" });
  const submit = async (event) => {
    event.preventDefault();
    try {
      await administer("POST", "snapshots", { name: name.value });
      await draw(`${name.value} is taken`);
    } catch (error) {
      notify(error.message, true);
    }
  };
  return h(
    "form.row",
    { onsubmit: submit, "aria-label": "Snapshot" },
    field("Name", name),
    h("button", { type: "submit" }, "Take snapshot"),
  );
}

function resetButtons(draw) {
  const reset = (tables, title, text) => () =>
    confirmTyped({
      title,
      text,
      word: "reset",
      action: title,
      run: async () => {
        await administer("POST", "reset", { tables });
        await draw(tables === "keep" ? "All tables are empty" : "There are no tables");
      },
    });
  const keep = reset("keep", "Empty all tables", "All items are gone, and streams begin anew. The tables stay.");
  const remove = reset("delete", "Delete all tables", "All tables are gone, with their items and streams.");
  return h(
    "div.row",
    h("button.danger", { type: "button", onclick: keep }, "Empty all tables"),
    h("button.danger", { type: "button", onclick: remove }, "Delete all tables"),
  );
}
