// Live changes in the console: records of the stream as they happen.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { launch } from "./chromium.js";
import { close, deploy, forgive, model, must, openConsole, visit } from "./console.js";
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
});

const put = (on, key, more = {}) =>
  must(on, "PutItem", { TableName: SHOP, Item: { PK: { S: key }, SK: { S: key }, ...more } });

test("a change far behind in a long value is shown", async () => {
  const words = (last) => ({ text: { M: { first: { S: "x".repeat(200) }, last: { S: last } } } });
  await put(server, "long", words("before"));
  await page.locator(".record", { hasText: "long" }).waitFor();
  await put(server, "long", words("after"));
  const record = page.locator(".record", { hasText: "long" }).filter({ hasText: "modify" });
  assert.match(await record.locator(".diff-was").textContent(), /^…x+","last":"before"}$/);
  assert.match(await record.locator(".diff-is").textContent(), /^…x+","last":"after"}$/);
});

test("what went wrong for a moment is not said any longer once changes come again", async () => {
  const asked = (route) => route.request().headers()["x-amz-target"].endsWith("GetRecords");
  await page.route("**/", (route) => (asked(route) ? route.abort() : route.fallback()));
  await page.locator(".tag.bad", { hasText: "the server does not answer" }).waitFor();
  await page.unroute("**/");
  await page.locator(".tag.good", { hasText: "following" }).waitFor();
  page.complaints = page.complaints.filter((text) => !/ERR_FAILED/.test(text));
  await close(page);
});

const switchStream = (on, StreamEnabled) => {
  const StreamViewType = StreamEnabled ? { StreamViewType: "NEW_AND_OLD_IMAGES" } : {};
  return must(on, "UpdateTable", { TableName: SHOP, StreamSpecification: { StreamEnabled, ...StreamViewType } });
};

test("the stream that takes the place of another is followed, and none is said to be none", async (t) => {
  const own = await start();
  t.after(() => own.stop());
  await deploy(own, text);
  await switchStream(own, true);
  const other = await openConsole(browser, own, { text });
  await visit(other, `#/live/${SHOP}`);
  const record = (key) => other.locator(".record", { hasText: key }).waitFor();
  const following = () => other.locator(".tag.good", { hasText: "following" }).waitFor();
  await following();
  await put(own, "before");
  await record("before");
  await switchStream(own, false);
  await switchStream(own, true);
  await put(own, "after");
  await record("after");
  // Turned off, the stream is offered; turned on by somebody else, it is followed.
  await switchStream(own, false);
  await other.getByRole("button", { name: /^Turn on a stream/ }).waitFor();
  await switchStream(own, true);
  await put(own, "later");
  await record("later");
  await following();
  // All of it again with another table of the same name.
  await must(own, "DeleteTable", { TableName: SHOP });
  await deploy(own, text);
  await switchStream(own, true);
  await put(own, "again");
  await record("again");
  await following();
  forgive(other);
  await close(other);
});

test("nothing is followed once the view is left, though its stream was turned on there", async (t) => {
  const own = await start();
  t.after(() => own.stop());
  await deploy(own, text);
  const other = await openConsole(browser, own, { text });
  await visit(other, `#/live/${SHOP}`);
  await other.getByRole("button", { name: /^Turn on a stream/ }).click();
  await other.locator(".tag.good", { hasText: "following" }).waitFor();
  await visit(other, "#/operations");
  let asked = 0;
  other.on("request", (request) => {
    if (request.headers()["x-amz-target"]?.endsWith("GetRecords")) asked += 1;
  });
  // This view looks every two seconds, and a follower far more often.
  for (let looks = 0; looks < 2; looks += 1) await other.waitForResponse("**/_monotable/metrics");
  assert.equal(asked, 0);
  await close(other);
});

test("changes are followed beyond the age of an iterator, whether there were some before or not", async (t) => {
  const aging = await start("--clock", "manual");
  t.after(() => aging.stop());
  await deploy(aging, text);
  await must(aging, "UpdateTable", {
    TableName: SHOP,
    StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" },
  });
  const pass = async (duration) => {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ duration });
    const url = `${aging.endpoint}/_monotable/clock/advance`;
    assert.equal((await fetch(url, { method: "POST", headers, body })).status, 200);
  };
  const other = await openConsole(browser, aging, { text });
  await visit(other, `#/live/${SHOP}`);
  await other.locator(".tag", { hasText: "following" }).waitFor();
  for (const key of ["first", "second", "third"]) {
    await other.getByRole("button", { name: "Pause" }).click();
    await put(aging, key);
    await pass("1h");
    await other.getByRole("button", { name: "Go on" }).click();
    await other.locator(".record", { hasText: key }).waitFor();
    await other.locator(".tag.good", { hasText: "following" }).waitFor();
  }
  forgive(other);
  await close(other);
});
