// Requests as code: a shell, Python, JavaScript and Rust take them as they are.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";

import { launch } from "./chromium.js";
import { close, openConsole, visit } from "./console.js";
import { start } from "./server.js";

const KEY = { pk: { S: 'it\'s "a" \\b\u0007 \u00e9' }, sk: { B: "AAH/" } };
const ITEM = {
  ...KEY,
  n: { N: "1.5" },
  flag: { BOOL: true },
  nothing: { NULL: true },
  blobs: { BS: ["AAH/", "QQ=="] },
  texts: { SS: ["a", "b"] },
  numbers: { NS: ["1"] },
  list: { L: [{ B: "AAH/" }, { M: {} }] },
  map: { M: { B: { B: "QQ==" }, BS: { S: "text" } } },
};
const CONDITION = {
  ConditionExpression: "attribute_not_exists(#k)",
  ExpressionAttributeNames: { "#k": "pk" },
};
/** Requests as the console shows them. */
const REQUESTS = [
  [
    "Query",
    {
      TableName: "things",
      KeyConditionExpression: "#k = :v AND sk > :b",
      ExpressionAttributeNames: { "#k": "pk" },
      ExpressionAttributeValues: { ":v": KEY.pk, ":b": KEY.sk },
      ScanIndexForward: false,
      Limit: 5,
      ExclusiveStartKey: KEY,
      ReturnConsumedCapacity: "INDEXES",
    },
  ],
  ["Scan", { TableName: "things", Select: "COUNT" }],
  ["GetItem", { TableName: "things", Key: KEY, ConsistentRead: true }],
  ["PutItem", { TableName: "things", Item: ITEM, ReturnValues: "ALL_OLD", ...CONDITION }],
  ["BatchGetItem", { RequestItems: { things: { Keys: [KEY], ProjectionExpression: "pk" } } }],
  ["BatchWriteItem", { RequestItems: { things: [{ PutRequest: { Item: ITEM } }, { DeleteRequest: { Key: KEY } }] } }],
  ["TransactGetItems", { TransactItems: [{ Get: { TableName: "things", Key: KEY } }] }],
  [
    "TransactWriteItems",
    {
      TransactItems: [
        { Put: { TableName: "things", Item: ITEM, ...CONDITION } },
        { Delete: { TableName: "things", Key: KEY } },
        { ConditionCheck: { TableName: "things", Key: KEY, ...CONDITION } },
        { Update: { TableName: "things", Key: KEY, UpdateExpression: "REMOVE n" } },
      ],
      ClientRequestToken: "token",
    },
  ],
];
let server, browser, page, folder;

before(async () => {
  server = await start();
  browser = await launch();
  page = await openConsole(browser, server);
  await visit(page, "#/tables");
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "console-code-"));
});

after(async () => {
  await browser?.close();
  server?.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

function codeOf(language, operation, request) {
  return page.evaluate(
    async (given) => {
      const link = document.querySelector('link[rel=modulepreload][href$="/code.js"]');
      return (await import(link.href)).codeOf(...given);
    },
    [language, operation, request],
  );
}

/** Writes the code of each request into a file of its own; gives the files. */
async function files(language, ending) {
  const all = [];
  for (const [operation, request] of REQUESTS) {
    const code = await codeOf(language, operation, request);
    all.push([operation, path.join(folder, `${operation}${ending}`), code]);
    fs.writeFileSync(all.at(-1)[1], code);
  }
  return all;
}

test("JavaScript parses, and has bytes where requests have base64", async () => {
  for (const [, file] of await files("javascript", ".mjs")) execFileSync(process.execPath, ["--check", file]);
  const code = await codeOf("javascript", "PutItem", { TableName: "things", Item: ITEM });
  const given = code.slice(code.indexOf("Command({") + "Command(".length, code.lastIndexOf("));"));
  const { Item: item } = new Function("Buffer", `return ${given};`)(Buffer);
  assert.deepEqual(item.sk.B, Buffer.from([0, 1, 255]));
  assert.deepEqual(item.blobs.BS, [Buffer.from([0, 1, 255]), Buffer.from("A")]);
  assert.deepEqual(item.map.M, { B: { B: Buffer.from("A") }, BS: { S: "text" } });
  assert.equal(item.pk.S, ITEM.pk.S);
});

test("Python compiles, and has bytes where requests have base64", async () => {
  for (const [operation, file, code] of await files("python", ".py")) {
    execFileSync("python3", ["-c", "import ast, sys; ast.parse(open(sys.argv[1]).read())", file]);
    const isBinary = JSON.stringify(REQUESTS.find(([name]) => name === operation)[1]).includes('"B":');
    assert.equal(code.includes("import base64"), isBinary, operation);
  }
  const code = await codeOf("python", "PutItem", { TableName: "things", Item: ITEM });
  const item = code.slice(code.indexOf("Item=") + "Item=".length, code.lastIndexOf(",\n)"));
  const script = `import base64, sys\nitem = eval(sys.stdin.read())\nprint(item["sk"]["B"].hex(), item["map"]["M"]["B"]["B"])`;
  assert.equal(execFileSync("python3", ["-c", script], { input: item, encoding: "utf8" }), "0001ff b'A'\n");
});

test("Rust has a builder for each member of a batch and a transaction, and bytes as bytes", async () => {
  const all = new Map((await files("rust", ".rs")).map(([operation, , code]) => [operation, code]));
  for (const [operation, code] of all) {
    assert.doesNotMatch(code, /^\s*\/\//m, operation);
    assert.doesNotMatch(code, /\\u[0-9a-f]/, operation);
  }
  for (const [operation, part] of [
    ["Query", 'AttributeValue::B(Blob::new(*b"\\x00\\x01\\xff"))'],
    ["Query", '"it\'s \\"a\\" \\\\b\\u{7} é".to_owned()'],
    ["Scan", '.select(Select::from("COUNT"))'],
    ["PutItem", '.return_values(ReturnValue::from("ALL_OLD"))'],
    ["BatchGetItem", '.request_items("things", KeysAndAttributes::builder().keys([("pk".to_owned(), '],
    ["BatchWriteItem", ".delete_request(DeleteRequest::builder().key("],
    ["TransactGetItems", ".transact_items(TransactGetItem::builder().get(Get::builder().table_name("],
    ["TransactWriteItems", ".condition_check(ConditionCheck::builder()"],
  ])
    assert.ok(all.get(operation).includes(part), `${part} in ${all.get(operation)}`);
  await close(page);
});
