// The making of a table: by a form, or as the request that it means.
import { go } from "./address.js";
import { call } from "./client.js";
import { open } from "./dialog.js";
import { check, field, h, notify, replace, select, tabs } from "./dom.js";
import { indexForm, keyInputs } from "./index-form.js";
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
    create.disabled = true;
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
      create.disabled = false;
    }
  };
  const create = h("button.primary", { type: "button", onclick: submit }, "Create");
  const dialog = open(
    "Create table",
    [tabs("Form of the table", SHAPES, shape, choose), room, failed],
    [h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"), create],
    {},
    true,
  );
  form.name.focus();
}

function formShape(form) {
  const isProvisioned = () => form.billing.value === "PROVISIONED";
  const add = () => form.indexes.append(indexBox(form.indexes.children.length + 1, isProvisioned));
  form.billing.addEventListener("change", () => [...form.indexes.children].forEach((box) => box.index.draw()));
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
        "The request as CreateTable takes it, with all that the form has no fields for: local and vector indexes.",
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

/** The fields of an index of the table. */
function indexBox(place, isProvisioned) {
  const names = { index: `GSI${place}`, partition: `GSI${place}PK`, sort: `GSI${place}SK` };
  const form = indexForm(isProvisioned, names);
  const box = h(
    "fieldset.card",
    h("legend", "Global index"),
    form.element,
    h("p", h("button.quiet", { type: "button", onclick: () => box.remove() }, "Remove")),
  );
  box.index = form;
  return box;
}

function createRequest(form) {
  const keys = [
    [form.partition, "HASH"],
    [form.sort, "RANGE"],
  ].filter(([key]) => key.name.value);
  const indexes = [...form.indexes.children].map((box) => box.index.read());
  const types = new Map(keys.map(([key]) => [key.name.value, key.type.value]));
  for (const { AttributeName, AttributeType } of indexes.flatMap(({ definitions }) => definitions))
    types.set(AttributeName, AttributeType);
  const request = {
    TableName: form.name.value,
    KeySchema: keys.map(([key, KeyType]) => ({ AttributeName: key.name.value, KeyType })),
    BillingMode: form.billing.value,
    DeletionProtectionEnabled: form.isProtected.querySelector("input").checked,
  };
  if (form.billing.value === "PROVISIONED")
    request.ProvisionedThroughput = { ReadCapacityUnits: 5, WriteCapacityUnits: 5 };
  if (form.stream.value) request.StreamSpecification = { StreamEnabled: true, StreamViewType: form.stream.value };
  if (indexes.length) request.GlobalSecondaryIndexes = indexes.map(({ index }) => index);
  request.AttributeDefinitions = [...types].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }));
  return request;
}
