// Tables: all of them, and the making of new ones.
import { address, go } from "./address.js";
import { call, isReadOnly } from "./client.js";
import { open } from "./dialog.js";
import { bytes, check, dataTable, field, h, notify, number, replace, select } from "./dom.js";
import { tableNames } from "./search.js";
import { keyText, statusTag, waitForTable } from "./table-parts.js";

/** How many tables are asked about at once. */
const AT_ONCE = 8;
/** How many tables are described; there may be thousands. */
const DESCRIBED_MAX = 300;

/** Shows the list of tables. */
export async function showTables(room) {
  const names = await tableNames();
  const described = await describeAll(names.slice(0, DESCRIBED_MAX));
  const filter = h("input", { type: "search", placeholder: "Filter", "aria-label": "Filter tables" });
  const body = h("tbody");
  const draw = () => {
    const wanted = filter.value.toLowerCase();
    replace(body, described.filter((table) => table.TableName.toLowerCase().includes(wanted)).map(tableRow));
  };
  filter.addEventListener("input", draw);
  draw();
  replace(
    room,
    h(
      "div.bar",
      h("h1", "Tables"),
      h(
        "span.muted",
        names.length > DESCRIBED_MAX ? `the first ${DESCRIBED_MAX} of ${names.length}` : `${names.length}`,
      ),
      h("span.grow"),
      filter,
      isReadOnly
        ? null
        : h("button.primary", { type: "button", "data-key": "n", onclick: createTable }, "Create table"),
      h("button", { type: "button", "data-key": "r", onclick: () => showTables(room) }, "Refresh"),
    ),
    described.length ? list(body) : empty(),
  );
}

async function describeAll(names) {
  const all = [];
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const some = names
      .slice(at, at + AT_ONCE)
      .map((name) => call("DescribeTable", { TableName: name }).catch(() => null));
    all.push(...(await Promise.all(some)));
  }
  return all.filter(Boolean).map((answer) => answer.Table);
}

function list(body) {
  const numbers = [{ number: "Items" }, { number: "Size" }];
  const titles = ["Name", "Status", "Keys", "Indexes", "Stream", "Billing", ...numbers, { hidden: "Settings" }];
  const onkeydown = (event) => {
    const row = event.target.closest("tr");
    const next = { ArrowDown: row?.nextElementSibling, ArrowUp: row?.previousElementSibling }[event.key];
    if (next) {
      event.preventDefault();
      next.focus();
    } else if (event.key === "Enter" && event.target === row) {
      go(["items", row.dataset.table]);
    }
  };
  return dataTable(titles, body, { onkeydown });
}

function tableRow(table) {
  const indexes = [...(table.GlobalSecondaryIndexes ?? []), ...(table.LocalSecondaryIndexes ?? [])];
  const name = table.TableName;
  return h(
    "tr",
    { tabindex: "0", "data-table": name },
    h("td", h("a", { href: address(["items", name]) }, h("b", name))),
    h("td", statusTag(table.TableStatus)),
    h("td.mono.nowrap", keyText(table.KeySchema, table.AttributeDefinitions)),
    h(
      "td",
      indexes.map((index) => [h("span.tag", index.IndexName), " "]),
    ),
    h(
      "td",
      table.StreamSpecification?.StreamEnabled
        ? table.StreamSpecification.StreamViewType.replaceAll("_", " ").toLowerCase()
        : h("span.muted", "off"),
    ),
    h("td", table.BillingModeSummary?.BillingMode === "PAY_PER_REQUEST" ? "on demand" : "provisioned"),
    h("td.number", number(table.ItemCount)),
    h("td.number", bytes(table.TableSizeBytes)),
    h("td", h("a", { href: address(["tables", name]) }, "Settings")),
  );
}

function empty() {
  return h(
    "div.empty",
    h("p", "There are no tables yet."),
    h(
      "p",
      "Create one here, let an SDK do it, or apply a model in ",
      h("a", { href: address(["design"]) }, "Design"),
      ".",
    ),
  );
}

/** Opens the form for a new table. */
function createTable() {
  const form = {
    name: h("input", { autocomplete: "off", spellcheck: "false" }),
    partition: keyInputs("PK"),
    sort: keyInputs("SK"),
    billing: select([
      ["PAY_PER_REQUEST", "On demand"],
      ["PROVISIONED", "Provisioned, 5 and 5 units"],
    ]),
    stream: select([
      ["", "off"],
      ["KEYS_ONLY", "keys only"],
      ["NEW_IMAGE", "new image"],
      ["OLD_IMAGE", "old image"],
      ["NEW_AND_OLD_IMAGES", "new and old images"],
    ]),
    isProtected: check("Deletion protection", false),
  };
  const indexes = h("div.stack");
  const failed = h("div.error", { hidden: true, role: "alert" });
  const submit = async () => {
    failed.hidden = true;
    try {
      const request = createRequest(form, indexes);
      await call("CreateTable", request);
      await waitForTable(request.TableName);
      dialog.close();
      notify(`${request.TableName} is there`);
      go(["items", request.TableName]);
    } catch (error) {
      failed.textContent = error.message;
      failed.hidden = false;
    }
  };
  const dialog = open(
    "Create table",
    [
      field("Table name", form.name),
      h("div.row", field("Partition key", form.partition.name), field("Type", form.partition.type)),
      h("div.row", field("Sort key, if any", form.sort.name), field("Type", form.sort.type)),
      h("div.row", field("Billing", form.billing), field("Stream", form.stream), form.isProtected),
      indexes,
      h(
        "p",
        h(
          "button",
          { type: "button", onclick: () => indexes.append(indexInputs(indexes.children.length + 1)) },
          "Add global index",
        ),
      ),
      failed,
    ],
    [
      h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
      h("button.primary", { type: "button", onclick: submit }, "Create"),
    ],
  );
  form.name.focus();
}

function keyInputs(name) {
  return {
    name: h("input", { value: name, autocomplete: "off", spellcheck: "false" }),
    type: select([
      ["S", "string"],
      ["N", "number"],
      ["B", "binary"],
    ]),
  };
}

function indexInputs(place) {
  const inputs = {
    name: h("input", { value: `GSI${place}` }),
    partition: keyInputs(`GSI${place}PK`),
    sort: keyInputs(`GSI${place}SK`),
    projection: select([
      ["ALL", "all attributes"],
      ["KEYS_ONLY", "keys only"],
    ]),
  };
  const box = h(
    "fieldset.card",
    h("legend", "Global index"),
    h(
      "div.row",
      field("Name", inputs.name),
      field("Projection", inputs.projection),
      h("button.quiet", { type: "button", onclick: () => box.remove() }, "Remove"),
    ),
    h(
      "div.row",
      field("Partition key", inputs.partition.name),
      field("Type", inputs.partition.type),
      field("Sort key, if any", inputs.sort.name),
      field("Type", inputs.sort.type),
    ),
  );
  box.inputs = inputs;
  return box;
}

function createRequest(form, indexes) {
  const definitions = new Map();
  const schema = (partition, sort) => {
    const keys = [
      [partition, "HASH"],
      [sort, "RANGE"],
    ].filter(([key]) => key.name.value);
    return keys.map(([key, role]) => {
      definitions.set(key.name.value, key.type.value);
      return { AttributeName: key.name.value, KeyType: role };
    });
  };
  const request = {
    TableName: form.name.value,
    KeySchema: schema(form.partition, form.sort),
    BillingMode: form.billing.value,
    DeletionProtectionEnabled: form.isProtected.querySelector("input").checked,
  };
  const units = { ReadCapacityUnits: 5, WriteCapacityUnits: 5 };
  const isProvisioned = form.billing.value === "PROVISIONED";
  if (isProvisioned) request.ProvisionedThroughput = units;
  if (form.stream.value) request.StreamSpecification = { StreamEnabled: true, StreamViewType: form.stream.value };
  const global = [...indexes.children].map(({ inputs }) => ({
    IndexName: inputs.name.value,
    KeySchema: schema(inputs.partition, inputs.sort),
    Projection: { ProjectionType: inputs.projection.value },
    ...(isProvisioned ? { ProvisionedThroughput: units } : {}),
  }));
  if (global.length) request.GlobalSecondaryIndexes = global;
  request.AttributeDefinitions = [...definitions].map(([AttributeName, AttributeType]) => ({
    AttributeName,
    AttributeType,
  }));
  return request;
}
