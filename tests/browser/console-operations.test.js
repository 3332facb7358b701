// Operations in the console: what the server says about itself, its clock and its faults.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";

import { launch } from "./chromium.js";
import { close, must, openConsole, visit } from "./console.js";
import { call, start, startOn } from "./server.js";

let server, browser, page;

before(async () => {
  server = await start("--clock", "manual", "--clock-start", "2026-01-01T00:00:00Z");
  browser = await launch();
  page = await openConsole(browser, server);
});

after(async () => {
  await browser?.close();
  server?.stop();
});

test("calls are counted with their percentiles", async () => {
  for (let times = 0; times < 20; times += 1) await call(server.endpoint, "ListTables", {});
  await visit(page, "#/operations");
  await page.locator(".tag", { hasText: "ready" }).waitFor();
  const row = page.locator("tr", { hasText: "ListTables" });
  await row.waitFor();
  assert.match(await row.textContent(), /ListTables2\d.* ms.* ms.* ms/);
});

test("a server with files shows what it stores and what waits for compaction", async (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "console-"));
  const stored = await startOn(folder);
  t.after(() => {
    stored.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  });
  await must(stored, "CreateTable", {
    TableName: "things",
    KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
    AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
    BillingMode: "PAY_PER_REQUEST",
  });
  const other = await openConsole(browser, stored);
  await visit(other, "#/operations");
  const storage = other.getByRole("region", { name: "Storage" });
  for (const text of [
    /^On disk\d.* free$/,
    /^Data files\d.*and .* in memory$/,
    /^Waiting for compaction\d.* compactions? running$/,
  ])
    await storage.locator(".card", { hasText: text }).waitFor();
  const journal = storage.locator(".card", { hasText: "Journal written a second" });
  while (!(await journal.locator(".spark path[d*=L]").count()))
    await must(stored, "PutItem", { TableName: "things", Item: { pk: { S: "a" }, text: { S: "x".repeat(9000) } } });
  assert.match(await storage.locator(".card", { hasText: "Sync of the journal" }).textContent(), /\d ms/);
  await close(other);
  assert.match(await page.getByRole("region", { name: "Storage" }).textContent(), /nothing to compact/);
});

test("a server that began anew has no rates below nothing", async () => {
  const other = await openConsole(browser, server);
  let isAnew = false;
  await other.route("**/_monotable/metrics", async (route) => {
    const response = await route.fetch();
    const seconds = isAnew ? 1 : 1000;
    const text = (await response.text())
      .replace(/^monotable_uptime_seconds .*$/m, `monotable_uptime_seconds ${seconds}`)
      .replace(/^(monotable_consumed_read_units_total\{.*\}) .*$/gm, "")
      .concat(`\nmonotable_consumed_read_units_total{table="x"} ${isAnew ? 4 : 1e6}\n`);
    await route.fulfill({ response, body: text });
  });
  await visit(other, "#/operations");
  const chart = other.locator(".card", { hasText: "Read units a second" });
  await chart.locator(".figure", { hasText: "0" }).waitFor();
  isAnew = true;
  await other.locator(".card .figure", { hasText: /^1 s$/ }).waitFor();
  assert.equal(await chart.locator(".figure").textContent(), "0");
  await close(other);
});

test("the manual clock is moved and set", async () => {
  const clock = page.getByRole("region", { name: "Clock" });
  await clock.getByRole("button", { name: "+ 7 days" }).click();
  await page.locator("[data-clock]", { hasText: "2026-01-08T00:00:00" }).waitFor();
  await clock.getByLabel("Time").fill("2027-05-05T05:05:05Z");
  await clock.getByRole("button", { name: "Set", exact: true }).click();
  await page.locator("[data-clock]", { hasText: "2027-05-05T05:05:05" }).waitFor();
  const answer = await fetch(`${server.endpoint}/_monotable/clock`);
  assert.equal((await answer.json()).time, "2027-05-05T05:05:05.000Z");
});

test("calls fail on purpose until the faults are cleared", async () => {
  const faults = page.getByRole("region", { name: "Faults" });
  await faults.getByRole("textbox").fill("throttle rate=1 operation=DescribeLimits");
  await faults.getByRole("button", { name: "Apply" }).click();
  await faults.locator("td", { hasText: "throttle" }).waitFor();
  assert.equal((await call(server.endpoint, "DescribeLimits", {})).status, 400);
  await faults.getByRole("button", { name: "Clear" }).click();
  await faults.getByText("No call fails on purpose.").waitFor();
  assert.equal((await call(server.endpoint, "DescribeLimits", {})).status, 200);
});

test("tables are taken back to a snapshot, emptied and deleted once a word is typed", async () => {
  const pk = { AttributeName: "pk", KeyType: "HASH" };
  const definition = { AttributeName: "pk", AttributeType: "S" };
  const table = {
    TableName: "things",
    KeySchema: [pk],
    AttributeDefinitions: [definition],
    BillingMode: "PAY_PER_REQUEST",
  };
  const put = (key) => must(server, "PutItem", { TableName: "things", Item: { pk: { S: key } } });
  const count = async () => (await must(server, "Scan", { TableName: "things", Select: "COUNT" })).Count;
  await must(server, "CreateTable", table);
  await put("first");
  await visit(page, "#/tables");
  await visit(page, "#/operations");
  const rewinds = page.getByRole("region", { name: "Snapshots and reset" });
  const confirm = async (word, action) => {
    await page.locator("[data-confirm]").fill(word);
    await page.getByRole("dialog").getByRole("button", { name: action }).click();
    await page.locator("dialog").waitFor({ state: "detached" });
  };
  await rewinds.getByLabel("Name").fill("before");
  await rewinds.getByRole("button", { name: "Take snapshot" }).click();
  await rewinds.locator("td", { hasText: "before" }).waitFor();
  await put("second");
  await rewinds.getByRole("button", { name: "Restore" }).click();
  await confirm("before", "Restore");
  assert.equal(await count(), 1);
  await rewinds.getByRole("button", { name: "Empty all tables" }).click();
  await confirm("reset", "Empty all tables");
  assert.equal(await count(), 0);
  await rewinds.getByRole("button", { name: "Delete all tables" }).click();
  await confirm("reset", "Delete all tables");
  assert.deepEqual(await must(server, "ListTables", {}), { TableNames: [] });
  await rewinds.getByRole("button", { name: "Delete", exact: true }).click();
  await rewinds.getByText("until the server stops").waitFor();
  await close(page);
});
