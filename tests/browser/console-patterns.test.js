// Access patterns in the console: the form, the requests, and what came of them.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { launch } from "./chromium.js";
import { ask, close, deploy, forgive, model, must, openConsole, visit } from "./console.js";
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

const COUNTED = `
format = 1
name = "counted"

[tables.Counted]
partition_key = "PK"
sort_key = "SK"

[entities.Thing]
key = { partition = "T#{group}", sort = "{number}" }
attributes = { group = "S", number = "S" }

[patterns."things of a group"]
operation = "query"
entity = "Thing"
by = ["group"]

[patterns."several things"]
operation = "batch-get"
entity = "Thing"
by = ["group", "number"]
rows = 2

[patterns."put things"]
operation = "put"
entity = "Thing"
`;

test("of a large partition as many rows are read as a step takes, and it is said", async () => {
  const [{ operation, body }] = (await ask(server, "changes", { model: COUNTED, tables: {} })).changes;
  await must(server, operation, body);
  const puts = Array.from({ length: 12_000 }, (_, place) => {
    const number = String(place).padStart(5, "0");
    const Item = { PK: { S: "T#all" }, SK: { S: number }, group: { S: "all" }, number: { S: number } };
    return { PutRequest: { Item } };
  });
  const write = () => must(server, "BatchWriteItem", { RequestItems: { Counted: puts.splice(0, 25) } });
  while (puts.length) await Promise.all(Array.from({ length: 16 }, () => (puts.length ? write() : null)));
  const other = await openConsole(browser, server, { text: COUNTED });
  await visit(other, "#/patterns/things%20of%20a%20group?a.group=all");
  const query = other.locator("section[aria-label=Query]");
  await query.locator("h3", { hasText: "the first 10,000 of 12,000 rows, 0 read and thrown away" }).waitFor();
  await query.getByText("the first 200 of 10,000 rows").waitFor();
  assert.equal(await query.locator("tbody tr").count(), 200);
  await close(other);
});

test("what a batch leaves undone is asked for again", async () => {
  const other = await openConsole(browser, server, { text: COUNTED });
  let batches = 0;
  await other.route("**/", async (route) => {
    const isBatch = route.request().headers()["x-amz-target"]?.endsWith("BatchGetItem");
    if (!isBatch) return route.fallback();
    batches += 1;
    const { RequestItems } = route.request().postDataJSON();
    const left = batches === 1 ? { Counted: { Keys: RequestItems.Counted.Keys.splice(1) } } : {};
    const response = await route.fetch({ postData: { ...route.request().postDataJSON(), RequestItems } });
    return route.fulfill({ response, json: { ...(await response.json()), UnprocessedKeys: left } });
  });
  await visit(other, "#/patterns/several%20things");
  await other.getByLabel(/^group/).fill("all");
  await other.getByLabel(/^number/).fill(`["00001", "00002"]`);
  await other.getByRole("button", { name: "Run" }).click();
  await other.locator("section[aria-label=BatchGetItem] h3", { hasText: "2 rows" }).waitFor();
  assert.equal(batches, 2);
  await close(other);
});

test("a pattern that writes runs once, however often Run is pressed meanwhile", async () => {
  const other = await openConsole(browser, server, { text: COUNTED });
  let puts = 0;
  await other.route("**/", async (route) => {
    if (!route.request().headers()["x-amz-target"]?.endsWith("PutItem")) return route.fallback();
    puts += 1;
    return route.fallback();
  });
  await visit(other, "#/patterns/put%20things");
  await other.getByLabel(/^group/).fill("one");
  await other.getByLabel(/^number/).fill("1");
  await other.getByRole("button", { name: "Run" }).dblclick();
  await other.locator("section[aria-label=PutItem]").waitFor();
  await other.locator("button.primary:not([disabled])", { hasText: "Run" }).waitFor();
  assert.equal(puts, 1);
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
