// Attribute values: DynamoDB's JSON, plain JSON, and what people read.

export const TYPES = ["S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS"];

/** The type of a value in DynamoDB's JSON. */
export function kind(value) {
  return Object.keys(value)[0];
}

/** An attribute of an item, which may be called like a member of all objects. */
export function attribute(item, name) {
  return Object.hasOwn(item, name) ? item[name] : undefined;
}

/** A value in a line. */
export function display(value) {
  const [type, content] = Object.entries(value)[0];
  switch (type) {
    case "S":
    case "N":
    case "B":
      return content;
    case "BOOL":
      return String(content);
    case "NULL":
      return "null";
    default:
      return JSON.stringify(plain(value));
  }
}

/** A value as plain JSON. Digits that JavaScript would lose are kept where the browser can. */
export function plain(value) {
  const [type, content] = Object.entries(value)[0];
  switch (type) {
    case "N":
      return plainNumber(content);
    case "NULL":
      return null;
    case "M":
      return plainItem(content);
    case "L":
      return content.map(plain);
    case "NS":
      return content.map(plainNumber);
    default:
      return content;
  }
}

/** An item as plain JSON. */
export function plainItem(item) {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, plain(value)]));
}

function plainNumber(text) {
  const value = Number(text);
  if (String(value) === text || !JSON.rawJSON) return value;
  return JSON.rawJSON(text);
}

/**
 * Reads plain JSON as an item. Where the stored item has a set or binary value of that shape, it
 * stays one.
 */
export function readPlainItem(text, stored = {}) {
  const parsed = parseExactly(text);
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))
    throw new Error("an item is a JSON object");
  return typedItem(parsed, stored);
}

function typedItem(plainValues, stored) {
  return Object.fromEntries(
    Object.entries(plainValues).map(([name, value]) => [name, typed(value, attribute(stored ?? {}, name))]),
  );
}

/** A plain value with its type. */
export function typed(value, stored) {
  if (value instanceof Digits) return { N: value.text };
  if (value === null) return { NULL: true };
  if (typeof value === "boolean") return { BOOL: value };
  if (typeof value === "string") return stored?.B !== undefined ? { B: value } : { S: value };
  if (Array.isArray(value)) return typedList(value, stored);
  return { M: typedItem(value, stored?.M) };
}

function typedList(value, stored) {
  const isText = value.every((one) => typeof one === "string");
  const isNumber = value.every((one) => one instanceof Digits);
  const isSet = ["SS", "NS", "BS"].some((type) => stored?.[type] !== undefined);
  if (isSet && !value.length) throw new Error("a set has a member at least: for an empty list, use DynamoDB JSON");
  if (value.length && stored?.SS && isText) return { SS: value };
  if (value.length && stored?.BS && isText) return { BS: value };
  if (value.length && stored?.NS && isNumber) return { NS: value.map((one) => one.text) };
  return { L: value.map((one, place) => typed(one, stored?.L?.[place])) };
}

/** The digits of a number as they were written. */
class Digits {
  constructor(text) {
    this.text = text;
  }
}

function parseExactly(text) {
  return JSON.parse(text, (_, value, context) =>
    typeof value === "number" ? new Digits(context?.source ?? String(value)) : value,
  );
}

/** Reads DynamoDB's JSON as an item. */
export function readTypedItem(text) {
  const parsed = JSON.parse(text);
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))
    throw new Error("an item is a JSON object");
  for (const [name, value] of Object.entries(parsed)) {
    const types = value && typeof value === "object" ? Object.keys(value) : [];
    if (types.length !== 1 || !TYPES.includes(types[0]))
      throw new Error(`${name} has no type: write {"S": …} or the like`);
  }
  return parsed;
}

/** What a form shows of a value, and reads back with its type. */
export function formText(value) {
  const [type, content] = Object.entries(value)[0];
  if (["S", "N", "B"].includes(type)) return content;
  if (type === "BOOL") return String(content);
  if (type === "NULL") return "";
  if (["SS", "NS", "BS"].includes(type)) return content.join("\n");
  return JSON.stringify(plain(value), null, 2);
}

/** Reads what a form says as a value of a type. */
export function readForm(type, text, stored) {
  switch (type) {
    case "S":
    case "N":
    case "B":
      return { [type]: text };
    case "BOOL":
      return { BOOL: text === "true" };
    case "NULL":
      return { NULL: true };
    case "SS":
    case "NS":
    case "BS":
      return { [type]: text.split("\n").filter((line) => line !== "") };
    default: {
      const value = typed(parseExactly(text), stored);
      if (kind(value) !== type) throw new Error(`this is no ${type === "M" ? "map" : "list"}`);
      return value;
    }
  }
}

/** Whether two values are the same. */
export function isSame(left, right) {
  return canonical(left) === canonical(right);
}

function canonical(value) {
  if (value === undefined) return "";
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  return `{${Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`)
    .join()}}`;
}

/** The size of an item as the service counts it, near enough for people. */
export function sizeOf(item) {
  const text = (value) => new TextEncoder().encode(value).length;
  const size = (value) => {
    const [type, content] = Object.entries(value)[0];
    switch (type) {
      case "S":
        return text(content);
      case "N":
        return Math.ceil(content.replace(/[-.+]|e.*$/gi, "").length / 2) + 1;
      case "B":
        return Math.floor((content.length * 3) / 4);
      case "SS":
        return content.reduce((sum, one) => sum + text(one), 0);
      case "NS":
        return content.reduce((sum, one) => sum + size({ N: one }), 0);
      case "BS":
        return content.reduce((sum, one) => sum + size({ B: one }), 0);
      case "L":
        return 3 + content.reduce((sum, one) => sum + 1 + size(one), 0);
      case "M":
        return 3 + Object.entries(content).reduce((sum, [name, one]) => sum + 1 + text(name) + size(one), 0);
      default:
        return 1;
    }
  };
  return Object.entries(item).reduce((sum, [name, value]) => sum + text(name) + size(value), 0);
}
