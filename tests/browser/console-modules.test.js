// Modules of the console that only compute, as the browser runs them.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { launch } from "./chromium.js";
import { close, must, openConsole, visit } from "./console.js";
import { call, start } from "./server.js";

const TABLE = {
  TableName: "things",
  KeySchema: [
    { AttributeName: "pk", KeyType: "HASH" },
    { AttributeName: "sk", KeyType: "RANGE" },
  ],
  AttributeDefinitions: [
    { AttributeName: "pk", AttributeType: "S" },
    { AttributeName: "sk", AttributeType: "N" },
  ],
  BillingMode: "PAY_PER_REQUEST",
};

let server, browser, page;

before(async () => {
  server = await start();
  browser = await launch();
  page = await openConsole(browser, server);
  await must(server, "CreateTable", TABLE);
  await visit(page, "#/tables");
});

after(async () => {
  await browser?.close();
  server?.stop();
});

/** Calls a function of a module in the page. */
function inModule(module, name, ...given) {
  return page.evaluate(
    async ([file, exported, values]) => {
      const link = document.querySelector(`link[rel=modulepreload][href$="/${file}"]`);
      const loaded = await import(link.href);
      return typeof loaded[exported] === "function" ? loaded[exported](...values) : loaded[exported];
    },
    [module, name, given],
  );
}

test("the server takes every comparison that the form offers", async () => {
  const query = { index: "", partition: ["a"], sort: [], to: "", filters: [], project: "", limit: 10, start: "" };
  for (const [comparison] of await inModule("query.js", "SORT_COMPARISONS")) {
    // A number has no beginning.
    if (comparison === "begins_with") continue;
    const asked = { ...query, comparison, sort: ["1"], to: "2" };
    const { operation, request } = await inModule("query.js", "requestOf", TABLE, asked);
    assert.equal(operation, "Query");
    const { status, body } = await call(server.endpoint, operation, request);
    assert.equal(status, 200, `${comparison}: ${JSON.stringify(body)}`);
  }
  for (const [comparison] of await inModule("query.js", "FILTER_COMPARISONS")) {
    const isSize = comparison.startsWith("size");
    const value = { type: "S", written: "a.b = 'x' OR NOT size(c) > 3" }[comparison] ?? (isSize ? "3" : "x, y");
    const asked = { ...query, partition: [], comparison: "=", filters: [["a.b[0].size", comparison, "S", value, "z"]] };
    const { operation, request } = await inModule("query.js", "requestOf", TABLE, {
      ...asked,
      project: "pk, name.first",
    });
    assert.equal(operation, "Scan");
    const { status, body } = await call(server.endpoint, operation, request);
    assert.equal(status, 200, `${comparison}: ${JSON.stringify(body)}`);
  }
});

test("a query survives the way through an address", async () => {
  const params = {
    index: "GSI1",
    p: '["a&b=c#d"]',
    op: "between",
    s: '["1"]',
    to: "2",
    order: "desc",
    limit: 25,
    project: "x",
  };
  const query = await inModule("query.js", "readQuery", params);
  const written = await inModule("query.js", "writeQuery", query);
  for (const [name, value] of Object.entries(params)) assert.equal(written[name], value, name);
});

test("code quotes what a shell and each language would take for its own", async () => {
  const request = { TableName: "it's", ExpressionAttributeValues: { ":v": { S: 'a"b' } }, ScanIndexForward: false };
  const cli = await inModule("code.js", "codeOf", "cli", "Query", request);
  assert.ok(cli.includes("--table-name 'it'\\''s'"), cli);
  assert.ok(cli.includes("--no-scan-index-forward"), cli);
  const python = await inModule("code.js", "codeOf", "python", "Query", request);
  assert.ok(python.includes("ScanIndexForward=False"), python);
  const rust = await inModule("code.js", "codeOf", "rust", "Query", request);
  assert.ok(rust.includes('.expression_attribute_values(":v", AttributeValue::S("a\\"b".to_owned()))'), rust);
});

test("writes that a table does not take are tried less and less often, and given up in the end", async () => {
  const { pauses, message, sent } = await page.evaluate(async () => {
    const link = document.querySelector('link[rel=modulepreload][href$="/write-all.js"]');
    const { writeAll } = await import(link.href);
    const requests = Array.from({ length: 30 }, (_, place) => ({ DeleteRequest: { Key: { pk: { S: `${place}` } } } }));
    const answer = globalThis.fetch;
    let sent = 0;
    // The first batch is taken, all later ones are left undone.
    globalThis.fetch = async (_, { body }) => {
      sent += 1;
      const left = sent === 1 ? {} : JSON.parse(body).RequestItems;
      return new Response(JSON.stringify({ UnprocessedItems: left }));
    };
    const pauses = [];
    const pause = async (millis) => pauses.push(millis);
    const failed = await writeAll({ things: requests }, { pause }).catch((error) => error);
    globalThis.fetch = answer;
    return { pauses, message: failed.message, sent };
  });
  assert.equal(message, "The table takes no more after 10 attempts: 25 of 30 are done");
  assert.equal(sent, 11);
  assert.equal(pauses.length, 9);
  pauses.forEach((millis, place) => assert.ok(millis >= 0 && millis <= Math.min(5000, 100 * 2 ** place), `${millis}`));
  assert.ok(new Set(pauses).size > 1, "clients do not come back at the same moments");
});

test("rows that are too much for the next step of a pattern stay behind, and it is said", async () => {
  const { notes, sizes } = await page.evaluate(async () => {
    const link = document.querySelector('link[rel=modulepreload][href$="/pattern-run.js"]');
    const { play } = await import(link.href);
    const answer = globalThis.fetch;
    const sizes = [];
    const Items = Array.from({ length: 1000 }, (_, place) => ({
      pk: { S: `${place}` },
      text: { S: "x".repeat(10_000) },
    }));
    const requests = [{ operation: "Query", body: { TableName: "things" } }];
    globalThis.fetch = async (path, { body }) => {
      const isQuestion = path.endsWith("/console/requests");
      if (isQuestion) sizes.push(body.length);
      const told = isQuestion ? { requests } : { Items, ScannedCount: Items.length };
      return new Response(JSON.stringify(told), { headers: { "content-type": "application/json" } });
    };
    const chart = { patterns: [{ pattern: "both", requests: [{}, {}] }] };
    const { notes } = await play({ text: "", chart }, { name: "both" }, {});
    globalThis.fetch = answer;
    return { notes, sizes };
  });
  assert.equal(sizes.length, 2);
  // The server takes questions of 16 MiB.
  assert.ok(sizes[1] > 8_000_000 && sizes[1] < 9_000_000, `${sizes}`);
  assert.match(notes.join(), /^The next step went on from 83\d rows: 16\d more are too much for it\.$/);
});

test("a spreadsheet gets texts, no formulas", async () => {
  const items = [
    { pk: { S: "=1+1" }, n: { N: "-5" } },
    { pk: { S: 'a,"b"' }, extra: { SS: ["x"] } },
  ];
  const lines = (await inModule("export.js", "csv", ["pk"], items)).trim().split("\r\n");
  assert.deepEqual(lines, ["pk,n,extra", "'=1+1,-5,", '"a,""b""",,"[""x""]"']);
});

test("attributes may be called like members of all objects", async () => {
  const bare = { pk: { S: "a" }, sk: { N: "1" } };
  const item = { ...bare, constructor: { S: "x" }, toString: { S: "y" } };
  const lines = (await inModule("export.js", "csv", ["pk"], [bare, item])).trim().split("\r\n");
  assert.deepEqual(lines, ["pk,sk,constructor,toString", "a,1,,", "a,1,x,y"]);
  for (const [stored, wanted, sent] of [
    [bare, item, { UpdateExpression: "SET #n1 = :v0, #n2 = :v1" }],
    [item, bare, { UpdateExpression: "REMOVE #n1, #n2" }],
  ]) {
    const { request } = await inModule("item-change.js", "edit", TABLE, stored, wanted);
    assert.equal(request.UpdateExpression, sent.UpdateExpression);
    const { UpdateExpression: _, ...condition } = request;
    await must(server, "PutItem", { TableName: "things", Item: stored });
    await must(server, "UpdateItem", { ...condition, UpdateExpression: sent.UpdateExpression });
    const Key = { pk: bare.pk, sk: bare.sk };
    assert.deepEqual((await must(server, "GetItem", { TableName: "things", Key })).Item, wanted);
  }
  const filters = [["", "written", "S", "constructor = 'x' AND attribute_exists(toString)", ""]];
  const asked = { index: "", partition: ["a"], sort: [], to: "", filters, project: "", limit: 10, start: "" };
  const { request } = await inModule("query.js", "requestOf", TABLE, { ...asked, comparison: "=" });
  assert.equal(request.ExpressionAttributeNames["#n1"], "constructor");
});

test("a name with a dot or a comma is one name in double quotes", async () => {
  const item = { pk: { S: "dots" }, sk: { N: "1" }, "a.b": { M: { "c,d": { L: [{ S: "x" }] } } }, 'e"f': { S: "y" } };
  await must(server, "PutItem", { TableName: "things", Item: item });
  const query = { index: "", partition: ["dots"], sort: [], to: "", comparison: "=", limit: 10, start: "" };
  const asked = async (project, filter) => {
    const filters = [[filter, "exists", "S", "", ""]];
    const { operation, request } = await inModule("query.js", "requestOf", TABLE, { ...query, project, filters });
    return (await must(server, operation, request)).Items;
  };
  const path = '"a.b"."c,d"[0]';
  assert.deepEqual(await asked(path, path), [{ "a.b": item["a.b"] }]);
  assert.deepEqual(await asked('"a.b", e"f', '"e""f"'), [{ "a.b": item["a.b"], 'e"f': item['e"f'] }]);
  assert.deepEqual(await asked("pk", "a.b"), []);
});

test("a deletion of an item with many attributes says how many of them it compares", async () => {
  const many = Object.fromEntries(Array.from({ length: 120 }, (_, place) => [`a${place}`, { S: "x" }]));
  const item = { pk: { S: "many" }, sk: { N: "1" }, ...many };
  const { sentence, request } = await inModule("item-change.js", "deletion", TABLE, item);
  assert.equal(sentence, "if 100 of its 120 attributes are still as shown");
  await must(server, "PutItem", { TableName: "things", Item: item });
  await must(server, "DeleteItem", request);
});

test("what a page costs is estimated with the page of the table beside an index", async () => {
  const index = { IndexName: "byKind", KeySchema: [{ AttributeName: "kind", KeyType: "HASH" }] };
  const table = {
    ...TABLE,
    ItemCount: 100,
    TableSizeBytes: 100 * 8192,
    GlobalSecondaryIndexes: [{ ...index, ItemCount: 50, IndexSizeBytes: 50 * 4096 }],
  };
  const query = { index: "byKind", partition: [], sort: [], filters: [], limit: 10, start: "", isConsistent: false };
  assert.deepEqual(await inModule("query.js", "estimate", table, query), { page: 5 + 10, all: 25 });
  const of = { ...query, partition: ["a"] };
  assert.deepEqual(await inModule("query.js", "estimate", table, of), { page: 5, all: 25 });
});

test("true is true however it is written", async () => {
  for (const [text, BOOL] of [
    ["True", true],
    [" true", true],
    ["false", false],
  ]) {
    const asked = { index: "", partition: ["a"], sort: [], to: "", project: "", limit: 10, start: "" };
    const query = { ...asked, comparison: "=", filters: [["flag", "=", "BOOL", text, ""]] };
    const { request } = await inModule("query.js", "requestOf", TABLE, query);
    assert.deepEqual(request.ExpressionAttributeValues[":v1"], { BOOL });
  }
});

test("two texts differ in words", async () => {
  const marked = async (before, after) =>
    (await inModule("word-difference.js", "wordDifference", before, after)).map((parts) =>
      parts.map(({ text, isDifferent }) => (isDifferent ? `[${text}]` : text)).join(""),
    );
  const before = "PK = EMAIL#{Email}, if attribute_not_exists(PK)";
  assert.deepEqual(await marked(before, before.replace("EMAIL", "MAIL")), [
    "PK = [EMAIL]#{Email}, if attribute_not_exists(PK)",
    "PK = [MAIL]#{Email}, if attribute_not_exists(PK)",
  ]);
  assert.deepEqual(await marked("all of this", "nothing"), ["[all of this]", "[nothing]"]);
  assert.deepEqual(await marked("", "new"), ["", "[new]"]);
  const long = "word ".repeat(2000);
  assert.deepEqual(await marked(long, `${long}x`), [`[${long}]`, `[${long}x]`]);
});

test("sizes are those that the service counts", async () => {
  const item = {
    pk: { S: "ab" },
    n: { N: "123" },
    l: { L: [{ S: "x" }] },
    b: { BOOL: true },
    m: { M: { k: { S: "v" } } },
  };
  // pk 2+2, n 1+3, l 1+3+1+1, b 1+1, m 1+3+1+1+1: docs of AWS, "Item sizes and formats".
  assert.equal(await inModule("values.js", "sizeOf", item), 4 + 4 + 6 + 2 + 7);
});

test("percentiles are read off a histogram", async () => {
  const found = await page.evaluate(async () => {
    const link = document.querySelector('link[rel=modulepreload][href$="/metrics.js"]');
    const { histograms, percentile, readMetrics } = await import(link.href);
    const text = ["0.001", "0.002", "+Inf"]
      .map((bound, place) => `x_bucket{operation="Get",le="${bound}"} ${[50, 100, 100][place]}`)
      .join("\n");
    const histogram = histograms(readMetrics(text), "x", "operation").get("Get");
    return [percentile(histogram, 0.5), percentile(histogram, 0.75), percentile(new Map(), 0.5)];
  });
  assert.deepEqual(found, [0.001, 0.0015, null]);
  await close(page);
});
