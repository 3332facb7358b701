// Live changes in the console: records of the stream as they happen.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { launch } from "./chromium.js";
import { close, deploy, model, must, openConsole, visit } from "./console.js";
import { start } from "./server.js";

const SHOP = "EcommerceTable";
const text = model("e-commerce");
let server, browser, page, items;

before(async () => {
  server = await start();
  browser = await launch();
  items = await deploy(server, text);
  page = await openConsole(browser, server, { text });
});

after(async () => {
  await browser?.close();
  server?.stop();
});

test("a stream is turned on, and changes appear with what is different", async () => {
  await visit(page, `#/live/${SHOP}`);
  await page.getByRole("button", { name: /^Turn on a stream/ }).click();
  await page.locator(".tag", { hasText: "following" }).waitFor();
  const order = items.find(({ entity }) => entity === "Order").item;
  await must(server, "UpdateItem", {
    TableName: SHOP,
    Key: { PK: order.PK, SK: order.SK },
    UpdateExpression: "SET Amount = :n",
    ExpressionAttributeValues: { ":n": { N: "123456" } },
  });
  const record = page.locator(".record", { hasText: "123456" });
  await record.waitFor();
  assert.equal(await record.locator(".chip").textContent(), "Order");
  assert.equal(await record.locator(".diff-was").textContent(), order.Amount.N);
  assert.equal(await record.locator(".diff-is").textContent(), "123456");
  await must(server, "DeleteItem", { TableName: SHOP, Key: { PK: order.PK, SK: order.SK } });
  await page.locator(".record .tag", { hasText: "remove" }).waitFor();
});

test("a paused view stays as it is, and goes on where it was", async () => {
  await page.getByRole("button", { name: "Pause" }).click();
  const before = await page.locator(".record").count();
  await must(server, "PutItem", { TableName: SHOP, Item: { PK: { S: "late" }, SK: { S: "late" } } });
  assert.equal(await page.locator(".record").count(), before);
  await page.getByRole("button", { name: "Go on" }).click();
  await page.locator(".record", { hasText: "late" }).waitFor();
  await close(page);
});
