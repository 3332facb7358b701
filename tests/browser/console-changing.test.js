// Tables in the console while they change by themselves: changes of the control plane take a while,
// as they do at AWS.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { launch } from "./chromium.js";
import { close, forgive, must, openConsole, visit } from "./console.js";
import { start } from "./server.js";

let server, browser;

before(async () => {
  server = await start("--control-plane-delay", "1s", "--clock", "manual");
  browser = await launch();
});

after(async () => {
  await browser?.close();
  server?.stop();
});

async function create(TableName, more = {}) {
  await must(server, "CreateTable", {
    TableName,
    KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
    AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
    BillingMode: "PAY_PER_REQUEST",
    ...more,
  });
}

/** Lets what is under way come to its end. */
async function pass() {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ duration: "1s" });
  const url = `${server.endpoint}/_monotable/clock/advance`;
  assert.equal((await fetch(url, { method: "POST", headers, body })).status, 200);
}

/** Some changes take several steps: an index that of its table, and its own. */
async function passUntil(locator) {
  while (!(await locator.count())) await pass();
}

async function described(name) {
  return (await must(server, "DescribeTable", { TableName: name })).Table;
}

const card = (page, name) => page.getByRole("region", { name });
const status = (page, text) => page.locator(".bar .tag", { hasText: new RegExp(`^${text}$`) }).waitFor();

test("a stream shows something else once it is off, however long that takes", async () => {
  await create("Streaming", { StreamSpecification: { StreamEnabled: true, StreamViewType: "KEYS_ONLY" } });
  await pass();
  const page = await openConsole(browser, server);
  await visit(page, "#/tables/Streaming");
  await page.getByLabel("What the stream shows").selectOption("NEW_AND_OLD_IMAGES");
  await card(page, "Stream").getByRole("button", { name: "Change" }).click();
  const changed = page.locator("#notices > div");
  await passUntil(changed);
  assert.equal(await changed.textContent(), "Streaming is changed");
  assert.equal((await described("Streaming")).StreamSpecification.StreamViewType, "NEW_AND_OLD_IMAGES");
  await close(page);
});

test("settings of a table that is being made are shown, and what becomes of it too", async () => {
  await create("Made");
  const page = await openConsole(browser, server);
  await visit(page, "#/tables/Made");
  await status(page, "creating");
  await card(page, "Time to live").getByText("The table is creating.").waitFor();
  await pass();
  await status(page, "active");
  await card(page, "Time to live").getByRole("button", { name: "Turn on" }).waitFor();
  await must(server, "DeleteTable", { TableName: "Made" });
  await page.getByRole("button", { name: "Refresh" }).click();
  await status(page, "deleting");
  await pass();
  await page.getByText("This table is deleted.").waitFor();
  forgive(page);
  await close(page);
});

test("an index is shown as soon as it is asked for, on a page that is opened meanwhile too", async () => {
  await create("Indexed");
  await pass();
  const [page, other] = [await openConsole(browser, server), await openConsole(browser, server)];
  await visit(page, "#/tables/Indexed");
  await page.getByRole("button", { name: "Add global index" }).click();
  await page.getByLabel("Name", { exact: true }).fill("ByKind");
  await page.getByLabel("Partition key").fill("kind");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  const tag = (one, text) => one.locator("tr", { hasText: "ByKind" }).locator(".tag", { hasText: text });
  await tag(page, "creating").waitFor();
  await visit(other, "#/tables/Indexed");
  await tag(other, "creating").waitFor();
  await passUntil(tag(page, "active"));
  await tag(other, "active").waitFor();
  await close(other);
  await close(page);
});

test("the list of tables shows what becomes of each", async () => {
  await create("Listed");
  const page = await openConsole(browser, server);
  await visit(page, "#/tables");
  const row = page.locator("tr", { hasText: "Listed" });
  await row.locator(".tag", { hasText: "creating" }).waitFor();
  await pass();
  await row.locator(".tag", { hasText: "active" }).waitFor();
  await must(server, "DeleteTable", { TableName: "Listed" });
  await page.getByRole("button", { name: "Refresh" }).click();
  await row.locator(".tag", { hasText: "deleting" }).waitFor();
  await pass();
  await row.waitFor({ state: "detached" });
  forgive(page);
  await close(page);
});
