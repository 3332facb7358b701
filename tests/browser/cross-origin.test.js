// What pages of other origins can do with a server on the developer's own machine: nothing.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { launch } from "./chromium.js";
import { call, site, start } from "./server.js";

const TABLE = {
  TableName: "things",
  KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
  AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
  BillingMode: "PAY_PER_REQUEST",
};

let server, evil, browser;

before(async () => {
  server = await start("--clock", "manual");
  evil = await site("<!doctype html><title>another site</title>");
  // A name of the attacker that leads to this machine, as with DNS rebinding.
  browser = await launch("--host-resolver-rules=MAP evil.example 127.0.0.1");
  assert.equal((await call(server.endpoint, "CreateTable", TABLE)).status, 200);
  await call(server.endpoint, "PutItem", { TableName: "things", Item: { pk: { S: "secret" } } });
});

after(async () => {
  await browser?.close();
  evil?.stop();
  server?.stop();
});

/** Runs a function in a page of an origin; gives what it returns, or the error's name. */
async function inPage(address, work, argument) {
  const page = await browser.newPage();
  try {
    await page.goto(address);
    return await page.evaluate(work, argument);
  } finally {
    await page.close();
  }
}

/** Sends a call by fetch from inside a page. */
function fetchFromPage({ endpoint, operation, request, mode, type }) {
  const headers = { "content-type": type };
  if (mode === "cors") {
    headers["x-amz-target"] = `DynamoDB_20120810.${operation}`;
  }
  return fetch(endpoint, { method: "POST", mode, headers, body: JSON.stringify(request) }).then(
    async (response) => ({ type: response.type, status: response.status, text: await response.text() }),
    (error) => ({ failed: error.name }),
  );
}

async function items() {
  const { body } = await call(server.endpoint, "Scan", { TableName: "things" });
  return body.Items.map((item) => item.pk.S).sort();
}

test("a page of another origin can neither read nor write by fetch", async () => {
  for (const [operation, request] of [
    ["Scan", { TableName: "things" }],
    ["PutItem", { TableName: "things", Item: { pk: { S: "planted" } } }],
    ["DeleteTable", { TableName: "things" }],
  ]) {
    for (const mode of ["cors", "no-cors"]) {
      const type = mode === "cors" ? "application/x-amz-json-1.0" : "text/plain";
      const call = { endpoint: server.endpoint, operation, request, mode, type };
      const outcome = await inPage(evil.origin, fetchFromPage, call);
      const isOpaque = outcome.type === "opaque" && outcome.text === "";
      assert.ok(outcome.failed || isOpaque, `${operation} ${mode}: ${JSON.stringify(outcome)}`);
    }
  }
  assert.deepEqual(await items(), ["secret"]);
});

test("a form of another origin changes nothing", async () => {
  const page = await browser.newPage();
  await page.goto(evil.origin);
  const [response] = await Promise.all([
    page.waitForNavigation(),
    page.evaluate((endpoint) => {
      const form = document.createElement("form");
      form.method = "post";
      form.enctype = "text/plain";
      form.action = `${endpoint}/_monotable/clock/advance`;
      const field = document.createElement("input");
      field.name = '{"millis": 1000000, "ignored": "';
      field.value = '"}';
      form.append(field);
      document.body.append(form);
      form.submit();
    }, server.endpoint),
  ]);
  assert.ok([403, 415].includes(response.status()), `${response.status()}`);
  await page.close();
});

test("a name that the attacker points at this machine is not answered", async () => {
  const address = `http://evil.example:${server.port}/`;
  const page = await browser.newPage();
  // The page itself comes from the attacker; by the time of its call the name leads here.
  await page.route(address, (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html>" }), {
    times: 1,
  });
  await page.goto(address);
  const type = "application/x-amz-json-1.0";
  const scan = { endpoint: address, operation: "Scan", request: { TableName: "things" }, mode: "cors", type };
  const outcome = await page.evaluate(fetchFromPage, scan);
  assert.equal(outcome.status, 421, JSON.stringify(outcome));
  assert.ok(!outcome.text.includes("secret"));
  await page.close();
});

test("a page of an origin that was named reads and writes", async () => {
  const open = await start("--allow-origin", evil.origin);
  try {
    await call(open.endpoint, "CreateTable", TABLE);
    const request = { TableName: "things", Item: { pk: { S: "wanted" } } };
    const type = "application/x-amz-json-1.0";
    const put = { endpoint: open.endpoint, operation: "PutItem", request, mode: "cors", type };
    const outcome = await inPage(evil.origin, fetchFromPage, put);
    assert.equal(outcome.status, 200, JSON.stringify(outcome));
  } finally {
    open.stop();
  }
});
