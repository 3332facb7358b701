// The console without a mouse: arrows find the list of a view, and letters go where one was.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { launch } from "./chromium.js";
import { close, deploy, model, modelFile, must, openConsole, visit } from "./console.js";
import { start } from "./server.js";

const SHOP = "EcommerceTable";
let server, browser, page;

before(async () => {
  server = await start("--model", modelFile("e-commerce"));
  browser = await launch();
  await deploy(server, model("e-commerce"));
  await deploy(server, model("github-backend"));
  page = await openConsole(browser, server);
});

after(async () => {
  await browser?.close();
  server?.stop();
});

const focused = () => page.evaluate(() => document.activeElement.closest("tr, .grid")?.textContent ?? "");

/** Goes to a view as somebody does who has come from elsewhere: nothing has the focus. */
async function arrive(hash) {
  await visit(page, hash);
  await page.evaluate(() => document.activeElement.blur());
}

test("an arrow finds the items, and goes on in them", async () => {
  await arrive(`#/items/${SHOP}`);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.locator(".grid-row[aria-selected=true]").getAttribute("id"), "row-1");
});

test("arrows go from row to row in every table, and Enter follows the link of a row", async () => {
  for (const hash of ["#/tables", "#/design?tab=patterns", `#/live/${SHOP}?tab=requests`, "#/operations"]) {
    await arrive(hash);
    const rows = await page.locator("main table").first().locator("tbody tr").allTextContents();
    assert.ok(rows.length > 1, hash);
    await page.keyboard.press("ArrowDown");
    assert.equal((await focused()).slice(0, 6), rows[0].slice(0, 6), hash);
    await page.keyboard.press("PageDown");
    const far = rows[Math.min(10, rows.length - 1)];
    assert.equal((await focused()).slice(0, 6), far.slice(0, 6), hash);
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowDown");
    assert.equal((await focused()).slice(0, 6), rows[1].slice(0, 6), hash);
  }
  await arrive("#/tables");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.waitForURL(/#\/items\/GitHubTable/);
});

test("a row of a table that is drawn anew keeps the focus", async () => {
  await arrive(`#/live/${SHOP}?tab=requests`);
  await page.keyboard.press("ArrowDown");
  const row = await page.evaluateHandle(() => document.activeElement);
  await page.waitForFunction((old) => !old.isConnected && document.activeElement.matches("tr"), row);
});

test("g and a letter go on with the table that was looked at last", async () => {
  const go = async (letter, pattern) => {
    await page.keyboard.press("g");
    await page.keyboard.press(letter);
    await page.waitForURL(pattern);
  };
  await arrive("#/tables/GitHubTable");
  await go("i", /#\/items\/GitHubTable$/);
  await go("l", /#\/live\/GitHubTable$/);
  await arrive(`#/items/${SHOP}`);
  await go("d", /#\/design/);
  await page.evaluate(() => document.activeElement.blur());
  await go("l", new RegExp(`#/live/${SHOP}$`));
});

test("a view that has nothing to show is left again", async (t) => {
  const empty = await start();
  t.after(() => empty.stop());
  const other = await openConsole(browser, empty);
  for (const hash of ["#/patterns", "#/live", "#/items"]) {
    await visit(other, hash);
    await other.locator(".empty").waitFor();
    await visit(other, "#/tables");
    await other.getByText("There are no tables yet.").waitFor();
  }
  await close(other);
});

test("the index and the measure of hot keys stand in the address", async () => {
  await visit(page, `#/live/${SHOP}?tab=keys`);
  await page.getByRole("combobox", { name: "Index" }).selectOption("GSI1");
  await page.getByLabel("What is counted").selectOption("throttled");
  assert.match(new URL(page.url()).hash, /index=GSI1&measure=throttled&tab=keys/);
  const other = await openConsole(browser, server);
  await visit(other, new URL(page.url()).hash);
  assert.equal(await other.getByRole("combobox", { name: "Index" }).inputValue(), "GSI1");
  assert.equal(await other.getByLabel("What is counted").inputValue(), "throttled");
  await close(other);
});

test("the filter of tables stands in the address, and looks at all of them", async () => {
  const name = (place) => `many-${String(place).padStart(3, "0")}`;
  for (let place = 0; place < 301; place += 1)
    await must(server, "CreateTable", {
      TableName: name(place),
      KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
      AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
      BillingMode: "PAY_PER_REQUEST",
    });
  await visit(page, "#/tables");
  await page.getByText("the first 300 of 303").waitFor();
  assert.equal(await page.getByRole("link", { name: name(300) }).count(), 0);
  await page.getByLabel("Filter tables").fill(name(300));
  await page.getByRole("link", { name: name(300) }).waitFor();
  await page.getByText("1 of 303").waitFor();
  const other = await openConsole(browser, server);
  await visit(other, new URL(page.url()).hash);
  assert.equal(await other.locator("tbody tr").count(), 1);
  await close(other);
  await close(page);
});
