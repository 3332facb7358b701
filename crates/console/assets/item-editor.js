// The editor of an item: as a form, as DynamoDB's JSON, as plain JSON.
import { ask, call } from "./client.js";
import { open } from "./dialog.js";
import { field, h, replace, select, tabs } from "./dom.js";
import { conditionText, creation, edit } from "./item-change.js";
import { designFor, tableOf } from "./model.js";
import { keysOf } from "./table-parts.js";
import { formText, kind, plainItem, readForm, readPlainItem, readTypedItem, TYPES } from "./values.js";

const FORMS = [
  ["form", "Form"],
  ["typed", "DynamoDB JSON"],
  ["plain", "Plain JSON"],
];

/** Opens the editor. Without `stored` the item is a new one. `done` is called with the item once it is written. */
export async function editItem({ table, stored = null, item, entity = null, done }) {
  const known = await designFor(table.TableName);
  const ofModel = tableOf(known, table.TableName);
  const entities = ofModel
    ? known.chart.entity_charts
        .find((chart) => chart.table === ofModel.name && !chart.index)
        ?.rows.map((row) => row.entity)
    : [];
  let now = { ...item };
  let shape = "form";
  const room = h("div.stack");
  const condition = h("div.note.small", { "data-condition": "" });
  const failed = h("div.error", { hidden: true, role: "alert" });
  const save = h("button.primary", { type: "button" }, stored ? "Save" : "Create");
  const entityChoice = select([["", "no entity"], ...(entities ?? []).map((name) => [name, name])], entity ?? "");

  const shapes = {
    form: () => formEditor(table, now, stored),
    typed: () => textEditor("DynamoDB JSON", JSON.stringify(now, null, 2), readTypedItem),
    plain: () =>
      textEditor("Plain JSON", JSON.stringify(plainItem(now), null, 2), (text) =>
        readPlainItem(text, { ...stored, ...now }),
      ),
  };
  let editor = null;

  function draw() {
    editor = shapes[shape]();
    editor.element.addEventListener("input", noted);
    editor.element.addEventListener("change", noted);
    replace(room, editor.element);
    noted();
  }

  /** Takes over what is written; false if it is not an item. */
  function take() {
    try {
      now = editor.read();
      failed.hidden = true;
      return true;
    } catch (error) {
      failed.textContent = error.message;
      failed.hidden = false;
      return false;
    }
  }

  function noted() {
    save.disabled = !take();
    if (save.disabled) return;
    const write = stored ? edit(table, stored, now) : creation(table, now);
    save.disabled = write === null;
    replace(
      condition,
      write ? [h("b", `${write.operation} `), write.sentence, h("pre", conditionText(write))] : "Nothing is changed.",
    );
  }

  async function build() {
    if (!take()) return;
    try {
      const question = { model: known.text, table: table.TableName, entity: entityChoice.value, item: now };
      if (stored) question.stored = stored;
      now = (await ask("build", question)).item;
      draw();
    } catch (error) {
      failed.textContent = error.message;
      failed.hidden = false;
    }
  }

  save.addEventListener("click", async () => {
    const write = stored ? edit(table, stored, now) : creation(table, now);
    save.disabled = true;
    try {
      await call(write.operation, write.request);
      dialog.close();
      done(now);
    } catch (error) {
      const isConflict = ["ConditionalCheckFailedException", "TransactionCanceledException"].includes(error.code);
      failed.textContent = isConflict
        ? `Nothing was written: ${stored ? "the item is no longer as it was read, or its new key is taken" : "there is an item with this key"}. ${error.message}`
        : error.message;
      failed.hidden = false;
      save.disabled = false;
    }
  });

  const keysOfModel = entities?.length
    ? h(
        "div.row",
        field("Entity", entityChoice),
        h(
          "button",
          {
            type: "button",
            onclick: build,
            title: "Builds all keys of the item from its attributes, as the model says",
          },
          "Keys from the model",
        ),
      )
    : null;
  const dialog = open(
    stored ? "Edit item" : "New item",
    [
      keysOfModel,
      tabs("Form of the item", FORMS, shape, (chosen) => {
        if (editor && !take()) return;
        shape = chosen;
        draw();
      }),
      room,
    ],
    [failed, condition, h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"), save],
  );
  draw();
  room.querySelector("input:not([readonly]), textarea")?.focus();
}

function textEditor(label, text, read) {
  const area = h("textarea", { rows: "18", spellcheck: "false", "aria-label": label });
  area.value = text;
  return { element: area, read: () => read(area.value) };
}

function formEditor(table, item, stored) {
  const keys = keysOf(table).map(({ name }) => name);
  const names = [
    ...keys.filter((name) => name in item),
    ...Object.keys(item)
      .filter((name) => !keys.includes(name))
      .sort(),
  ];
  const rows = h(
    "div.stack",
    names.map((name) => attributeRow(name, item[name], keys.includes(name))),
  );
  const element = h("div.stack", rows, h("p", h("button", { type: "button", onclick: add }, "Add attribute")));
  function add() {
    rows.append(attributeRow("", { S: "" }, false));
    rows.lastElementChild.querySelector("input").focus();
  }
  function read() {
    const found = {};
    for (const row of rows.children) {
      const { name, type, text } = row.read();
      if (!name) continue;
      if (name in found) throw new Error(`${name} is there twice`);
      found[name] = readForm(type, text, stored?.[name] ?? item[name]);
    }
    return found;
  }
  return { element, read };
}

function attributeRow(name, value, isKey) {
  const nameInput = h("input.mono", {
    value: name,
    placeholder: "name",
    "aria-label": "Name of the attribute",
    readonly: isKey,
  });
  const type = select(TYPES, kind(value), { "aria-label": `Type of ${name || "the attribute"}` });
  const room = h("div");
  const label = `Value of ${name || "the attribute"}`;
  let control;
  function draw(text) {
    if (type.value === "BOOL")
      control = select(["true", "false"], text === "false" ? "false" : "true", { "aria-label": label });
    else if (type.value === "NULL") control = h("input", { value: "null", disabled: true, "aria-label": label });
    else if (["S", "N", "B"].includes(type.value) && !text.includes("\n"))
      control = h("input.mono", { value: text, "aria-label": label, spellcheck: "false" });
    else {
      control = h("textarea", {
        rows: String(Math.min(10, text.split("\n").length + 1)),
        "aria-label": label,
        spellcheck: "false",
      });
      control.value = text || { M: "{}", L: "[]" }[type.value] || "";
    }
    replace(room, control);
  }
  type.addEventListener("change", () => draw(type.value === "M" || type.value === "L" ? "" : control.value));
  draw(formText(value));
  const row = h(
    "div.editor-row",
    nameInput,
    type,
    room,
    h(
      "button.quiet",
      {
        type: "button",
        "aria-label": `Remove ${name || "the attribute"}`,
        disabled: isKey,
        onclick: () => {
          const list = row.parentElement;
          row.remove();
          list.dispatchEvent(new Event("input", { bubbles: true }));
        },
      },
      "✕",
    ),
  );
  row.read = () => ({ name: nameInput.value, type: type.value, text: control.value });
  return row;
}
