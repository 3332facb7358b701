// A request as code: for the AWS CLI, boto3, JavaScript and Rust.

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

function snake(name) {
  return kebab(name).replaceAll("-", "_");
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

function python(operation, request) {
  const members = Object.entries(request).map(([name, value]) => `    ${name}=${literal(value, 1)},`);
  return [
    "import boto3",
    "",
    `client = boto3.client("dynamodb", endpoint_url="${location.origin}")`,
    `answer = client.${snake(operation)}(`,
    ...members,
    ")",
  ].join("\n");
}

/** A value as Python writes it. */
function literal(value, depth) {
  if (value === true) return "True";
  if (value === false) return "False";
  if (value === null) return "None";
  if (typeof value !== "object") return JSON.stringify(value);
  const indent = "    ".repeat(depth);
  if (Array.isArray(value)) return `[${value.map((one) => literal(one, depth + 1)).join(", ")}]`;
  const members = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${literal(one, depth + 1)}`);
  const line = `{${members.join(", ")}}`;
  return line.length < 80 ? line : `{\n${members.map((member) => `${indent}    ${member},`).join("\n")}\n${indent}}`;
}

function javascript(operation, request) {
  return [
    `import { DynamoDBClient, ${operation}Command } from "@aws-sdk/client-dynamodb";`,
    "",
    `const client = new DynamoDBClient({ endpoint: "${location.origin}" });`,
    `const answer = await client.send(new ${operation}Command(${JSON.stringify(request, null, 2)}));`,
  ].join("\n");
}

function rust(operation, request) {
  const lines = Object.entries(request).flatMap(([name, value]) => setters(snake(name), value));
  return [
    "use aws_sdk_dynamodb::types::AttributeValue;",
    "",
    `let config = aws_config::from_env().endpoint_url("${location.origin}").load().await;`,
    "let client = aws_sdk_dynamodb::Client::new(&config);",
    "let answer = client",
    `    .${snake(operation)}()`,
    ...lines.map((line) => `    ${line}`),
    "    .send()",
    "    .await?;",
  ].join("\n");
}

/** Maps are set member by member, all else at once. */
function setters(name, value) {
  if (name === "expression_attribute_names") {
    return Object.entries(value).map(([key, text]) => `.${name}(${JSON.stringify(key)}, ${JSON.stringify(text)})`);
  }
  if (["expression_attribute_values", "key", "item", "exclusive_start_key"].includes(name)) {
    return Object.entries(value).map(([key, one]) => `.${name}(${JSON.stringify(key)}, ${rustValue(one)})`);
  }
  if (typeof value === "object") return [`// ${name}: ${JSON.stringify(value)}`];
  return [`.${name}(${JSON.stringify(value)})`];
}

function rustValue(value) {
  const [type, content] = Object.entries(value)[0];
  const text = (one) => `${JSON.stringify(one)}.to_owned()`;
  switch (type) {
    case "S":
    case "N":
      return `AttributeValue::${type}(${text(content)})`;
    case "BOOL":
      return `AttributeValue::Bool(${content})`;
    case "NULL":
      return "AttributeValue::Null(true)";
    case "SS":
    case "NS":
      return `AttributeValue::${type === "SS" ? "Ss" : "Ns"}(vec![${content.map(text).join(", ")}])`;
    case "L":
      return `AttributeValue::L(vec![${content.map(rustValue).join(", ")}])`;
    case "M":
      return `AttributeValue::M([${Object.entries(content)
        .map(([key, one]) => `(${text(key)}, ${rustValue(one)})`)
        .join(", ")}].into())`;
    default:
      return `AttributeValue::B(/* ${content} */)`;
  }
}
