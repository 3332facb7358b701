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

/** Whether an item is the same after it was read and built again. */
function rebuilt(module, { entity, item }) {
  const operations = Object.entries(module).find(([name]) => normal(name) === normal(`${entity}Entity`))?.[1];
  const stored = unmarshall(item);
  const built = operations.item(operations.read(stored));
  const same = JSON.stringify(sorted(built)) === JSON.stringify(sorted(stored));
  return same && operations.matches(stored) ? null : { stored, built, matches: operations.matches(stored) };
}

async function call(module, request) {
  const names = Object.keys(module).filter((name) => normal(name) === normal(request.pattern));
  const found = names.map((name) => module[name]).find((one) => typeof one === "function");
  if (found === undefined) {
    return { missing: true };
  }
  const parameters = unmarshall({ p: { M: request.arguments } }).p;
  const page = { ...request.page };
  if (page.key !== undefined) {
    page.from = { request: page.request ?? 0, key: unmarshall(page.key) };
  } else if (page.request !== undefined) {
    page.from = { request: page.request };
  }
  calls = [];
  kept = request.kept;
  try {
    const takes = Object.keys(parameters).length > 0;
    const result = await (takes ? found(db, parameters, page) : found(db, page));
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

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  const module = await import(pathToFileURL(request.module));
  const answer = request.items
    ? { wrong: request.items.map((one) => rebuilt(module, one)).filter((one) => one !== null) }
    : await call(module, request);
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
