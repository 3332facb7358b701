// Calls functions of generated TypeScript modules: a request a line on standard input, an answer a
// line on standard output. What goes to the server and what comes back is part of the answer.
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";

import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import { marshall, unmarshall } from "@aws-sdk/util-dynamodb";

const inner = new NodeHttpHandler();
let calls = [];
let kept = {};

/** Notes each exchange, and puts in what a caller chooses for each call. */
const requestHandler = {
  async handle(request, options) {
    const sent = { ...JSON.parse(request.body), ...kept };
    request.body = JSON.stringify(sent);
    request.headers["content-length"] = String(Buffer.byteLength(request.body));
    const { response } = await inner.handle(request, options);
    const chunks = [];
    for await (const chunk of response.body) {
      chunks.push(chunk);
    }
    const body = Buffer.concat(chunks);
    response.body = Readable.from([body]);
    const operation = request.headers["x-amz-target"].split(".")[1];
    calls.push({ operation, sent, answer: JSON.parse(body.toString()) });
    return { response };
  },
};

const client = new DynamoDBClient({
  endpoint: process.env.MONOTABLE_ENDPOINT,
  region: "us-east-1",
  credentials: { accessKeyId: "test", secretAccessKey: "test" },
  maxAttempts: 1,
  requestHandler,
});
const db = { client: DynamoDBDocumentClient.from(client) };

const normal = (name) => name.replace(/[^A-Za-z0-9]/g, "").toLowerCase();

/** Sorts members, so that equal values are equal texts. */
const sorted = (value) => {
  if (value instanceof Set) {
    return { set: [...value].sort() };
  }
  if (Array.isArray(value)) {
    return value.map(sorted);
  }
  if (value !== null && typeof value === "object") {
    return Object.fromEntries(Object.keys(value).sort().map((name) => [name, sorted(value[name])]));
  }
  return value;
};

/** The operations of an entity. */
const operationsOf = (module, entity) =>
  Object.entries(module).find(([name]) => normal(name) === normal(`${entity}Entity`))?.[1];

/** The function of an access pattern. */
const functionOf = (module, pattern) => {
  const names = Object.keys(module).filter((name) => normal(name) === normal(pattern));
  return names.map((name) => module[name]).find((one) => typeof one === "function");
};

const plain = (value) => unmarshall({ value }).value;

/** Whether an item is the same after it was read and built again. */
function rebuilt(module, { entity, item }) {
  const operations = operationsOf(module, entity);
  const stored = unmarshall(item);
  const built = operations.item(operations.read(stored));
  const same = JSON.stringify(sorted(built)) === JSON.stringify(sorted(stored));
  return same && operations.matches(stored) ? null : { stored, built, matches: operations.matches(stored) };
}

async function call(module, request) {
  const found = functionOf(module, request.pattern);
  if (found === undefined) {
    return { missing: true };
  }
  const parameters = plain({ M: request.arguments });
  const page = { ...request.page };
  if (page.key !== undefined) {
    page.from = { request: page.request ?? 0, key: unmarshall(page.key) };
  } else if (page.request !== undefined) {
    page.from = { request: page.request };
  }
  const takes = Object.keys(parameters).length > 0;
  return answered(() => (takes ? found(db, parameters, page) : found(db, page)), request.kept);
}

/** Does something with one item, or several things in a transaction. */
function perform(module, actions) {
  const done = ({ entity, operation, given }) =>
    operationsOf(module, entity)[operation](db, ...given.map(plain));
  return actions.length === 1 ? done(actions[0]) : module.transact(db, actions.map(done));
}

/** All rows of an access pattern, read in pages. */
async function every(module, request) {
  const [read, parameters] = [functionOf(module, request.every), plain({ M: request.arguments })];
  const found = [];
  for await (const row of module.every((page) => read(db, parameters, { ...request.page, ...page }))) {
    found.push(row);
  }
  return found;
}

/** What a call gives, or how it fails. */
async function answered(work, put = {}) {
  calls = [];
  kept = put;
  try {
    const result = await work();
    return { calls, result: rows(result) };
  } catch (error) {
    if (calls.length === 0) {
      return { failure: String(error) };
    }
    const reasons = (error.CancellationReasons ?? []).map((reason) => reason.Code);
    return { calls, error: { code: error.name, reasons } };
  }
}

/** The rows of a result, in the service's JSON. */
function rows(result) {
  if (result === undefined) {
    return [];
  }
  const list = Array.isArray(result) ? result : "rows" in result && Array.isArray(result.rows) ? result.rows : [result];
  return list.map((row) => marshall("entity" in row && "item" in row ? row.item : row));
}

function answerTo(module, request) {
  if (request.items) {
    return { wrong: request.items.map((one) => rebuilt(module, one)).filter((one) => one !== null) };
  }
  if (request.actions) {
    return answered(async () => perform(module, request.actions));
  }
  return request.every ? answered(() => every(module, request)) : call(module, request);
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  const module = await import(pathToFileURL(request.module));
  const answer = await answerTo(module, request);
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
