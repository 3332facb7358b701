// Models of other tools' files and of running tables, and models in the formats of other tools.
import { ask, call } from "./client.js";
import { open } from "./dialog.js";
import { copy, download, field, h, notify, replace, rounds, select } from "./dom.js";
import { tableNames } from "./search.js";
import { describe } from "./table-parts.js";

/** Items of a table that entities are found from. */
const SAMPLE = 1000;

/**
 * Formats that a model is written in: what the server calls them, what people do, and the end of a
 * file's name.
 */
const FORMATS = [
  ["cloudformation", "CloudFormation, YAML", "yaml"],
  ["cloudformation-json", "CloudFormation, JSON", "json"],
  ["terraform", "Terraform", "tf"],
  ["cdk-json", "CDK", "json"],
  ["create-table", "CreateTable", "json"],
  ["workbench", "NoSQL Workbench", "json"],
  ["onetable", "OneTable", "json"],
  ["electrodb", "ElectroDB", "ts"],
  ["schema-json", "schema.json of AWS's MCP server", "json"],
  ["json-schema", "JSON Schema of the items", "json"],
  ["rust", "Rust", "rs"],
  ["typescript", "TypeScript", "ts"],
  ["python", "Python", "py"],
];

/**
 * The text of the model that a file holds; files of other tools are converted, and what that lost
 * is shown.
 */
export async function readFile(file) {
  const { model, format, notes } = await ask("import", { name: file.name, text: await file.text() });
  if (format) showNotes(`Read as ${nameOf(format)}`, notes);
  return model;
}

function nameOf(format) {
  return FORMATS.find(([name]) => name === format)?.[1] ?? format;
}

/** Says what is a guess or has no place in the other format. */
function showNotes(title, notes) {
  if (!notes.length) return notify(title);
  return open(title, [h("p", "What could not be carried over, and what is a guess:"), noteList(notes)]);
}

function noteList(notes) {
  const note = ({ place, message }) => h("li", place ? h("code", place) : null, place ? ": " : "", message);
  return h("ul", notes.map(note));
}

/** Lets the user choose a running table, and makes a model of what its items show. */
export async function openTable(take) {
  const names = await tableNames();
  if (!names.length) return notify("There are no tables yet.", true);
  const choice = select(names, names[0]);
  const failed = h("div.error", { hidden: true, role: "alert" });
  const find = async (event) => {
    event.target.disabled = true;
    try {
      const { model, notes } = await modelOfTable(choice.value);
      dialog.close();
      take(model);
      showNotes(`A model of ${choice.value}`, notes);
    } catch (error) {
      replace(failed, error.message);
      failed.hidden = false;
      event.target.disabled = false;
    }
  };
  const dialog = open(
    "Model of a table",
    [
      h("p", "Its entities, and the templates of their keys, are found from up to 1,000 of its items."),
      field("Table", choice),
      failed,
    ],
    [
      h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
      h("button.primary", { type: "button", onclick: find }, "Find the model"),
    ],
    { class: "narrow" },
  );
  return dialog;
}

async function modelOfTable(name) {
  const [Table, { TimeToLiveDescription: expiry }, { Items }] = await Promise.all([
    describe(name),
    call("DescribeTimeToLive", { TableName: name }),
    call("Scan", { TableName: name, Limit: SAMPLE }),
  ]);
  const ttl = expiry.TimeToLiveStatus === "ENABLED" ? expiry.AttributeName : null;
  return ask("infer", { table: { Table, ttl }, items: Items });
}

/** Shows the model in another format, to be copied or saved. */
export function exportModel({ text, name }) {
  const format = select(
    FORMATS.map(([key, title]) => [key, title]),
    FORMATS[0][0],
    { onchange: draw },
  );
  const code = h("pre");
  const notes = h("div");
  let written = "";
  const begin = rounds();
  async function draw() {
    const isWanted = begin();
    try {
      const answer = await ask("export", { model: text, format: format.value });
      if (!isWanted()) return;
      written = answer.text;
      code.textContent = written;
      replace(
        notes,
        answer.notes.length ? [h("p.muted", "What this format cannot say:"), noteList(answer.notes)] : null,
      );
    } catch (error) {
      notify(error.message, true);
    }
  }
  const save = () => {
    const [, , extension] = FORMATS.find(([key]) => key === format.value);
    download(`${name}.${extension}`, "text/plain", written);
  };
  open(
    "Export",
    [
      field("Format", format),
      h("div.code", { tabindex: "0", role: "region", "aria-label": "Exported model" }, code),
      notes,
    ],
    [
      h("button", { type: "button", onclick: () => copy(code) }, "Copy"),
      h("button.primary", { type: "button", onclick: save }, "Save"),
    ],
  );
  return draw();
}
