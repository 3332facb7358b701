// One table: its settings, indexes, stream and time to live.
import { address, go } from "./address.js";
import { call, isReadOnly } from "./client.js";
import { confirmTyped, open } from "./dialog.js";
import { bytes, dataTable, h, notify, number, replace, rounds, select } from "./dom.js";
import { indexForm } from "./index-form.js";
import { billed, billingCard } from "./table-billing.js";
import { allIndexesOf, isDone, isReady, keyText, settingsOf, statusTag, waitForTable } from "./table-parts.js";

const STREAMS = [
  ["", "off"],
  ["KEYS_ONLY", "keys only"],
  ["NEW_IMAGE", "new image"],
  ["OLD_IMAGE", "old image"],
  ["NEW_AND_OLD_IMAGES", "new and old images"],
];

/** Milliseconds between two looks at a table that is being made, changed or deleted. */
const LOOK_PAUSE = 1500;

/** Shows a table. */
export async function showTable(room, place) {
  const view = new TableView(room, place.path[1]);
  await view.look();
  return () => view.end();
}

/** The settings of a table, which are looked at again until nothing changes by itself. */
class TableView {
  constructor(room, name) {
    Object.assign(this, { room, name, isOver: false, timer: null, begin: rounds() });
    /** What is shown, and the cards that it is shown in. */
    Object.assign(this, { shown: "", cards: new Map() });
  }

  end() {
    this.isOver = true;
    clearTimeout(this.timer);
  }

  /** Looks at the table, and draws what is not as it is shown. */
  async look() {
    const isWanted = this.begin();
    const found = await settingsOf(this.name);
    if (this.isOver || !isWanted()) return;
    const text = JSON.stringify(found);
    if (text !== this.shown) this.draw(found);
    this.shown = text;
    clearTimeout(this.timer);
    if (!isDone(found)) this.timer = setTimeout(() => this.lookAgain(), LOOK_PAUSE);
  }

  /** A look that nobody asked for. A server that does not answer may do so later. */
  async lookAgain() {
    try {
      await this.look();
    } catch (error) {
      if (this.isOver) return;
      if (error.code === "ResourceNotFoundException") return this.drawGone();
      this.timer = setTimeout(() => this.lookAgain(), LOOK_PAUSE);
    }
  }

  /** Draws everything anew: what somebody was filling in is not wanted any longer. */
  again() {
    this.shown = "";
    this.cards.clear();
    return this.look();
  }

  /** Runs a change of the table, and shows it at once and when it is done. */
  async change(run) {
    try {
      await run();
      await this.again();
      await waitForTable(this.name);
      if (!this.isOver) await this.look();
      notify(`${this.name} is changed`);
    } catch (error) {
      notify(error.message, true);
      if (!this.isOver) await this.again();
    }
  }

  update(request) {
    return this.change(() => call("UpdateTable", { TableName: this.name, ...request }));
  }

  draw({ table, expiry }) {
    const { activeElement: focused } = document;
    const isOpen = isReady(table);
    const card = (name, about, make) => this.card(name, { isOpen, about }, make);
    replace(
      this.room,
      card("bar", table.TableStatus, () => this.bar(table)),
      h(
        "div.pad.stack",
        h("div.cards", facts(table)),
        card("indexes", [allIndexesOf(table), table.AttributeDefinitions], () => indexCard(table, this)),
        h(
          "div.cards",
          card("stream", [table.StreamSpecification, table.LatestStreamArn], () => streamCard(table, this)),
          card("expiry", expiry, () => expiryCard(table, expiry, this)),
          card("protection", table.DeletionProtectionEnabled, () => protectionCard(table, this)),
          card("billing", billed(table), () => billingCard(table, (request) => this.update(request))),
        ),
        h("details.card", h("summary", "Description"), h("pre", JSON.stringify(table, null, 2))),
      ),
    );
    if (focused !== document.activeElement && this.room.contains(focused)) focused.focus();
  }

  /** A card is made anew only if what it is about has changed: what somebody fills in stays. */
  card(name, about, make) {
    const text = JSON.stringify(about);
    if (this.cards.get(name)?.text !== text) this.cards.set(name, { text, element: make() });
    return this.cards.get(name).element;
  }

  bar(table) {
    return h(
      "div.bar",
      h("h1", this.name),
      statusTag(table.TableStatus),
      h("span.grow"),
      h("a.button", { href: address(["items", this.name]) }, "Items"),
      h("a.button", { href: address(["live", this.name]) }, "Live"),
      h("button", { type: "button", "data-key": "r", onclick: () => this.again() }, "Refresh"),
      isReadOnly ? null : h("button.danger", { type: "button", onclick: () => deleteTable(table) }, "Delete table"),
    );
  }

  drawGone() {
    replace(
      this.room,
      h("div.bar", h("h1", this.name)),
      h("div.empty", h("p", "This table is deleted."), h("p", h("a", { href: address(["tables"]) }, "All tables"))),
    );
  }
}

function facts(table) {
  const fact = (title, ...content) => h("div.card", h("h3.muted", title), content);
  return [
    fact("Items", h("div.figure", number(table.ItemCount))),
    fact("Size", h("div.figure", bytes(table.TableSizeBytes))),
    fact("Keys", h("div.mono", keyText(table.KeySchema, table.AttributeDefinitions))),
    fact("Created", h("div", new Date(table.CreationDateTime * 1000).toISOString().replace("T", " ").slice(0, 19))),
    fact("Resource name", h("code", table.TableArn)),
  ];
}

function indexCard(table, view) {
  const remove = (index) =>
    confirmTyped({
      title: `Delete index ${index.IndexName}`,
      text: "Queries of this index fail from then on. The items of the table stay.",
      word: index.IndexName,
      action: "Delete index",
      run: () =>
        view.update({
          [index.kind === "vector" ? "VectorIndexUpdates" : "GlobalSecondaryIndexUpdates"]: [deletionOf(index)],
        }),
    });
  const rows = allIndexesOf(table).map((index) =>
    h(
      "tr",
      h("td", indexName(table, index)),
      h("td", index.kind),
      h("td", statusTag(index.IndexStatus ?? "ACTIVE")),
      h(
        "td.mono.nowrap",
        index.kind === "vector" ? vectorText(index) : keyText(index.KeySchema, table.AttributeDefinitions),
      ),
      h("td", projectionText(index.Projection)),
      h("td.number", number(index.ItemCount)),
      h("td.number", bytes(index.IndexSizeBytes)),
      h(
        "td.right",
        index.kind !== "local" && !isReadOnly
          ? h(
              "button.quiet",
              { type: "button", "aria-label": `Delete index ${index.IndexName}`, onclick: () => remove(index) },
              "Delete",
            )
          : null,
      ),
    ),
  );
  const titles = ["Name", "Kind", "Status", "Keys", "Projection", { number: "Entries" }, { number: "Size" }];
  return h(
    "section.card",
    { "aria-label": "Indexes" },
    h(
      "div.row",
      h("h2", "Indexes"),
      h("span.grow"),
      isReadOnly
        ? null
        : h("button", { type: "button", "data-key": "n", onclick: () => addIndex(table, view) }, "Add global index"),
    ),
    rows.length ? dataTable([...titles, { hidden: "Delete" }], rows) : h("p.muted", "None."),
  );
}

function deletionOf({ IndexName }) {
  return { Delete: { IndexName } };
}

/**
 * The name of an index, which leads to its items; what is searched by vectors cannot be read so.
 */
function indexName(table, { IndexName, kind }) {
  if (kind === "vector") return IndexName;
  return h("a", { href: address(["items", table.TableName], { index: IndexName }) }, IndexName);
}

/** What a vector index searches, and by which attributes besides. */
function vectorText({ VectorAttribute, Dimensions, DistanceFunction, SearchSchema = [] }) {
  const distance = DistanceFunction.toLowerCase().replaceAll("_", " ");
  const besides = SearchSchema.map(({ AttributeName }) => AttributeName);
  return [`${VectorAttribute.AttributeName} (${Dimensions}, ${distance})`, ...besides].join(", ");
}

function projectionText(projection = {}) {
  const attributes = projection.NonKeyAttributes?.join(", ");
  return { ALL: "all attributes", KEYS_ONLY: "keys only" }[projection.ProjectionType] ?? attributes ?? "–";
}

function addIndex(table, view) {
  const isProvisioned = table.BillingModeSummary?.BillingMode !== "PAY_PER_REQUEST";
  const form = indexForm(() => isProvisioned);
  const failed = h("div.error", { hidden: true, role: "alert" });
  const add = async ({ target: button }) => {
    const { index, definitions } = form.read();
    button.disabled = true;
    try {
      await call("UpdateTable", {
        TableName: table.TableName,
        AttributeDefinitions: definitions,
        GlobalSecondaryIndexUpdates: [{ Create: index }],
      });
      dialog.close();
      await view.change(() => {});
    } catch (error) {
      failed.textContent = error.message;
      failed.hidden = false;
      button.disabled = false;
    }
  };
  const dialog = open(
    "Add global index",
    [form.element, failed],
    [
      h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
      h("button.primary", { type: "button", onclick: add }, "Add"),
    ],
    { class: "narrow" },
    true,
  );
}

function streamCard(table, view) {
  const now = table.StreamSpecification?.StreamEnabled ? table.StreamSpecification.StreamViewType : "";
  const choice = select(STREAMS, now, { "aria-label": "What the stream shows", disabled: isReadOnly });
  const button = h("button", { type: "button", disabled: true, onclick: set }, "Change");
  choice.addEventListener("change", () => (button.disabled = choice.value === now || !isReady(table)));
  const update = (StreamSpecification) => call("UpdateTable", { TableName: table.TableName, StreamSpecification });
  function set() {
    button.disabled = true;
    const wanted = choice.value;
    return view.change(async () => {
      // A stream has to be off before it can show something else, which may take a while.
      if (now) await update({ StreamEnabled: false });
      if (now && wanted) await waitForTable(table.TableName);
      if (wanted) await update({ StreamEnabled: true, StreamViewType: wanted });
    });
  }
  return h(
    "section.card",
    { "aria-label": "Stream" },
    h("h2", "Stream"),
    h("div.row", choice, isReadOnly ? null : button),
    table.LatestStreamArn && now ? h("p.small.muted.mono", table.LatestStreamArn) : null,
  );
}

function expiryCard(table, expiry, view) {
  if (expiry.why) {
    return h("section.card", { "aria-label": "Time to live" }, h("h2", "Time to live"), h("p.small.muted", expiry.why));
  }
  const isOn = expiry.TimeToLiveStatus === "ENABLED";
  const input = h("input", {
    value: expiry.AttributeName ?? "",
    placeholder: "attribute",
    disabled: isOn || isReadOnly,
    "aria-label": "Attribute that says when items expire",
  });
  const set = () => {
    const TimeToLiveSpecification = { AttributeName: input.value, Enabled: !isOn };
    return view.change(() => call("UpdateTimeToLive", { TableName: table.TableName, TimeToLiveSpecification }));
  };
  const isWaiting = !isReady(table) || !isDone({ table, expiry });
  return h(
    "section.card",
    { "aria-label": "Time to live" },
    h("h2", "Time to live"),
    h(
      "div.row",
      input,
      isReadOnly
        ? null
        : h("button", { type: "button", disabled: isWaiting, onclick: set }, isOn ? "Turn off" : "Turn on"),
    ),
    h(
      "p.small.muted",
      isOn ? "Items are deleted after the moment that this attribute says, in seconds since 1970." : "Off: items stay.",
    ),
  );
}

function protectionCard(table, view) {
  const isOn = table.DeletionProtectionEnabled === true;
  const set = () => view.update({ DeletionProtectionEnabled: !isOn });
  return h(
    "section.card",
    { "aria-label": "Deletion protection" },
    h("h2", "Deletion protection"),
    h(
      "div.row",
      h("span", isOn ? "On" : "Off"),
      isReadOnly
        ? null
        : h("button", { type: "button", disabled: !isReady(table), onclick: set }, isOn ? "Turn off" : "Turn on"),
    ),
  );
}

function deleteTable(table) {
  confirmTyped({
    title: `Delete table ${table.TableName}`,
    text: `Its ${number(table.ItemCount)} items and all its indexes are deleted with it. This cannot be undone.`,
    word: table.TableName,
    action: "Delete table",
    run: async () => {
      await call("DeleteTable", { TableName: table.TableName });
      notify(`${table.TableName} is deleted`);
      go(["tables"]);
    },
  });
}
