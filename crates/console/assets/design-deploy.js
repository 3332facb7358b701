// From the design to tables and data: what would change, and sample items.
import { address } from "./address.js";
import { ask, call, isReadOnly } from "./client.js";
import { confirmTyped } from "./dialog.js";
import { dataTable, field, h, notify, number, replace } from "./dom.js";
import { tableNames } from "./search.js";
import { describe, waitForTable } from "./table-parts.js";
import { writeAll } from "./write-all.js";

/**
 * The tab: its `element`, `update` for when there is another design, and `suspend` for when the
 * text is not one. What somebody is filling in stays.
 */
export function deployTab(known) {
  const plan = new Plan(known);
  const seeds = isReadOnly ? null : seeding(() => plan.known);
  return {
    element: h("div.stack", h("section.stack", { "aria-label": "Tables" }, h("h2", "Tables"), plan.room), seeds),
    update: (design) => plan.update(design),
    suspend: () => plan.suspend(),
  };
}

/** What would change, and the button that does it: only what is shown is ever done. */
class Plan {
  constructor(known) {
    this.room = h("div.stack", h("p.muted", "Comparing …"));
    this.round = 0;
    this.update(known);
  }

  /** Compares another design with the tables. */
  update(known) {
    this.known = known;
    return this.draw();
  }

  /** The text is being changed, so what is shown is not what it says. */
  suspend() {
    this.round += 1;
    for (const button of this.room.querySelectorAll("button")) button.disabled = true;
  }

  async find() {
    return ask("changes", { model: this.known.text, tables: await running(this.known) });
  }

  async draw(said = null) {
    this.round += 1;
    const { round } = this;
    try {
      const { changes, obstacles } = await this.find();
      if (round !== this.round) return;
      this.shown = changes;
      replace(
        this.room,
        said ? h("div.note", { role: "status" }, said) : null,
        obstacles.map((text) => h("div.error", text)),
        list(changes),
        changes.length && !isReadOnly ? this.button() : null,
      );
    } catch (error) {
      if (round === this.round) replace(this.room, h("div.error", error.message));
    }
  }

  button() {
    const count = this.shown.length;
    const removes = this.shown.some(({ sign }) => sign === "-");
    const onclick = removes ? () => this.confirm() : (event) => this.run(event.target);
    return h(
      "p",
      h("button.primary", { type: "button", onclick }, `Apply ${count} ${count === 1 ? "change" : "changes"}`),
    );
  }

  async run(button) {
    button.disabled = true;
    try {
      await this.apply((text) => (button.textContent = text));
    } catch (error) {
      notify(error.message, true);
      await this.draw();
    }
  }

  confirm() {
    confirmTyped({
      title: "Apply the model",
      text: "Something is deleted by these changes. This cannot be undone.",
      word: this.known.name,
      action: "Apply",
      run: (progress) => this.apply(progress),
    });
  }

  /** Makes the changes that are shown, unless they are not those that are to be made by now. */
  async apply(progress) {
    const { shown } = this;
    const { changes } = await this.find();
    if (JSON.stringify(changes) !== JSON.stringify(shown)) {
      await this.draw("The tables or the model have changed meanwhile. Nothing was done: this is what is to be done.");
      return;
    }
    for (const [place, change] of shown.entries()) {
      progress(`${place + 1} of ${shown.length}`);
      await call(change.operation, change.body);
      await waitForTable(change.table);
    }
    notify("The tables are as the model says");
    await this.draw();
  }
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

/** Writes samples and generated items; `design` gives the design as it is at the moment. */
function seeding(design) {
  const seed = h("input", { inputmode: "numeric", value: "0", autocomplete: "off" });
  const state = h("span.muted", { role: "status" });
  let stopping = null;
  const stop = h("button", { type: "button", hidden: true, onclick: () => stopping.abort() }, "Stop");
  const write = async (question) => {
    stopping = new AbortController();
    stop.hidden = false;
    try {
      const { items } = await ask("seed", { model: design().text, ...question() });
      const byTable = Object.create(null);
      for (const { table, item } of items) (byTable[table] ??= []).push({ PutRequest: { Item: item } });
      const progress = (done, all) => replace(state, `${number(done)} of ${number(all)} items`);
      await writeAll(byTable, { progress, signal: stopping.signal });
      replace(
        state,
        `${number(items.length)} items written. `,
        Object.keys(byTable).map((name) => [h("a", { href: address(["items", name]) }, `Items of ${name}`), " "]),
      );
    } catch (error) {
      replace(state, error.message);
      notify(error.message, true);
    }
    stop.hidden = true;
  };
  return h(
    "section.stack",
    { "aria-label": "Sample data" },
    h("h2", "Sample data"),
    h(
      "div.row",
      Number(design().samples)
        ? h(
            "button",
            { type: "button", onclick: () => write(() => ({ samples: true })) },
            "Write the samples of the model",
          )
        : null,
      field("Seed", seed),
      h(
        "button",
        { type: "button", onclick: () => write(() => ({ seed: readSeed(seed.value) })) },
        "Write generated items",
      ),
      stop,
      state,
    ),
  );
}

/** A seed is a number that no digit of is lost on the way to the server. */
function readSeed(text) {
  const seed = Number(text);
  if (/^\s*\d+\s*$/.test(text) && Number.isSafeInteger(seed)) return seed;
  throw new Error(`A seed is a whole number from 0 to ${Number.MAX_SAFE_INTEGER}.`);
}
