// A request as Rust: members by setters, members of batches and transactions by builders.

/** Members whose values are words that the SDK has a type for. */
const ENUMS = new Set([
  "ReturnConsumedCapacity",
  "ReturnItemCollectionMetrics",
  "ReturnValues",
  "ReturnValuesOnConditionCheckFailure",
  "Select",
]);
/** Members that are maps of attributes. */
const ATTRIBUTES = new Set(["ExpressionAttributeValues", "Key", "Item", "ExclusiveStartKey"]);

/** The code that sends a request. */
export function rust(operation, request) {
  const types = new Set();
  const lines = setters(request, types).map((line) => `    ${line}`);
  const names = [...types].sort();
  const used = names.length > 1 ? `{${names.join(", ")}}` : names[0];
  const blob = lines.some((line) => line.includes("Blob::new")) ? ["use aws_sdk_dynamodb::primitives::Blob;"] : [];
  return [
    ...blob,
    ...(used ? [`use aws_sdk_dynamodb::types::${used};`] : []),
    ...(blob.length || used ? [""] : []),
    `let config = aws_config::from_env().endpoint_url("${location.origin}").load().await;`,
    "let client = aws_sdk_dynamodb::Client::new(&config);",
    "let answer = client",
    `    .${snake(operation)}()`,
    ...lines,
    "    .send()",
    "    .await?;",
  ].join("\n");
}

function snake(name) {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
}

/** The setters of a request or of a member; `types` gathers what they need. */
function setters(members, types) {
  return Object.entries(members).flatMap(([name, value]) => setter(name, value, types));
}

function setter(name, value, types) {
  const method = `.${snake(name)}`;
  const word = (type) => {
    types.add(type);
    return type;
  };
  if (ENUMS.has(name)) return [`${method}(${word(typeOfEnum(name))}::from(${text(value)}))`];
  if (name === "ExpressionAttributeNames")
    return Object.entries(value).map(([key, one]) => `${method}(${text(key)}, ${text(one)})`);
  if (ATTRIBUTES.has(name))
    return Object.entries(value).map(([key, one]) => `${method}(${text(key)}, ${attribute(one, types)})`);
  if (name === "TransactItems") return value.map((one) => `${method}(${transactItem(one, types)})`);
  if (name === "RequestItems")
    return Object.entries(value).map(([table, one]) => `${method}(${text(table)}, ${requestItems(one, types)})`);
  if (Array.isArray(value) && value.every((one) => typeof one === "string"))
    return value.map((one) => `${method}(${text(one)})`);
  if (Array.isArray(value)) return [`${method}(vec![${value.map((one) => attribute(one, types)).join(", ")}])`];
  return [`${method}(${typeof value === "string" ? text(value) : value})`];
}

function typeOfEnum(name) {
  return { ReturnValues: "ReturnValue" }[name] ?? name;
}

/**
 * A builder with its members; `?` is there where the SDK asks for something that may be missing.
 */
function builder(type, members, types, isChecked = false) {
  types.add(type);
  return `${type}::builder()${setters(members, types).join("")}.build()${isChecked ? "?" : ""}`;
}

/** A member of a transaction: `{ Put: … }`, or of one that reads: `{ Get: … }`. */
function transactItem(member, types) {
  const [kind, given] = Object.entries(member)[0];
  const type = kind === "Get" ? "TransactGetItem" : "TransactWriteItem";
  types.add(type);
  return `${type}::builder().${snake(kind)}(${builder(kind, given, types, true)}).build()`;
}

/** What a batch does in a table: a list of writes, or the keys to read. */
function requestItems(given, types) {
  if (!Array.isArray(given)) {
    const { Keys, ...others } = given;
    types.add("KeysAndAttributes");
    const keys = Keys.map((key) => `.keys(${attributes(key, types)})`).join("");
    return `KeysAndAttributes::builder()${keys}${setters(others, types).join("")}.build()?`;
  }
  const write = (one) => {
    const [kind, members] = Object.entries(one)[0];
    types.add("WriteRequest");
    return `WriteRequest::builder().${snake(kind)}(${builder(kind, members, types, true)}).build()`;
  };
  return `vec![${given.map(write).join(", ")}]`;
}

function attributes(map, types) {
  const pairs = Object.entries(map).map(([name, one]) => `(${owned(name)}, ${attribute(one, types)})`);
  return `[${pairs.join(", ")}].into()`;
}

function attribute(value, types) {
  types.add("AttributeValue");
  const [type, content] = Object.entries(value)[0];
  const list = (write) => `vec![${content.map(write).join(", ")}]`;
  switch (type) {
    case "S":
    case "N":
      return `AttributeValue::${type}(${owned(content)})`;
    case "B":
      return `AttributeValue::B(${blob(content)})`;
    case "BOOL":
      return `AttributeValue::Bool(${content})`;
    case "NULL":
      return "AttributeValue::Null(true)";
    case "SS":
    case "NS":
      return `AttributeValue::${type === "SS" ? "Ss" : "Ns"}(${list(owned)})`;
    case "BS":
      return `AttributeValue::Bs(${list(blob)})`;
    case "L":
      return `AttributeValue::L(${list((one) => attribute(one, types))})`;
    default:
      return Object.keys(content).length
        ? `AttributeValue::M(${attributes(content, types)})`
        : "AttributeValue::M(Default::default())";
  }
}

function owned(value) {
  return `${text(value)}.to_owned()`;
}

/**
 * A text between quotes. Characters that do not show are written by their numbers, as Rust does.
 */
function text(value) {
  const escape = (one) => {
    if (one === '"' || one === "\\") return `\\${one}`;
    return one < " " || /\p{Cf}|[\u007f\u2028\u2029]/u.test(one) ? `\\u{${one.codePointAt(0).toString(16)}}` : one;
  };
  return `"${[...value].map(escape).join("")}"`;
}

/** Bytes as a literal. */
function blob(base64) {
  const hex = [...atob(base64)].map((byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, "0")}`);
  return `Blob::new(*b"${hex.join("")}")`;
}
