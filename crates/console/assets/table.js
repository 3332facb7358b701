// One table: its settings, indexes, stream and time to live.
import { address, go } from "./address.js";
import { call, isReadOnly } from "./client.js";
import { confirmTyped, open } from "./dialog.js";
import { bytes, dataTable, field, h, notify, number, replace, select } from "./dom.js";
import { isDenied } from "./table-names.js";
import { allIndexesOf, describe, keyText, statusTag, waitForTable } from "./table-parts.js";

const STREAMS = [
  ["", "off"],
  ["KEYS_ONLY", "keys only"],
  ["NEW_IMAGE", "new image"],
  ["OLD_IMAGE", "old image"],
  ["NEW_AND_OLD_IMAGES", "new and old images"],
];

/** Shows a table. */
export async function showTable(room, place) {
  const name = place.path[1];
  const [table, expiry] = await Promise.all([
    describe(name),
    call("DescribeTimeToLive", { TableName: name })
      .then((answer) => answer.TimeToLiveDescription)
      .catch((error) => (isDenied(error) ? { why: error.message } : Promise.reject(error))),
  ]);
  const again = () => showTable(room, place);
  replace(
    room,
    h(
      "div.bar",
      h("h1", name),
      statusTag(table.TableStatus),
      h("span.grow"),
      h("a.button", { href: address(["items", name]) }, "Items"),
      h("a.button", { href: address(["live", name]) }, "Live"),
      h("button", { type: "button", "data-key": "r", onclick: again }, "Refresh"),
      isReadOnly ? null : h("button.danger", { type: "button", onclick: () => deleteTable(table) }, "Delete table"),
    ),
    h(
      "div.pad.stack",
      h("div.cards", facts(table)),
      indexCard(table, again),
      h(
        "div.cards",
        streamCard(table, again),
        expiryCard(name, expiry, again),
        protectionCard(table, again),
        billingCard(table, again),
      ),
      h("details.card", h("summary", "Description"), h("pre", JSON.stringify(table, null, 2))),
    ),
  );
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

/** Runs a change of a table, waits until it is done, and shows the table again. */
function change(name, operation, request, again) {
  return shown(name, () => call(operation, { TableName: name, ...request }), again);
}

/** Waits until a change of a table is done, and shows the table again. */
async function shown(name, run, again) {
  try {
    await run();
    await waitForTable(name);
    notify(`${name} is changed`);
  } catch (error) {
    notify(error.message, true);
  }
  await again();
}

function indexCard(table, again) {
  const remove = (index) =>
    confirmTyped({
      title: `Delete index ${index.IndexName}`,
      text: "Queries of this index fail from then on. The items of the table stay.",
      word: index.IndexName,
      action: "Delete index",
      run: () =>
        change(
          table.TableName,
          "UpdateTable",
          { [index.kind === "vector" ? "VectorIndexUpdates" : "GlobalSecondaryIndexUpdates"]: [deletionOf(index)] },
          again,
        ),
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
        : h("button", { type: "button", "data-key": "n", onclick: () => addIndex(table, again) }, "Add global index"),
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

function addIndex(table, again) {
  const types = [
    ["S", "string"],
    ["N", "number"],
    ["B", "binary"],
  ];
  const inputs = {
    name: h("input"),
    partition: h("input"),
    partitionType: select(types),
    sort: h("input"),
    sortType: select(types),
    projection: select([
      ["ALL", "all attributes"],
      ["KEYS_ONLY", "keys only"],
    ]),
  };
  const failed = h("div.error", { hidden: true, role: "alert" });
  const add = async ({ target: button }) => {
    const keys = [
      [inputs.partition, inputs.partitionType, "HASH"],
      [inputs.sort, inputs.sortType, "RANGE"],
    ].filter(([input]) => input.value);
    const index = {
      IndexName: inputs.name.value,
      KeySchema: keys.map(([input, , KeyType]) => ({ AttributeName: input.value, KeyType })),
      Projection: { ProjectionType: inputs.projection.value },
    };
    if (table.BillingModeSummary?.BillingMode !== "PAY_PER_REQUEST")
      index.ProvisionedThroughput = { ReadCapacityUnits: 5, WriteCapacityUnits: 5 };
    button.disabled = true;
    try {
      await call("UpdateTable", {
        TableName: table.TableName,
        AttributeDefinitions: keys.map(([input, type]) => ({ AttributeName: input.value, AttributeType: type.value })),
        GlobalSecondaryIndexUpdates: [{ Create: index }],
      });
      dialog.close();
      await shown(table.TableName, () => {}, again);
    } catch (error) {
      failed.textContent = error.message;
      failed.hidden = false;
      button.disabled = false;
    }
  };
  const dialog = open(
    "Add global index",
    [
      h("div.row", field("Name", inputs.name), field("Projection", inputs.projection)),
      h("div.row", field("Partition key", inputs.partition), field("Type", inputs.partitionType)),
      h("div.row", field("Sort key, if any", inputs.sort), field("Type", inputs.sortType)),
      failed,
    ],
    [
      h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
      h("button.primary", { type: "button", onclick: add }, "Add"),
    ],
    { class: "narrow" },
    true,
  );
  inputs.name.focus();
}

function streamCard(table, again) {
  const now = table.StreamSpecification?.StreamEnabled ? table.StreamSpecification.StreamViewType : "";
  const choice = select(STREAMS, now, { "aria-label": "What the stream shows", disabled: isReadOnly });
  const button = h("button", { type: "button", disabled: true, onclick: set }, "Change");
  choice.addEventListener("change", () => (button.disabled = choice.value === now));
  const update = (StreamSpecification) => call("UpdateTable", { TableName: table.TableName, StreamSpecification });
  function set() {
    button.disabled = true;
    const view = choice.value;
    return shown(
      table.TableName,
      async () => {
        // A stream has to be off before it can show something else.
        if (now) await update({ StreamEnabled: false });
        if (view) await update({ StreamEnabled: true, StreamViewType: view });
      },
      again,
    );
  }
  return h(
    "section.card",
    { "aria-label": "Stream" },
    h("h2", "Stream"),
    h("div.row", choice, isReadOnly ? null : button),
    table.LatestStreamArn && now ? h("p.small.muted.mono", table.LatestStreamArn) : null,
  );
}

function expiryCard(name, expiry, again) {
  if (expiry.why) {
    return h(
      "section.card",
      { "aria-label": "Time to live" },
      h("h2", "Time to live"),
      h("p.small.muted", `This key may not see it: ${expiry.why}`),
    );
  }
  const isOn = expiry.TimeToLiveStatus === "ENABLED";
  const input = h("input", {
    value: expiry.AttributeName ?? "",
    placeholder: "attribute",
    disabled: isOn || isReadOnly,
    "aria-label": "Attribute that says when items expire",
  });
  const set = () =>
    change(
      name,
      "UpdateTimeToLive",
      { TimeToLiveSpecification: { AttributeName: input.value, Enabled: !isOn } },
      again,
    );
  return h(
    "section.card",
    { "aria-label": "Time to live" },
    h("h2", "Time to live"),
    h(
      "div.row",
      input,
      isReadOnly ? null : h("button", { type: "button", onclick: set }, isOn ? "Turn off" : "Turn on"),
    ),
    h(
      "p.small.muted",
      isOn ? "Items are deleted after the moment that this attribute says, in seconds since 1970." : "Off: items stay.",
    ),
  );
}

function protectionCard(table, again) {
  const isOn = table.DeletionProtectionEnabled === true;
  const set = () => change(table.TableName, "UpdateTable", { DeletionProtectionEnabled: !isOn }, again);
  return h(
    "section.card",
    { "aria-label": "Deletion protection" },
    h("h2", "Deletion protection"),
    h(
      "div.row",
      h("span", isOn ? "On" : "Off"),
      isReadOnly ? null : h("button", { type: "button", onclick: set }, isOn ? "Turn off" : "Turn on"),
    ),
  );
}

function billingCard(table, again) {
  const now = table.BillingModeSummary?.BillingMode ?? "PROVISIONED";
  const units = table.ProvisionedThroughput ?? {};
  const read = h("input", { type: "number", min: "1", value: units.ReadCapacityUnits || 5, disabled: isReadOnly });
  const write = h("input", { type: "number", min: "1", value: units.WriteCapacityUnits || 5, disabled: isReadOnly });
  const mode = select(
    [
      ["PAY_PER_REQUEST", "On demand"],
      ["PROVISIONED", "Provisioned"],
    ],
    now,
    { disabled: isReadOnly },
  );
  const provisioned = h("div.row", field("Read units", read), field("Write units", write));
  const draw = () => (provisioned.hidden = mode.value !== "PROVISIONED");
  mode.addEventListener("change", draw);
  draw();
  const set = () => {
    const throughput = { ReadCapacityUnits: Number(read.value), WriteCapacityUnits: Number(write.value) };
    const request = { BillingMode: mode.value };
    if (mode.value === "PROVISIONED") {
      request.ProvisionedThroughput = throughput;
      const indexes = (table.GlobalSecondaryIndexes ?? []).map(({ IndexName }) => ({
        Update: { IndexName, ProvisionedThroughput: throughput },
      }));
      if (indexes.length) request.GlobalSecondaryIndexUpdates = indexes;
    }
    return change(table.TableName, "UpdateTable", request, again);
  };
  return h(
    "section.card.stack",
    { "aria-label": "Billing" },
    h("h2", "Billing"),
    field("Mode", mode),
    provisioned,
    isReadOnly ? null : h("p", h("button", { type: "button", onclick: set }, "Change")),
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
