// The fields of a global index: its name, keys of one or several attributes, what it copies, and
// its units.
import { field, h, replace, select } from "./dom.js";

/** Attributes that each part of the key of an index may have. */
const ATTRIBUTES_MAX = 4;
const UNITS = 5;
const INCLUDE = "INCLUDE";
const PROJECTIONS = [
  ["ALL", "all attributes"],
  ["KEYS_ONLY", "keys only"],
  [INCLUDE, "keys and these"],
];

/** The inputs of an attribute of a key: its name and its type. */
export function keyInputs(name) {
  return {
    name: h("input", { value: name, autocomplete: "off", spellcheck: "false" }),
    type: select([
      ["S", "string"],
      ["N", "number"],
      ["B", "binary"],
    ]),
  };
}

/** Inputs of read and write units; `read` gives them as a request has them. */
export function unitInputs({ read = UNITS, write = UNITS } = {}, attributes = {}) {
  const input = (value) => h("input", { type: "number", min: "1", value: String(value), ...attributes });
  const [reads, writes] = [input(read), input(write)];
  return {
    element: h("div.row.units", field("Read units", reads), field("Write units", writes)),
    read: () => ({ ReadCapacityUnits: Number(reads.value), WriteCapacityUnits: Number(writes.value) }),
  };
}

/**
 * The form of an index, empty or with names to begin with: its `element`, and `read`, which gives
 * the index as a request has it, with the definitions of the attributes of its keys. Only of a
 * provisioned table an index has units; `draw` is called when that changes.
 */
export function indexForm(isProvisioned, names = {}) {
  const name = h("input", { value: names.index ?? "", autocomplete: "off", spellcheck: "false" });
  const projection = select(PROJECTIONS, "ALL", { onchange: draw });
  const included = h("input.mono", { autocomplete: "off", spellcheck: "false" });
  const copied = field("Attributes, by commas", included, { class: "grow" });
  const partition = keyPart("partition key", "HASH", names.partition ?? "");
  const sort = keyPart("sort key", "RANGE", names.sort ?? "");
  const units = unitInputs();
  function draw() {
    copied.hidden = projection.value !== INCLUDE;
    units.element.hidden = !isProvisioned();
  }
  function read() {
    const keys = [...partition.read(), ...sort.read()];
    const Projection = { ProjectionType: projection.value };
    if (projection.value === INCLUDE)
      Projection.NonKeyAttributes = included.value
        .split(",")
        .map((one) => one.trim())
        .filter(Boolean);
    const index = { IndexName: name.value, KeySchema: keys.map(({ key }) => key), Projection };
    if (isProvisioned()) index.ProvisionedThroughput = units.read();
    return { index, definitions: keys.map(({ definition }) => definition) };
  }
  draw();
  const element = h(
    "div.stack",
    h("div.row", field("Name", name), field("Projection", projection), copied),
    partition.element,
    sort.element,
    units.element,
  );
  return { element, read, draw };
}

/** One of the two parts of a key: an attribute, and more of them if they are wanted. */
function keyPart(part, KeyType, first) {
  const title = KeyType === "HASH" ? "Partition key" : "Sort key, if any";
  const attributes = [keyInputs(first)];
  const element = h("div.row");
  const add = h(
    "button.quiet",
    { type: "button", onclick: more },
    "+",
    h("span.visually-hidden", `Attribute of the ${part}`),
  );
  function more() {
    attributes.push(keyInputs(""));
    draw();
    attributes.at(-1).name.focus();
  }
  function draw() {
    const fields = attributes.map((inputs, place) => [
      field(place ? `${title}, ${place + 1}` : title, inputs.name),
      field("Type", inputs.type),
    ]);
    add.hidden = attributes.length === ATTRIBUTES_MAX;
    replace(element, fields, add);
  }
  draw();
  const given = () => attributes.filter(({ name }) => name.value);
  const read = () =>
    given().map(({ name: { value: AttributeName }, type }) => ({
      key: { AttributeName, KeyType },
      definition: { AttributeName, AttributeType: type.value },
    }));
  return { element, read };
}
