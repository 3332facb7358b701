// Items of the GitHub model in the console: its indexes, and an edit, a copy and a deletion, of
// which the database holds what the model says.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { launch } from "./chromium.js";
import { close, deploy, model, modelFile, must, openConsole, partition, visit } from "./console.js";
import { start } from "./server.js";

const TABLE = "GitHubTable";
let server, browser, page, items;

before(async () => {
  server = await start("--model", modelFile("github-backend"));
  browser = await launch();
  items = await deploy(server, model("github-backend"));
  page = await openConsole(browser, server);
});

after(async () => {
  await browser?.close();
  server?.stop();
});

const of = (entity) => items.filter((one) => one.entity === entity).map(({ item }) => item);

async function stored({ PK, SK }) {
  return (await must(server, "GetItem", { TableName: TABLE, Key: { PK, SK }, ConsistentRead: true })).Item;
}

async function chooseRow(row) {
  await page.locator(".grid-row", row).first().click();
  await page.locator(".detail").waitFor();
}

const value = (name) => page.getByLabel(`Value of ${name}`, { exact: true });
const isFollowing = () => page.waitForFunction(() => document.querySelector("dialog label.check input")?.checked);
const written = () => page.locator("dialog").waitFor({ state: "detached" });

test("each index shows what it holds, and which items of the table it lacks", async () => {
  for (const [index, inIt, outside] of [
    ["GSI1", "PullRequest", "Star"],
    ["GSI2", "Fork", "Issue"],
    ["GSI3", "User", "Membership"],
  ]) {
    await visit(page, `#/items/${TABLE}?index=${index}&limit=1000`);
    const held = items.filter(({ item }) => item[`${index}PK`]).length;
    const foot = await page.locator(".foot").textContent();
    assert.match(
      foot,
      new RegExp(`^${held} items?${items.length - held} of this page of the table are not in ${index}`),
    );
    const { Items } = await must(server, "Scan", { TableName: TABLE, IndexName: index });
    assert.equal(Items.length, held);
    assert.ok(
      of(outside).every((item) => item[`${index}PK`] === undefined),
      outside,
    );
    await page
      .locator(".grid-row .chip", { hasText: new RegExp(`^${inIt}$`) })
      .first()
      .waitFor({ state: "attached" });
    await page.locator(".grid").focus();
    await page.keyboard.press("End");
    await page
      .locator(".grid-row.absent", { hasText: `not in ${index}` })
      .first()
      .waitFor();
  }
});

test("an edit of a repository moves it in the index of its account's repositories", async () => {
  const repo = of("Repo")[0];
  await visit(page, partition(TABLE, repo.PK.S));
  await chooseRow({ has: page.locator(".chip", { hasText: /^Repo$/ }) });
  await page.getByRole("button", { name: "Edit" }).click();
  await isFollowing();
  await value("UpdatedAt").fill("2031-02-03T04:05:06Z");
  await page.locator('[data-built="GSI3SK"]', { hasText: "#2031-02-03T04:05:06Z" }).waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await written();
  const expected = { ...repo, UpdatedAt: { S: "2031-02-03T04:05:06Z" }, GSI3SK: { S: "#2031-02-03T04:05:06Z" } };
  assert.deepEqual(await stored(repo), expected);
});

test("an issue is duplicated under another number, and the copy is deleted", async () => {
  const issue = of("Issue")[0];
  const copy = { ...issue, IssueNumber: { N: "9876543" }, SK: { S: "ISSUE#9876543" } };
  await visit(page, partition(TABLE, issue.PK.S));
  await chooseRow({ hasText: issue.SK.S });
  await page.getByRole("button", { name: "Duplicate" }).click();
  await isFollowing();
  await value("IssueNumber").fill("9876543");
  await page.locator('[data-built="SK"]', { hasText: "ISSUE#9876543" }).waitFor();
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await written();
  assert.deepEqual(await stored(copy), copy);
  assert.deepEqual(await stored(issue), issue);
  await chooseRow({ hasText: "ISSUE#9876543" });
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.locator("[data-confirm]").fill("delete");
  await page.getByRole("button", { name: "Delete item" }).click();
  await page.locator(".grid-row", { hasText: "ISSUE#9876543" }).waitFor({ state: "detached" });
  assert.equal(await stored(copy), undefined);
  assert.deepEqual(await stored(issue), issue);
  await close(page);
});
