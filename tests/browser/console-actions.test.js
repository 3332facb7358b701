// What is done to items from a page of them: to those that are meant, and to no others; and what a
// page can be of.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { launch } from "./chromium.js";
import { accessibilityFaults, close, forgive, must, openConsole, partition, shown, visit } from "./console.js";
import { start } from "./server.js";

const [THINGS, OTHERS] = ["Things", "Others"];
/** Items of the table; the index has every tenth. */
const COUNT = 60;
let server, browser, page;

const attribute = (name) => ({ AttributeName: name, AttributeType: "S" });
const schema = (...names) =>
  names.map((AttributeName, place) => ({ AttributeName, KeyType: place ? "RANGE" : "HASH" }));

before(async () => {
  server = await start();
  browser = await launch();
  for (const name of [THINGS, OTHERS]) {
    await must(server, "CreateTable", {
      TableName: name,
      KeySchema: schema("pk", "sk"),
      AttributeDefinitions: ["pk", "sk", "chosen"].map(attribute),
      GlobalSecondaryIndexes: [
        { IndexName: "chosen", KeySchema: schema("chosen"), Projection: { ProjectionType: "ALL" } },
      ],
      BillingMode: "PAY_PER_REQUEST",
    });
    await fill(name);
  }
  page = await openConsole(browser, server);
});

after(async () => {
  await browser?.close();
  server?.stop();
});

async function fill(name) {
  for (let place = 0; place < COUNT; place += 1) {
    const item = { pk: { S: "a" }, sk: { S: `${place}`.padStart(2, "0") }, number: { N: String(place) } };
    if (place % 10 === 0) item.chosen = { S: "yes" };
    await must(server, "PutItem", { TableName: name, Item: item });
  }
}

async function count(name) {
  return (await must(server, "Scan", { TableName: name, Select: "COUNT" })).Count;
}

/** How many rows of the page are marked. */
const marked = (number) => page.getByRole("button", { name: `Delete ${number} marked` });

async function deleteMarked(number) {
  await marked(number).click();
  await page.locator("[data-confirm]").fill(String(number));
  await page.getByRole("button", { name: "Delete items" }).click();
}

const statement = (text) => `#/items/${THINGS}?statement=${encodeURIComponent(text)}`;

test("all rows of an index are deleted, and none that it lacks", async () => {
  await visit(page, `#/items/${THINGS}?index=chosen`);
  await page.locator(".grid-row.absent").first().waitFor();
  assert.equal(await page.locator(".grid-row.absent input").count(), 0);
  await page.getByRole("button", { name: "Mark all" }).click();
  await page.locator(".grid").focus();
  await page.keyboard.press("End");
  await page.keyboard.press(" ");
  await marked(COUNT / 10).waitFor();
  await deleteMarked(COUNT / 10);
  await page.locator(".foot", { hasText: /^0 items/ }).waitFor();
  assert.equal(await count(THINGS), COUNT - COUNT / 10);
  await fill(THINGS);
});

test("items of another table that a statement reads cannot be changed here, and it is said why", async () => {
  for (const [text, table] of [
    [`SELECT * FROM "${OTHERS}"`, OTHERS],
    [`select pk, sk from ${OTHERS} where pk = 'a'`, OTHERS],
    [`SELECT * FROM "${OTHERS}"."chosen"`, OTHERS],
  ]) {
    await visit(page, statement(text));
    await page.locator(".grid-row").first().click();
    const detail = page.locator(".detail");
    await detail.getByText(`These are items of ${table}, not of ${THINGS}`).waitFor();
    for (const name of ["Edit", "Duplicate", "Delete"])
      assert.equal(await page.getByRole("button", { name, exact: true }).count(), 0, name);
    assert.equal(await page.getByRole("button", { name: "Mark all" }).count(), 0);
    await page.locator(".grid").focus();
    await page.keyboard.press(" ");
    await page.keyboard.press("Enter");
    assert.equal(await page.locator("dialog, .foot button.danger:visible").count(), 0);
  }
  assert.deepEqual(await accessibilityFaults(page), []);
});

test("items of the table itself can be changed from a statement, unless it leaves their keys out", async () => {
  await visit(page, statement(`SELECT * FROM "${THINGS}" WHERE pk = 'a' AND sk = '01'`));
  await page.locator(".grid-row").first().click();
  await page.getByRole("button", { name: "Edit" }).waitFor();
  await visit(page, statement(`SELECT number FROM "${THINGS}" WHERE pk = 'a'`));
  await page.locator(".grid-row").first().click();
  await page.locator(".detail").getByText("The row lacks the key").waitFor();
  await page.getByRole("button", { name: "Mark all" }).click();
  assert.equal(await page.locator(".foot button.danger:visible").count(), 0);
});

test("the table of a statement is the one that it names", async () => {
  const named = (text) =>
    page.evaluate(async (given) => {
      const link = document.querySelector('link[rel=modulepreload][href$="/statement.js"]');
      return (await import(link.href)).tableNamed(given);
    }, text);
  for (const [text, table] of [
    ["SELECT * FROM Things", "Things"],
    ['SELECT "from" FROM "a ""b"" c" WHERE x = \'from Others\'', 'a "b" c'],
    ["SELECT 'x from y' FROM Things.byName", "Things"],
    ["UPDATE \"Things\" SET a = 'b' WHERE pk = 'c'", "Things"],
    ["INSERT INTO Things VALUE {'pk': 'a'}", "Things"],
    ["DELETE FROM Things WHERE pk = 'a'", "Things"],
    ['SELECT * FROM "arn:aws:dynamodb:us-east-1:000000000000:table/Things"', "Things"],
    ["SELECT 1", null],
  ])
    assert.equal(await named(text), table, text);
});

test("a sort key without a partition key is a filter, and it is said", async () => {
  await visit(page, `#/items/${THINGS}`);
  await page.getByLabel("Comparison of the sort key").selectOption("between");
  await page.getByLabel("sk", { exact: true }).fill("10");
  await page.getByLabel("Upper end of the sort key").fill("19");
  await page.locator("[data-cost]", { hasText: "the rest of the key is a filter" }).waitFor();
  await page.getByRole("button", { name: "Run" }).click();
  await page.waitForURL(/op=between/);
  await shown(page);
  assert.match(await page.locator(".foot").textContent(), new RegExp(`^10 items · ${COUNT - 10} read and thrown away`));
});

test("filters are joined by and or by or, turned round, and written as expressions", async () => {
  const found = async (filters, match = "") => {
    const query = `filter=${encodeURIComponent(JSON.stringify(filters))}${match}&limit=1000`;
    await visit(page, `#/items/${THINGS}?${query}`);
    return page.locator(".foot").textContent();
  };
  const below = ["number", "<", "N", "3", ""];
  const above = ["number", ">=", "N", "58", ""];
  assert.match(await found([below, above]), /^0 items/);
  assert.match(await found([below, above], "&match=any"), /^5 items/);
  assert.match(await found([[...below, true]]), new RegExp(`^${COUNT - 3} items`));
  const written = "(number < 3 OR \"number\" in (7, 8)) and not sk = '01' AND size(sk) = 2 and attribute_exists(pk)";
  assert.match(await found([["", "written", "S", written, ""]]), /^4 items/);
  assert.match(await found([["sk", "size<", "S", "2", ""]]), /^0 items/);
  assert.deepEqual(await accessibilityFaults(page), []);
});

test("a filter is filled in by hand and stands in the address", async () => {
  await visit(page, `#/items/${THINGS}`);
  const row = (place) => page.locator(".filter-row").nth(place);
  for (const place of [0, 1]) {
    await page.getByRole("button", { name: "Add filter" }).click();
    await row(place).getByLabel("Attribute of the filter").fill("sk");
    await row(place).getByLabel("Value of the filter").fill(`0${place}`);
  }
  await page.getByLabel("How many filters must pass").selectOption("any");
  await row(1).getByLabel("Turn the filter round").check();
  await page.getByRole("button", { name: "Run" }).click();
  await page.waitForURL(/match=any/);
  await shown(page);
  assert.match(await page.locator(".foot").textContent(), new RegExp(`^${COUNT - 1} items`));
  assert.equal(await row(1).getByLabel("Turn the filter round").isChecked(), true);
});

test("a rare item is found by reading on, and its page has an address", async () => {
  const filter = encodeURIComponent(JSON.stringify([["number", "=", "N", "47", ""]]));
  await visit(page, `#/items/${THINGS}?limit=10&filter=${filter}`);
  await page.getByText("Nothing on this page passes the filter").waitFor();
  await page.getByRole("button", { name: "Read on until found" }).click();
  await page.waitForURL(/start=/);
  await page.locator(".grid-row", { hasText: "47" }).waitFor();
  await page.getByRole("button", { name: "Previous" }).click();
  await page.waitForURL((url) => !url.hash.includes("start="));
  const nothing = encodeURIComponent(JSON.stringify([["number", "=", "N", "470", ""]]));
  await visit(page, `#/items/${THINGS}?limit=10&filter=${nothing}`);
  await page.getByRole("button", { name: "Read on until found" }).click();
  await page.getByText("Nothing here passes the filter.").waitFor();
  assert.match(await page.locator(".foot").textContent(), new RegExp(`^0 items · ${COUNT} read and thrown away`));
});

test("the row that is chosen stands in the address", async () => {
  await visit(page, partition(THINGS, "a"));
  await page.locator(".grid-row", { hasText: "07" }).first().click();
  await page.waitForURL(/row=/);
  const other = await openConsole(browser, server);
  await visit(other, new URL(page.url()).hash);
  await other.locator(".detail").waitFor();
  assert.match(await other.locator(".grid-row[aria-selected=true]").textContent(), /07/);
  await other.locator(".detail").getByRole("button", { name: "Close" }).click();
  await other.waitForURL((url) => !url.hash.includes("row="));
  await close(other);
});

test("a view that is left takes its dialogs along, and asks before something is lost", async () => {
  const editor = page.getByRole("dialog", { name: /^Edit/ });
  const question = page.getByRole("dialog", { name: "Discard what was changed?" });
  const edit = async () => {
    await page.locator(".grid-row").first().click();
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await editor.waitFor();
  };
  const hash = () => new URL(page.url()).hash;
  await visit(page, "#/tables");
  await visit(page, `#/items/${THINGS}`);
  await edit();
  await page.goBack();
  await page.waitForURL(/#\/tables$/);
  await editor.waitFor({ state: "detached" });
  await page.goForward();
  await shown(page);
  await edit();
  await page.waitForURL(/row=/);
  const here = hash();
  await page.getByLabel("Value of number").fill("4711");
  await page.goBack();
  await question.waitFor();
  // What the view has to note, such as the row that is chosen, is not for the address of another.
  await page.evaluate(async () => {
    const { note } = await import(document.querySelector('link[rel=modulepreload][href$="/address.js"]').href);
    note(["items", "Things"], { row: "other" });
  });
  assert.equal(hash(), "#/tables");
  await question.getByRole("button", { name: "Go on editing" }).click();
  await page.waitForURL((url) => url.hash === here);
  assert.equal(await page.getByLabel("Value of number").inputValue(), "4711");
  // The browser asks before the whole page goes, if it is told to.
  const isHeld = () => page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true })));
  assert.equal(await isHeld(), true);
  await page.goBack();
  await question.getByRole("button", { name: "Discard" }).click();
  await page.waitForURL(/#\/tables$/);
  await editor.waitFor({ state: "detached" });
  await shown(page);
  assert.equal(await isHeld(), false);
});

test("of many attributes some have columns, and the others share one", async () => {
  const names = Array.from({ length: 300 }, (_, place) => `a${String(place).padStart(3, "0")}`);
  const TableName = "Wide";
  await must(server, "CreateTable", {
    TableName,
    KeySchema: schema("pk", "sk"),
    AttributeDefinitions: ["pk", "sk"].map(attribute),
    BillingMode: "PAY_PER_REQUEST",
  });
  for (let place = 0; place < 30; place += 1) {
    const some = names.slice(place * 10, place * 10 + 10).map((name) => [name, { S: "x" }]);
    const Item = { pk: { S: "wide" }, sk: { S: `${place}` }, common: { S: "y" }, ...Object.fromEntries(some) };
    await must(server, "PutItem", { TableName, Item });
  }
  await visit(page, `${partition(TableName, "wide")}&layout=columns`);
  const head = page.locator(".grid-head > *");
  // The mark, two keys, sixty attributes, and the rest.
  assert.equal(await head.count(), 64);
  assert.equal(await head.last().textContent(), "241 more attributes");
  await head.filter({ hasText: /^common$/ }).waitFor({ state: "attached" });
  const elements = await page.evaluate(() => document.querySelectorAll("*").length);
  assert.ok(elements < 5_000, `${elements}`);
});

test("many deletions that the table takes only in parts are all done in the end", async () => {
  await faults(["unprocessed rate=0.5 share=0.5 operation=BatchWriteItem"]);
  await visit(page, `${partition(OTHERS, "a")}&limit=1000`);
  await page.getByRole("button", { name: "Mark all" }).click();
  await deleteMarked(COUNT);
  await page.locator(".foot", { hasText: /^0 items/ }).waitFor();
  assert.equal(await count(OTHERS), 0);
  await faults([]);
});

test("deletions that the table does not take can be ended", async () => {
  await faults(["throttle rate=1 operation=BatchWriteItem"]);
  await visit(page, `${partition(THINGS, "a")}&limit=1000`);
  await page.getByRole("button", { name: "Mark all" }).click();
  const refused = page.waitForResponse((response) => response.status() === 400);
  await deleteMarked(COUNT);
  await refused;
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.locator("dialog").waitFor({ state: "detached" });
  // Nothing goes on behind the back of whoever ended it.
  await faults([]);
  await visit(page, `#/items/${THINGS}?limit=1000`);
  assert.equal(await count(THINGS), COUNT);
  forgive(page);
  await close(page);
});

async function faults(list) {
  const answer = await fetch(`${server.endpoint}/_monotable/faults`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ seed: 1, faults: list }),
  });
  assert.equal(answer.status, 200, await answer.text());
}
