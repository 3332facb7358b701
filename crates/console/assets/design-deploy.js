// From the design to tables and data: what would change, and sample items.
import { address } from "./address.js";
import { ask, call, isReadOnly, writeAll } from "./client.js";
import { confirmTyped } from "./dialog.js";
import { dataTable, field, h, notify, number, replace } from "./dom.js";
import { tableNames } from "./search.js";
import { describe, waitForTable } from "./table-parts.js";

/** The content of the tab. */
export function deployTab(known) {
  const changes = h("div.stack", h("p.muted", "Comparing …"));
  const compare = () => drawChanges(known, changes);
  compare();
  return h(
    "div.stack",
    h("section.stack", { "aria-label": "Tables" }, h("h2", "Tables"), changes),
    isReadOnly ? null : seeding(known),
  );
}

/** The tables of the model as the server has them. */
async function running(known) {
  const tables = {};
  const existing = new Set(await tableNames());
  for (const { physical_name: name } of known.tables.filter((table) => existing.has(table.physical_name))) {
    const Table = await describe(name);
    Table.GlobalSecondaryIndexes = Table.GlobalSecondaryIndexes?.filter((index) => index.IndexStatus !== "DELETING");
    const { TimeToLiveDescription: expiry } = await call("DescribeTimeToLive", { TableName: name });
    tables[name] = { Table, ttl: expiry.TimeToLiveStatus.startsWith("ENABL") ? expiry.AttributeName : null };
  }
  return tables;
}

async function drawChanges(known, room) {
  try {
    const { changes, obstacles } = await ask("changes", { model: known.text, tables: await running(known) });
    replace(
      room,
      obstacles.map((text) => h("div.error", text)),
      list(changes),
      changes.length && !isReadOnly ? applyButton(known, room, changes) : null,
    );
  } catch (error) {
    replace(room, h("div.error", error.message));
  }
}

function list(changes) {
  if (!changes.length) return h("p", h("span.tag.good", "The tables are as the model says."));
  const sign = { "+": "sign-add", "~": "sign-change", "-": "sign-delete" };
  const row = (change) =>
    h(
      "tr",
      { class: sign[change.sign] },
      h("td.mono", change.sign),
      h("td", change.table),
      h("td", change.subject),
      h("td", change.detail),
    );
  return dataTable([{ hidden: "Sign" }, "Table", "What", "How"], changes.map(row));
}

function applyButton(known, room, changes) {
  const apply = async (progress) => {
    for (const [place, change] of changes.entries()) {
      progress(`${place + 1} of ${changes.length}`);
      await call(change.operation, change.body);
      await waitForTable(change.table);
    }
    notify("The tables are as the model says");
    await drawChanges(known, room);
  };
  const removes = changes.some(({ sign }) => sign === "-");
  const run = async (event) => {
    const button = event.target;
    button.disabled = true;
    try {
      await apply((text) => (button.textContent = text));
    } catch (error) {
      notify(error.message, true);
      await drawChanges(known, room);
    }
  };
  const confirm = () =>
    confirmTyped({
      title: "Apply the model",
      text: "Something is deleted by these changes. This cannot be undone.",
      word: known.name,
      action: "Apply",
      run: apply,
    });
  return h(
    "p",
    h(
      "button.primary",
      { type: "button", onclick: removes ? confirm : run },
      `Apply ${changes.length} ${changes.length === 1 ? "change" : "changes"}`,
    ),
  );
}

function seeding(known) {
  const seed = h("input", { type: "number", value: "0", min: "0" });
  const state = h("span.muted", { role: "status" });
  const write = async (question) => {
    try {
      const { items } = await ask("seed", { model: known.text, ...question });
      const byTable = {};
      for (const { table, item } of items) (byTable[table] ??= []).push({ PutRequest: { Item: item } });
      await writeAll(byTable, (done, all) => replace(state, `${number(done)} of ${number(all)} items`));
      replace(
        state,
        `${number(items.length)} items written. `,
        Object.keys(byTable).map((name) => [h("a", { href: address(["items", name]) }, `Items of ${name}`), " "]),
      );
    } catch (error) {
      replace(state);
      notify(error.message, true);
    }
  };
  return h(
    "section.stack",
    { "aria-label": "Sample data" },
    h("h2", "Sample data"),
    h(
      "div.row",
      Number(known.samples)
        ? h("button", { type: "button", onclick: () => write({ samples: true }) }, "Write the samples of the model")
        : null,
      field("Seed", seed),
      h("button", { type: "button", onclick: () => write({ seed: Number(seed.value) }) }, "Write generated items"),
      state,
    ),
  );
}
