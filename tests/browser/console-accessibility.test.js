// Every view of the console in both colour schemes: axe finds nothing serious, the browser
// complains about nothing, and with MONOTABLE_SCREENSHOTS=1 the pictures of the guide are made.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";

import { launch } from "./chromium.js";
import { accessibilityFaults, close, deploy, model, modelFile, must, openConsole, visit } from "./console.js";
import { call, startOn } from "./server.js";

const PICTURES = path.resolve(import.meta.dirname, "../../docs/guide/console");
/** The pictures that the guide shows. */
const IN_GUIDE = new Set([
  "tables-light.png",
  "phone-light.png",
  "items-light.png",
  "index-light.png",
  "editor-light.png",
  "design-light.png",
  "cost-dark.png",
  "compare-light.png",
  "pattern-light.png",
  "live-light.png",
  "requests-light.png",
  "keys-light.png",
  "operations-dark.png",
]);
const SHOP = "EcommerceTable";
const text = model("e-commerce");
/** The same shop with a change that stored items have to follow, and one that costs more. */
const edited = text
  .replace('name = "e-commerce"', 'name = "e-commerce-next"')
  .replaceAll("CUSTOMEREMAIL#{Email}", "MAIL#{Email}")
  .replace(/rate = 20\b/, "rate = 60");
const PHONE = { width: 390, height: 844 };
/** Room for attributes beside the details of an item. */
const WIDE = { width: 1600, height: 800 };
let server, browser, items, folder;

before(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "console-"));
  server = await startOn(folder, "--model", modelFile("e-commerce"), "--model", modelFile("github-backend"));
  browser = await launch();
  items = await deploy(server, text);
  await deploy(server, model("github-backend"));
  await must(server, "UpdateTable", {
    TableName: SHOP,
    StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" },
  });
});

after(async () => {
  await browser?.close();
  server?.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

const customer = () => items.find(({ entity }) => entity === "Customer").item;

const VIEWS = [
  ["tables", () => "#/tables"],
  ["table", () => "#/tables/GitHubTable"],
  ["items", collection, chooseRow, { viewport: WIDE }],
  [
    "index",
    () => `#/items/${SHOP}?index=GSI1&limit=25`,
    (page) => page.locator(".grid").evaluate((grid) => (grid.scrollTop = 1e6)),
  ],
  ["editor", collection, openEditor],
  ["design", () => "#/design?tab=diagram"],
  ["design-patterns", () => "#/design?tab=patterns"],
  ["design-items", () => "#/design?tab=items"],
  ["cost", () => "#/design?tab=cost"],
  ["lint", () => "#/design?tab=lint"],
  [
    "compare",
    () => "#/design?model=%40browser&tab=compare&with=e-commerce",
    (page) => page.getByRole("region", { name: "Cost of both" }).waitFor(),
    { text: edited },
  ],
  ["deploy", () => "#/design?tab=deploy", (page) => page.locator(".panel-body table").waitFor()],
  [
    "pattern",
    () => `#/patterns/customer%20and%20newest%20orders?a.Username=${customer().Username.S}`,
    (page) => page.locator(".card .chip").first().waitFor(),
  ],
  ["live", () => `#/live/${SHOP}`, change],
  ["requests", () => `#/live/${SHOP}?tab=requests`, (page) => load(page, "tr[data-pattern] .spark path[d*=L]")],
  ["keys", () => `#/live/${SHOP}?tab=keys`, (page) => load(page, ".heat rect:not(.heat0)")],
  ["errors", () => `#/live/${SHOP}?tab=errors`, (page) => load(page, "td .spark path[d*=L]", refused)],
  ["operations", () => "#/operations", busy],
  ["phone", collection, (page) => page.locator(".grid-row").first().waitFor(), { viewport: PHONE }],
];

function collection() {
  return `#/items/${SHOP}?order=desc&p=${encodeURIComponent(JSON.stringify([customer().PK.S]))}`;
}

async function chooseRow(page) {
  await page.locator(".grid").focus();
  await page.keyboard.press("ArrowDown");
  await page.locator(".detail").waitFor();
}

async function openEditor(page) {
  await chooseRow(page);
  await page.keyboard.press("Enter");
  await page.getByLabel("Value of Name").fill("Ada Anchor");
  await page.locator("dialog [data-condition]", { hasText: "Name is still as shown" }).waitFor();
}

let written = 0;

/** Gives the server something to count until the charts have lines. */
async function busy(page) {
  const key = { PK: customer().PK, SK: customer().SK };
  while ((await page.locator(".spark path:not(.area)").nth(1).getAttribute("d")).split("L").length < 4) {
    for (let times = 0; times < 20; times += 1) await must(server, "GetItem", { TableName: SHOP, Key: key });
    await must(server, "Query", {
      TableName: SHOP,
      KeyConditionExpression: "PK = :p",
      ExpressionAttributeValues: { ":p": key.PK },
    });
    // A write that changes nothing need not be stored.
    written += 1;
    await must(server, "UpdateItem", {
      TableName: SHOP,
      Key: key,
      UpdateExpression: "SET Visits = :n",
      ExpressionAttributeValues: { ":n": { N: String(written) } },
    });
  }
}

/**
 * Asks for customers, some more often than others, until there is something to see; for a picture,
 * for some time. `besides` is done to some of them.
 */
async function load(page, selector, besides = () => {}) {
  const customers = items.filter(({ entity }) => entity === "Customer").map(({ item }) => item);
  const until = Date.now() + (process.env.MONOTABLE_SCREENSHOTS ? 45_000 : 0);
  for (let round = 0; Date.now() < until || !(await page.locator(selector).count()); round += 1) {
    for (const [place, { PK, SK }] of customers.entries()) {
      if (round % (place + 1)) continue;
      const values = { ExpressionAttributeValues: { ":p": PK }, ScanIndexForward: false, Limit: 11 };
      await must(server, "Query", { TableName: SHOP, KeyConditionExpression: "PK = :p", ...values });
      if (place % 3 === 0) await besides({ PK, SK });
    }
    await page.waitForTimeout(40);
  }
}

/** A write under a condition that no item meets. */
function refused(Item) {
  const unmet = { ConditionExpression: "attribute_not_exists(PK)" };
  return call(server.endpoint, "PutItem", { TableName: SHOP, Item, ...unmet });
}

let rounds = 0;

async function change(page) {
  rounds += 1;
  await page.locator(".tag", { hasText: "following" }).waitFor();
  const orders = items.filter(({ entity }) => entity === "Order").slice(0, 6);
  for (const [place, { item }] of orders.entries()) {
    await must(server, "UpdateItem", {
      TableName: SHOP,
      Key: { PK: item.PK, SK: item.SK },
      UpdateExpression: "SET #status = :status, Amount = :amount",
      ExpressionAttributeNames: { "#status": "Status" },
      ExpressionAttributeValues: {
        ":status": { S: place % 2 ? "SHIPPED" : "CANCELLED" },
        ":amount": { N: String(1000 * rounds + place) },
      },
    });
  }
  await page
    .locator(".record")
    .nth(orders.length - 1)
    .waitFor();
}

for (const scheme of ["light", "dark"]) {
  for (const [name, hash, prepare, options = {}] of VIEWS) {
    test(`${name} is accessible in ${scheme} colours`, async () => {
      const page = await openConsole(browser, server, { text, scheme, ...options });
      await visit(page, hash());
      await prepare?.(page);
      assert.deepEqual(await accessibilityFaults(page), []);
      const picture = `${name}-${scheme}.png`;
      if (process.env.MONOTABLE_SCREENSHOTS && IN_GUIDE.has(picture))
        await page.screenshot({ path: path.join(PICTURES, picture) });
      await close(page);
    });
  }
}

test("on a phone nothing is wider than the screen", async () => {
  const page = await openConsole(browser, server, { text, viewport: PHONE });
  for (const [name, hash] of VIEWS) {
    await visit(page, hash());
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= PHONE.width, `${name} is ${width} wide`);
  }
  await close(page);
});

test("on a phone a bar of two lines covers nothing, and words stay whole", async () => {
  const page = await openConsole(browser, server, { text, viewport: PHONE });
  await visit(page, "#/tables/GitHubTable");
  const bar = await page.locator(".bar").boundingBox();
  const below = await page.locator(".card").first().boundingBox();
  assert.ok(below.y >= bar.y + bar.height, `${below.y} after ${bar.y + bar.height}`);
  const kind = page
    .getByRole("region", { name: "Indexes" })
    .locator("td", { hasText: /^global$/ })
    .first();
  const lines = await kind.evaluate((cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    return range.getClientRects().length;
  });
  assert.equal(lines, 1);
  await page.getByRole("button", { name: "Delete table" }).click();
  await page.getByRole("dialog", { name: "Delete table GitHubTable" }).waitFor();
  await close(page);
});

test("the keyboard is enough: search, go, move, open, close", async () => {
  const page = await openConsole(browser, server, { text });
  await visit(page, "#/tables");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Shortcuts" }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("/");
  await page.getByRole("combobox", { name: "Search" }).fill("items ecommerce");
  await page.locator(".results li", { hasText: SHOP }).first().waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(new RegExp(`items/${SHOP}`));
  await page.locator(".grid-row").first().waitFor();
  await page.locator(".grid").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.locator(".grid-row[aria-selected=true]").getAttribute("id"), "row-1");
  for (const [key, view] of [
    ["o", "operations"],
    ["p", "patterns"],
    ["d", "design"],
    ["l", "live"],
    ["t", "tables"],
    ["i", "items"],
  ]) {
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("g");
    await page.keyboard.press(key);
    await page.waitForURL(new RegExp(`#/${view}`));
  }
  await close(page);
});
