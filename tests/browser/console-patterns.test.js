// Access patterns in the console: the form, the requests, and what came of them.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { launch } from "./chromium.js";
import { close, deploy, forgive, model, must, openConsole, visit } from "./console.js";
import { start } from "./server.js";

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

const customer = () => items.find(({ entity }) => entity === "Customer").item;

test("a query is run with a form, its rows are grouped by entity, and its units stand beside the estimate", async () => {
  await visit(page, "#/patterns/customer%20and%20newest%20orders");
  await page.getByLabel("Username S").fill(customer().Username.S);
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByText("against an estimate of 0.5").waitFor();
  await page.locator(".card .chip", { hasText: "Order" }).waitFor();
  await page.locator(".card .chip", { hasText: "Customer" }).waitFor();
  assert.match(await page.locator("section[aria-label=Query] h3").textContent(), /11 rows, 0 read and thrown away/);
});

test("the address is enough to run a reading pattern again", async () => {
  const other = await openConsole(browser, server, { text });
  await visit(other, new URL(page.url()).hash);
  await other.getByText("against an estimate of 0.5").waitFor();
  await close(other);
});

test("what is missing is said, and nothing is sent", async () => {
  await visit(page, "#/patterns/order%20and%20its%20items");
  await page.getByRole("button", { name: "Run" }).click();
  await page.locator("[role=alert]", { hasText: "parameter OrderId is missing" }).waitFor();
  forgive(page);
});

test("a pattern that writes is run, and a condition that is not met is shown", async () => {
  await visit(page, "#/patterns/create%20customer");
  await page.getByLabel("Username S").fill("zoe");
  await page.getByLabel("Email S").fill("zoe@example.com");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByText("against an estimate of 4").waitFor();
  const { Item } = await must(server, "GetItem", {
    TableName: "EcommerceTable",
    Key: { PK: { S: "CUSTOMER#zoe" }, SK: { S: "CUSTOMER#zoe" } },
  });
  assert.equal(Item.Email.S, "zoe@example.com");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByText("The condition was not met").waitFor();
  forgive(page);
  await page.getByText("History").click();
  assert.ok((await page.locator("details li").count()) >= 2);
  await close(page);
});

test("a pattern of the GitHub model reads a repository with its newest issues", async () => {
  const github = model("github-backend");
  const seeded = await deploy(server, github);
  const { item } = seeded.find(({ entity }) => entity === "Issue");
  const [owner, repo] = [item.RepoOwner.S, item.RepoName.S];
  const sameRepo = (one) => one.RepoOwner?.S === owner && one.RepoName?.S === repo;
  const issues = seeded.filter(({ entity, item: one }) => entity === "Issue" && sameRepo(one));
  const other = await openConsole(browser, server, { text: github });
  await visit(other, "#/patterns/repository%20and%20newest%20issues");
  await other.getByLabel(/^RepoOwner/).fill(owner);
  await other.getByLabel(/^RepoName/).fill(repo);
  await other.getByRole("button", { name: "Run" }).click();
  const group = other.locator(".card div", { has: other.locator(".chip", { hasText: /^Issue$/ }) }).last();
  await group.waitFor();
  const rows = await other.locator(".card tbody tr", { hasText: "ISSUE#" }).count();
  assert.ok(rows > 0 && rows <= issues.length, `${rows} of ${issues.length}`);
  await close(other);
});

test("an address that writes is not run by itself", async () => {
  const other = await openConsole(browser, server, { text });
  await visit(other, "#/patterns/create%20customer?a.Username=eve&a.Email=eve%40example.com");
  assert.equal(await other.getByLabel("Username S").inputValue(), "eve");
  assert.equal(await other.locator("section.card").count(), 0);
  const { Item } = await must(server, "GetItem", {
    TableName: "EcommerceTable",
    Key: { PK: { S: "CUSTOMER#eve" }, SK: { S: "CUSTOMER#eve" } },
  });
  assert.equal(Item, undefined);
  await close(other);
});
