// What happens on a server that knows a model: requests by access pattern, hot keys, errors.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { launch } from "./chromium.js";
import { ask, close, deploy, model, modelFile, must, openConsole, visit } from "./console.js";
import { call, start } from "./server.js";

const SHOP = "EcommerceTable";
const PATTERN = "customer and newest orders";
const text = model("e-commerce");
let server, browser, page, customer;

before(async () => {
  server = await start("--model", modelFile("e-commerce"));
  browser = await launch();
  const items = await deploy(server, text);
  customer = items.find(({ entity }) => entity === "Customer").item;
  page = await openConsole(browser, server);
});

after(async () => {
  await browser?.close();
  server?.stop();
});

/** Sends the request of a pattern several times. */
async function run(times) {
  const given = { Username: customer.Username.S };
  const { requests } = await ask(server, "requests", { model: text, pattern: PATTERN, arguments: given, steps: [] });
  for (let time = 0; time < times; time += 1)
    for (const { operation, body } of requests) await must(server, operation, body);
}

/** Does something until the page shows what it must. */
async function until(locator, work) {
  while (!(await locator.count())) {
    await work();
    await page.waitForTimeout(100);
  }
}

test("requests are counted under their pattern, with units beside the estimate and latency", async () => {
  await run(7);
  await visit(page, `#/live/${SHOP}?tab=requests`);
  const row = page.locator(`tr[data-pattern="${PATTERN}"]`);
  const cells = await row.locator("td.number").allTextContents();
  assert.deepEqual(cells.slice(1, 5), ["7", "0.5", "0.5", "0"]);
  assert.match(cells[6], / ms$/);
  await until(row.locator(".spark path[d*=L]"), () => run(3));
  assert.equal(await page.locator("tbody tr").first().getAttribute("data-pattern"), PATTERN);
});

test("hot keys are shown over time, as a picture, in words and as a table", async () => {
  await visit(page, `#/live/${SHOP}?tab=keys`);
  const picture = page.locator(".heat");
  await until(picture.locator("rect:not(.heat0)"), () => run(5));
  assert.match(await picture.getAttribute("aria-label"), new RegExp(`Most: ${customer.PK.S}, \\d+`));
  assert.equal(await picture.locator(".heat-label").first().textContent(), customer.PK.S);
  await picture.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowUp");
  assert.match(
    await page.locator("[role=status].small").textContent(),
    new RegExp(`^${customer.PK.S} at .*: \\d+ requests`),
  );
  const sums = page.locator("tbody tr").first();
  assert.match(await sums.textContent(), new RegExp(`^${customer.PK.S}`));
  await sums.locator(".chip", { hasText: "Order" }).waitFor();
  assert.deepEqual(await sums.locator(".chip").allTextContents(), ["Customer", "Order"]);
  await page.getByRole("combobox", { name: "Index" }).selectOption("GSI1");
  await page.locator(".empty", { hasText: `No key of ${SHOP} / GSI1` }).waitFor();
});

test("keys of a table without a model are counted once Contributor Insights are on", async () => {
  await must(server, "CreateTable", {
    TableName: "plain",
    KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
    AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
    BillingMode: "PAY_PER_REQUEST",
  });
  await visit(page, "#/live/plain?tab=keys");
  await page.getByRole("button", { name: "Turn on Contributor Insights" }).click();
  const get = () => must(server, "GetItem", { TableName: "plain", Key: { pk: { S: "hot" } } });
  await until(page.locator(".heat-label", { hasText: "hot" }), async () => {
    for (let times = 0; times < 5; times += 1) await get();
  });
});

test("a key that comes into the list is as hot as it was asked for, not as its count so far", async () => {
  await must(server, "CreateTable", {
    TableName: "even",
    KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
    AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
    BillingMode: "PAY_PER_REQUEST",
  });
  await must(server, "UpdateContributorInsights", { TableName: "even", ContributorInsightsAction: "ENABLE" });
  const get = (key) => must(server, "GetItem", { TableName: "even", Key: { pk: { S: key } } });
  const keys = Array.from({ length: 60 }, (_, place) => `key-${place}`);
  // The server lists 20 of them.
  for (let times = 0; times < 50; times += 1) await Promise.all(keys.map(get));
  // Another page has seen nothing of what was before.
  const other = await openConsole(browser, server);
  await visit(other, "#/live/even?tab=keys");
  const listed = await other.locator("tbody td:first-child").allTextContents();
  assert.equal(listed.length, 20);
  const unlisted = keys.find((key) => !listed.includes(key));
  await get(unlisted);
  await get(unlisted);
  const row = other.locator("tbody tr", { has: other.locator("td", { hasText: new RegExp(`^${unlisted}$`) }) });
  await row.locator("td.number").first().getByText("2", { exact: true }).waitFor();
  assert.equal(await row.locator("td.number").last().textContent(), "52");
  await close(other);
});

test("throttles and errors are shown by operation and table", async () => {
  const faults = await fetch(`${server.endpoint}/_monotable/faults`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ seed: 0, faults: ["throttle rate=1 operation=DeleteItem"] }),
  });
  assert.equal(faults.status, 200);
  const key = { PK: customer.PK, SK: customer.SK };
  for (let times = 0; times < 3; times += 1) await call(server.endpoint, "DeleteItem", { TableName: SHOP, Key: key });
  const condition = { ConditionExpression: "attribute_not_exists(PK)" };
  await call(server.endpoint, "PutItem", { TableName: SHOP, Item: customer, ...condition });
  await visit(page, `#/live/${SHOP}?tab=errors`);
  const throttles = page.getByRole("region", { name: "Throttles" }).locator("tr", { hasText: "DeleteItem" });
  assert.match(await throttles.textContent(), new RegExp(`${SHOP}ThrottlingException.*3$`));
  const errors = page.getByRole("region", { name: "Errors" }).locator("tr", { hasText: "PutItem" });
  assert.match(await errors.textContent(), new RegExp(`${SHOP}ConditionalCheckFailedException.*1$`));
  await close(page);
});
