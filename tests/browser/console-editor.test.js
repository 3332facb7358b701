// The editor of an item: what nobody touches stays to the byte, keys follow their attributes, and
// nothing that was changed is lost by accident.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";

import { launch } from "./chromium.js";
import { accessibilityFaults, close, deploy, discard, must, openConsole, partition, visit } from "./console.js";
import { start } from "./server.js";

const SHOP = "Shop";
const MODEL = `
format = 1
name = "shop"

[tables.Shop]
partition_key = "PK"
sort_key = "SK"

[tables.Shop.global_indexes.GSI1]
partition_key = "GSI1PK"
sort_key = "GSI1SK"

[entities.Order]
key = { partition = "CUSTOMER#{customer}", sort = "ORDER#{order}" }
count = 3

[entities.Order.indexes]
GSI1 = { partition = "STATUS#{status}", sort = "{order}" }

[entities.Order.attributes]
customer = "S"
order = "S"
status = { type = "S", enum = ["PLACED", "SHIPPED"], mutable = true }
note = "S"
`;
const ORDER = {
  PK: { S: "CUSTOMER#ann" },
  SK: { S: "ORDER#7" },
  GSI1PK: { S: "STATUS#PLACED" },
  GSI1SK: { S: "7" },
  customer: { S: "ann" },
  order: { S: "7" },
  status: { S: "PLACED" },
  note: { S: "none" },
};
let server, browser, page;

before(async () => {
  server = await start();
  browser = await launch();
  await deploy(server, MODEL);
  page = await openConsole(browser, server, { text: MODEL });
});

after(async () => {
  await browser?.close();
  server?.stop();
});

beforeEach(() => visit(page, "#/tables"));

/** Puts an item, and opens the editor on it. */
async function openEditor(item) {
  await must(server, "PutItem", { TableName: SHOP, Item: item });
  await visit(page, partition(SHOP, item.PK.S));
  await page.locator(".grid-row", { hasText: item.SK.S }).first().click();
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByRole("dialog", { name: "Edit item" }).waitFor();
}

async function save() {
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator("dialog").waitFor({ state: "detached" });
}

async function stored({ PK, SK }) {
  return (await must(server, "GetItem", { TableName: SHOP, Key: { PK, SK }, ConsistentRead: true })).Item;
}

const value = (name) => page.getByLabel(`Value of ${name}`);
const follows = () => page.getByLabel("Keys follow the attributes");
const isFollowing = () => page.waitForFunction(() => document.querySelector("dialog label.check input").checked);
const built = (name) => page.locator(`[data-built="${name}"]`);

const ODD = {
  PK: { S: "odd" },
  SK: { S: "odd" },
  windows: { S: "one\r\ntwo\r\n" },
  old: { S: "one\rtwo" },
  mixed: { S: "one\r\ntwo\nthree\r" },
  empty: { S: "" },
  lines: { SS: ["a\nb", "c"] },
  numbers: { NS: ["1", "2.5"] },
  digits: { N: "1.1" },
  blob: { B: "AAEC" },
  blobs: { BS: ["AAEC", "/w=="] },
  list: { L: [{ SS: ["x"] }, { N: "1" }, { B: "AA==" }, { S: "a\r\nb" }] },
  map: { M: { in: { NS: ["1"] }, nothing: { NULL: true } } },
  nothing: { NULL: true },
  flag: { BOOL: false },
  change: { S: "before" },
};

test("what nobody touched in the form is written as it was", async () => {
  await openEditor(ODD);
  await value("change").fill("after");
  const condition = await page.locator("[data-condition]").textContent();
  assert.match(condition, /if change is still as shown/);
  await save();
  assert.deepEqual(await stored(ODD), { ...ODD, change: { S: "after" } });
});

test("a text that is changed keeps the ends of its lines", async () => {
  await openEditor(ODD);
  await value("windows").fill("one\nother\n");
  await value("old").fill("one\nother");
  await save();
  assert.deepEqual(await stored(ODD), { ...ODD, windows: { S: "one\r\nother\r\n" }, old: { S: "one\rother" } });
});

test("what a form cannot show so that it can be read back is not changed there", async () => {
  await openEditor(ODD);
  for (const name of ["mixed", "lines"]) {
    assert.equal(await value(name).evaluate((control) => control.readOnly), true, name);
    assert.equal(await page.getByLabel(`Type of ${name}`).isDisabled(), true, name);
  }
  await page.getByText("A member has several lines or none").waitFor();
  await page.getByText("Its lines do not all end alike").waitFor();
  await page.keyboard.press("Escape");
});

test("a set of plain JSON stays a set though its array was empty for a moment", async () => {
  const item = { PK: { S: "sets" }, SK: { S: "sets" }, tags: { SS: ["a"] }, sums: { NS: ["1"] } };
  await openEditor(item);
  await page.getByRole("tab", { name: "Plain JSON" }).click();
  const area = page.getByLabel("Plain JSON");
  const text = await area.inputValue();
  await area.fill(text.replace(/\[\s*"a"\s*\]/, "[]"));
  await page.locator("dialog [role=alert]", { hasText: "a set has a member at least" }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Save" }).isDisabled(), true);
  await area.fill(text.replace(/\[\s*"a"\s*\]/, '["b"]'));
  await save();
  assert.deepEqual(await stored(item), { ...item, tags: { SS: ["b"] } });
});

test("an attribute of an index key changes the key, and both are shown before and written together", async () => {
  await openEditor(ORDER);
  await isFollowing();
  await value("status").fill("SHIPPED");
  await built("GSI1PK").waitFor();
  assert.equal(await built("GSI1PK").textContent(), "GSI1PK: STATUS#PLACED → STATUS#SHIPPED");
  assert.equal(await value("GSI1PK").inputValue(), "STATUS#SHIPPED");
  assert.deepEqual(await accessibilityFaults(page), []);
  await save();
  assert.deepEqual(await stored(ORDER), { ...ORDER, status: { S: "SHIPPED" }, GSI1PK: { S: "STATUS#SHIPPED" } });
});

test("keys follow in JSON too, and an item whose own key changes is moved", async () => {
  await openEditor(ORDER);
  await isFollowing();
  await page.getByRole("tab", { name: "DynamoDB JSON" }).click();
  const area = page.getByLabel("DynamoDB JSON");
  await area.fill((await area.inputValue()).replace('"S": "ann"', '"S": "eve"'));
  await page.locator("[data-condition]", { hasText: "TransactWriteItems" }).waitFor();
  await save();
  assert.equal(await stored(ORDER), undefined);
  const moved = { ...ORDER, customer: { S: "eve" }, PK: { S: "CUSTOMER#eve" } };
  assert.deepEqual(await stored(moved), moved);
});

test("a key that is changed by hand stays so, and it is said", async () => {
  await openEditor(ORDER);
  await isFollowing();
  await value("GSI1SK").fill("by hand");
  await page.getByText("A key was changed by hand").waitFor();
  await value("status").fill("SHIPPED");
  await save();
  assert.deepEqual(await stored(ORDER), { ...ORDER, status: { S: "SHIPPED" }, GSI1SK: { S: "by hand" } });
});

test("an item whose keys are not those of the model keeps them, and it is said", async () => {
  const item = { ...ORDER, GSI1PK: { S: "STATUS#LOST" } };
  await openEditor(item);
  await page.getByText("The keys are not those that the model builds").waitFor();
  assert.equal(await follows().isChecked(), false);
  await value("status").fill("SHIPPED");
  await save();
  assert.deepEqual(await stored(item), { ...item, status: { S: "SHIPPED" } });
});

test("keys that cannot be built from what is left are not saved", async () => {
  await openEditor(ORDER);
  await isFollowing();
  await page.getByRole("button", { name: "Remove order" }).click();
  await page.locator("dialog [role=alert]", { hasText: "The keys cannot be built" }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Save" }).isDisabled(), true);
  page.complaints = page.complaints.filter((text) => !/status of 400/.test(text));
  await discard(page);
});

test("an attribute may be called like a member of all objects, and one without a name is not dropped", async () => {
  const item = { PK: { S: "names" }, SK: { S: "names" }, constructor: { S: "before" } };
  await openEditor(item);
  await value("constructor").fill("after");
  await page.getByRole("button", { name: "Add attribute" }).click();
  await page.getByLabel("Value of the attribute").fill("lost?");
  await page.locator("dialog [role=alert]", { hasText: "the attribute with the value lost? has no name" }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Save" }).isDisabled(), true);
  await page.getByLabel("Name of the attribute").last().fill("toString");
  await save();
  const written = { ...item, constructor: { S: "after" }, toString: { S: "lost?" } };
  assert.deepEqual(await stored(item), written);
  await page.getByRole("button", { name: "Columns" }).click();
  await page.locator(".grid-head", { hasText: "toString" }).waitFor();
});

test("a browser that would lose digits does not have them changed as plain JSON", async () => {
  const big = { N: "12345678901234567890" };
  const item = { PK: { S: "digits" }, SK: { S: "digits" }, big, map: { M: { big } } };
  await openEditor(item);
  await page.evaluate(() => delete JSON.rawJSON);
  await page.getByRole("tab", { name: "Plain JSON" }).click();
  await page.locator("dialog [role=alert]", { hasText: "would lose digits" }).waitFor();
  assert.equal(await page.getByRole("tab", { name: "Form" }).getAttribute("aria-selected"), "true");
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByText("This browser would lose digits of a number in it").waitFor();
  assert.equal(await value("map").evaluate((control) => control.readOnly), true);
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
  await page.reload();
});

test("a selection that ends beside the editor does not close it", async () => {
  await openEditor(ORDER);
  const area = value("note");
  const box = await area.boundingBox();
  await page.mouse.move(box.x + 5, box.y + 5);
  await page.mouse.down();
  await page.mouse.move(5, 5);
  await page.mouse.up();
  assert.equal(await page.getByRole("dialog", { name: "Edit item" }).count(), 1);
  await page.mouse.click(5, 5);
  await page.locator("dialog").waitFor({ state: "detached" });
});

test("what was changed is given up only when it is said so", async () => {
  await openEditor(ORDER);
  await value("note").fill("changed");
  const question = page.getByRole("dialog", { name: "Discard what was changed?" });
  for (const leave of [() => page.keyboard.press("Escape"), () => page.mouse.click(5, 5)]) {
    await leave();
    await question.getByRole("button", { name: "Go on editing" }).click();
    await question.waitFor({ state: "detached" });
    assert.equal(await value("note").inputValue(), "changed");
  }
  await discard(page);
  assert.deepEqual(await stored(ORDER), ORDER);
  await close(page);
});
