// A request as code: for the AWS CLI, boto3, JavaScript and Rust.
import { rust } from "./code-rust.js";

export const LANGUAGES = [
  ["cli", "AWS CLI"],
  ["python", "boto3"],
  ["javascript", "JavaScript"],
  ["rust", "Rust"],
];

/** The code that sends a request. */
export function codeOf(language, operation, request) {
  const members = Object.fromEntries(Object.entries(request).filter(([name]) => name !== "ReturnConsumedCapacity"));
  return { cli, python, javascript, rust }[language](operation, members);
}

function kebab(name) {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase();
}

function shell(text) {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

function cli(operation, request) {
  const option = ([name, value]) => {
    if (value === true) return `--${kebab(name)}`;
    if (value === false) return `--no-${kebab(name)}`;
    // The CLI calls its own paging --limit otherwise, and reads all pages unless it is told not to.
    const text = typeof value === "object" ? JSON.stringify(value) : String(value);
    return `--${kebab(name)} ${shell(text)}`;
  };
  const endpoint = `--endpoint-url ${location.origin}`;
  const paging = ["Query", "Scan"].includes(operation) ? ["--no-paginate"] : [];
  const options = [...Object.entries(request).map(option), ...paging, endpoint];
  return `aws dynamodb ${kebab(operation)} \\\n    ${options.join(" \\\n    ")}`;
}

/**
 * How a language writes bytes, which requests have in base64: a member `B` that is a text, or `BS`
 * that is a list of texts. Attributes of that name are maps, never texts.
 */
function withBytes(members, write, bytes) {
  const isText = (value) => typeof value === "string";
  return members.map(([name, value]) => {
    if (name === "B" && isText(value)) return [name, bytes(value)];
    if (name === "BS" && Array.isArray(value) && value.every(isText)) return [name, `[${value.map(bytes).join(", ")}]`];
    return [name, write(value)];
  });
}

function hasBytes(value) {
  if (value === null || typeof value !== "object") return false;
  return Object.entries(value).some(
    ([name, one]) =>
      (name === "B" && typeof one === "string") || (name === "BS" && Array.isArray(one)) || hasBytes(one),
  );
}

function python(operation, request) {
  const bytes = (text) => `base64.b64decode(${JSON.stringify(text)})`;
  const members = Object.entries(request).map(([name, value]) => `    ${name}=${literal(value, 1, bytes)},`);
  const method = kebab(operation).replaceAll("-", "_");
  return [
    ...(hasBytes(request) ? ["import base64", ""] : []),
    "import boto3",
    "",
    `client = boto3.client("dynamodb", endpoint_url="${location.origin}")`,
    `answer = client.${method}(`,
    ...members,
    ")",
  ].join("\n");
}

/** A value as Python writes it. */
function literal(value, depth, bytes) {
  if (value === true) return "True";
  if (value === false) return "False";
  if (value === null) return "None";
  if (typeof value !== "object") return JSON.stringify(value);
  const write = (one) => literal(one, depth + 1, bytes);
  if (Array.isArray(value)) return `[${value.map(write).join(", ")}]`;
  const members = withBytes(Object.entries(value), write, bytes).map(
    ([name, one]) => `${JSON.stringify(name)}: ${one}`,
  );
  const line = `{${members.join(", ")}}`;
  const indent = "    ".repeat(depth);
  return line.length < 80 ? line : `{\n${members.map((member) => `${indent}    ${member},`).join("\n")}\n${indent}}`;
}

function javascript(operation, request) {
  return [
    `import { DynamoDBClient, ${operation}Command } from "@aws-sdk/client-dynamodb";`,
    "",
    `const client = new DynamoDBClient({ endpoint: "${location.origin}" });`,
    `const answer = await client.send(new ${operation}Command(${object(request, "")}));`,
  ].join("\n");
}

/** A value as JavaScript writes it. */
function object(value, indent) {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const inner = `${indent}  `;
  const write = (one) => object(one, inner);
  const bytes = (text) => `Buffer.from(${JSON.stringify(text)}, "base64")`;
  const isList = Array.isArray(value);
  const [open, close] = isList ? "[]" : "{}";
  const members = isList
    ? value.map(write)
    : withBytes(Object.entries(value), write, bytes).map(([name, one]) => `${JSON.stringify(name)}: ${one}`);
  if (!members.length) return open + close;
  return `${open}\n${members.map((member) => inner + member).join(",\n")}\n${indent}${close}`;
}
