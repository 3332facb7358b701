// The making of a table: by a form, or as the request that it means.
import { go } from "./address.js";
import { call } from "./client.js";
import { open } from "./dialog.js";
import { check, field, h, notify, replace, select, tabs } from "./dom.js";
import { waitForTable } from "./table-parts.js";

const SHAPES = [
  ["form", "Form"],
  ["json", "JSON"],
];

/** Opens the form for a new table. */
export function createTable() {
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
    indexes: h("div.stack"),
  };
  const shapes = { form: formShape(form), json: jsonShape(() => createRequest(form)) };
  let shape = "form";
  const room = h("div.stack", shapes.form.element);
  const choose = (chosen) => {
    shape = chosen;
    shapes[shape].show?.();
    replace(room, shapes[shape].element);
  };
  const failed = h("div.error", { hidden: true, role: "alert" });
  const submit = async () => {
    failed.hidden = true;
    try {
      const request = shapes[shape].read();
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
    [tabs("Form of the table", SHAPES, shape, choose), room, failed],
    [
      h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
      h("button.primary", { type: "button", onclick: submit }, "Create"),
    ],
    {},
    true,
  );
  form.name.focus();
}

function formShape(form) {
  const add = () => form.indexes.append(indexInputs(form.indexes.children.length + 1));
  const element = h(
    "div.stack",
    field("Table name", form.name),
    h("div.row", field("Partition key", form.partition.name), field("Type", form.partition.type)),
    h("div.row", field("Sort key, if any", form.sort.name), field("Type", form.sort.type)),
    h("div.row", field("Billing", form.billing), field("Stream", form.stream), form.isProtected),
    form.indexes,
    h("p", h("button", { type: "button", onclick: add }, "Add global index")),
  );
  return { element, read: () => createRequest(form) };
}

/** The request itself: for all that the form has no fields for. */
function jsonShape(requestOfForm) {
  const area = h("textarea", { rows: "20", spellcheck: "false", "aria-label": "Request of CreateTable" });
  let given = null;
  return {
    element: h(
      "div.stack",
      h(
        "p.muted.small",
        "The request as CreateTable takes it: local and vector indexes, keys of several attributes, other projections.",
      ),
      area,
    ),
    /** What the form says, unless somebody has written something else here. */
    show() {
      if (given !== null && area.value !== given) return;
      given = JSON.stringify(requestOfForm(), null, 2);
      area.value = given;
    },
    read: () => JSON.parse(area.value),
  };
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

function createRequest(form) {
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
  const global = [...form.indexes.children].map(({ inputs }) => ({
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
