// Every view of the console on two designs and in both colour schemes: axe finds nothing serious,
// the browser complains about nothing, and with MONOTABLE_SCREENSHOTS=1 the pictures of the guide
// are made.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";

import { launch } from "./chromium.js";
import { accessibilityFaults, close, deploy, model, modelFile, must, openConsole, shown, visit } from "./console.js";
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
  "github-folded-light.png",
  "cost-dark.png",
  "compare-light.png",
  "pattern-light.png",
  "live-light.png",
  "requests-light.png",
  "keys-light.png",
  "operations-dark.png",
]);
/** The designs that are walked through: their tables, and what is looked at and changed there. */
const SHOP = {
  name: "e-commerce",
  table: "EcommerceTable",
  index: "GSI1",
  entity: "Customer",
  attribute: ["Name", "Ada Anchor"],
  pattern: ({ Username }) => `customer%20and%20newest%20orders?a.Username=${Username.S}&`,
  changing: { entity: "Order", status: ["CANCELLED", "SHIPPED"], number: "Amount" },
  /** The same design with a change that stored items have to follow, and one that costs more. */
  edit: (text) => text.replaceAll("CUSTOMEREMAIL#{Email}", "MAIL#{Email}").replace(/rate = 20\b/, "rate = 60"),
};
const GITHUB = {
  name: "github-backend",
  table: "GitHubTable",
  index: "GSI2",
  entity: "Repo",
  attribute: ["StarCount", "42"],
  pattern: ({ RepoOwner, RepoName }) =>
    `repository%20and%20newest%20issues?a.RepoOwner=${RepoOwner.S}&a.RepoName=${RepoName.S}&`,
  changing: { entity: "Issue", status: ["Closed", "Open"], number: "Votes" },
  edit: (text) => text.replaceAll("STAR#{Username}", "STARGAZER#{Username}").replace(/rate = 200\b/, "rate = 600"),
};
const PHONE = { width: 390, height: 844 };
/** Room for attributes beside the details of an item. */
const WIDE = { width: 1600, height: 800 };
let server, browser, folder;

before(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "console-"));
  const models = [SHOP, GITHUB].flatMap(({ name }) => ["--model", modelFile(name)]);
  server = await startOn(folder, ...models);
  browser = await launch();
  for (const design of [SHOP, GITHUB]) {
    design.text = model(design.name);
    design.edited = design.edit(design.text).replace(`name = "${design.name}"`, `name = "${design.name}-next"`);
    design.items = await deploy(server, design.text);
    await must(server, "UpdateTable", {
      TableName: design.table,
      StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" },
    });
  }
});

after(async () => {
  await browser?.close();
  server?.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

const itemsOf = ({ items }, wanted) => items.filter(({ entity }) => entity === wanted).map(({ item }) => item);
const first = (design) => itemsOf(design, design.entity)[0];

/** Each view: its name, its address for a design, and what is done there before it is looked at. */
const VIEWS = [
  ["tables", () => "#/tables"],
  ["table", ({ table }) => `#/tables/${table}`],
  ["items", collection, chooseRow, { viewport: WIDE }],
  ["columns", (design) => `${collection(design)}&layout=columns`],
  [
    "index",
    ({ table, index }) => `#/items/${table}?index=${index}&limit=25`,
    (page) => page.locator(".grid").evaluate((grid) => (grid.scrollTop = 1e6)),
  ],
  ["statement", ({ table }) => `#/items/${table}?statement=${encodeURIComponent(`SELECT * FROM "${table}"`)}`],
  ["editor", collection, openEditor],
  ["design", ({ name }) => `#/design?model=${name}&tab=diagram`],
  ["folded", ({ name }) => `#/design?model=${name}&tab=diagram&text=hidden`],
  ["design-entities", ({ name }) => `#/design?model=${name}&tab=entities`],
  ["design-patterns", ({ name }) => `#/design?model=${name}&tab=patterns`],
  ["design-items", ({ name }) => `#/design?model=${name}&tab=items`],
  ["cost", ({ name }) => `#/design?model=${name}&tab=cost`],
  ["lint", ({ name }) => `#/design?model=${name}&tab=lint`],
  [
    "compare",
    ({ name }) => `#/design?model=%40browser&tab=compare&with=${name}`,
    (page) => page.getByRole("region", { name: "Cost of both" }).waitFor(),
    { isEdited: true },
  ],
  ["deploy", ({ name }) => `#/design?model=${name}&tab=deploy`, (page) => page.locator(".panel-body table").waitFor()],
  [
    "pattern",
    (design) => `#/patterns/${design.pattern(first(design))}model=${design.name}`,
    (page) => page.locator(".card .chip").first().waitFor(),
  ],
  ["live", ({ table }) => `#/live/${table}`, change],
  [
    "requests",
    ({ table }) => `#/live/${table}?tab=requests`,
    (page, design) => load(page, design, "tr[data-pattern] .spark path[d*=L]"),
  ],
  ["keys", ({ table }) => `#/live/${table}?tab=keys`, (page, design) => load(page, design, ".heat rect:not(.heat0)")],
  [
    "errors",
    ({ table }) => `#/live/${table}?tab=errors`,
    (page, design) => load(page, design, "td .spark path[d*=L]", refused),
  ],
  ["operations", () => "#/operations", busy],
  ["phone", collection, (page) => page.locator(".grid-row").first().waitFor(), { viewport: PHONE }],
];

/** What is over a view, whichever design it is of: a dialog, by its name. */
const DIALOGS = [
  ["Search", "#/tables", (page) => page.keyboard.press("/")],
  ["Shortcuts", "#/tables", (page) => page.keyboard.press("?")],
  ["Credentials", "#/tables", (page) => page.getByRole("button", { name: "Credentials" }).click()],
  ["Create table", "#/tables", (page) => page.keyboard.press("n")],
  ["New item", `#/items/${SHOP.table}`, (page) => page.keyboard.press("n")],
  [
    `Delete table ${SHOP.table}`,
    `#/tables/${SHOP.table}`,
    (page) => page.getByRole("button", { name: "Delete table" }).click(),
  ],
  ["Export", "#/design", (page) => page.getByRole("button", { name: "Export" }).click()],
];

function collection(design) {
  return `#/items/${design.table}?order=desc&p=${encodeURIComponent(JSON.stringify([first(design).PK.S]))}`;
}

async function chooseRow(page, { entity }) {
  const row = page.locator(".grid-row", { has: page.locator(".chip", { hasText: new RegExp(`^${entity}$`) }) });
  await row.first().click();
  await page.locator(".detail").waitFor();
}

async function openEditor(page, design) {
  await chooseRow(page, design);
  await page.locator(".grid").focus();
  await page.keyboard.press("Enter");
  const [name, value] = design.attribute;
  await page.getByLabel(`Value of ${name}`, { exact: true }).fill(value);
  await page.locator("dialog [data-condition]", { hasText: `${name} is still as shown` }).waitFor();
}

let written = 0;

/** Gives the server something to count until the charts have lines. */
async function busy(page, design) {
  const { table } = design;
  const { PK, SK } = first(design);
  while ((await page.locator(".spark path:not(.area)").nth(1).getAttribute("d")).split("L").length < 4) {
    for (let times = 0; times < 20; times += 1) await must(server, "GetItem", { TableName: table, Key: { PK, SK } });
    await must(server, "Query", {
      TableName: table,
      KeyConditionExpression: "PK = :p",
      ExpressionAttributeValues: { ":p": PK },
    });
    // A write that changes nothing need not be stored.
    written += 1;
    await must(server, "UpdateItem", {
      TableName: table,
      Key: { PK, SK },
      UpdateExpression: "SET Visits = :n",
      ExpressionAttributeValues: { ":n": { N: String(written) } },
    });
  }
}

/**
 * Asks for the items of an entity, some more often than others, until there is something to see;
 * for a picture, for some time. `besides` is done to some of them.
 */
async function load(page, design, selector, besides = () => {}) {
  const { table } = design;
  const until = Date.now() + (process.env.MONOTABLE_SCREENSHOTS && design === SHOP ? 45_000 : 0);
  for (let round = 0; Date.now() < until || !(await page.locator(selector).count()); round += 1) {
    for (const [place, { PK, SK }] of itemsOf(design, design.entity).entries()) {
      if (round % (place + 1)) continue;
      const values = { ExpressionAttributeValues: { ":p": PK }, ScanIndexForward: false, Limit: 11 };
      await must(server, "Query", { TableName: table, KeyConditionExpression: "PK = :p", ...values });
      if (place % 3 === 0) await besides({ PK, SK }, table);
    }
    await page.waitForTimeout(40);
  }
}

/** A write under a condition that no item meets. */
function refused(Item, TableName) {
  const unmet = { ConditionExpression: "attribute_not_exists(PK)" };
  return call(server.endpoint, "PutItem", { TableName, Item, ...unmet });
}

let rounds = 0;

async function change(page, design) {
  const { entity, status, number } = design.changing;
  rounds += 1;
  await page.locator(".tag", { hasText: "following" }).waitFor();
  const changed = itemsOf(design, entity).slice(0, 6);
  for (const [place, { PK, SK }] of changed.entries()) {
    await must(server, "UpdateItem", {
      TableName: design.table,
      Key: { PK, SK },
      UpdateExpression: "SET #status = :status, #number = :number",
      ExpressionAttributeNames: { "#status": "Status", "#number": number },
      ExpressionAttributeValues: {
        ":status": { S: status[place % 2] },
        ":number": { N: String(1000 * rounds + place) },
      },
    });
  }
  await page
    .locator(".record")
    .nth(changed.length - 1)
    .waitFor();
}

for (const design of [SHOP, GITHUB]) {
  for (const scheme of ["light", "dark"]) {
    for (const [name, hash, prepare, { isEdited = false, ...options } = {}] of VIEWS) {
      test(`${name} of ${design.name} is accessible in ${scheme} colours`, async () => {
        const text = isEdited ? design.edited : design.text;
        const page = await openConsole(browser, server, { text, scheme, ...options });
        await visit(page, hash(design));
        await prepare?.(page, design);
        assert.deepEqual(await accessibilityFaults(page), []);
        const picture = `${design === SHOP ? "" : "github-"}${name}-${scheme}.png`;
        if (process.env.MONOTABLE_SCREENSHOTS && IN_GUIDE.has(picture))
          await page.screenshot({ path: path.join(PICTURES, picture) });
        await close(page);
      });
    }
  }
}

for (const scheme of ["light", "dark"]) {
  for (const [name, hash, open] of DIALOGS) {
    test(`the dialog ${name} is accessible in ${scheme} colours`, async () => {
      const page = await openConsole(browser, server, { text: SHOP.text, scheme });
      await visit(page, hash);
      await open(page);
      await page.getByRole("dialog", { name, exact: true }).waitFor();
      assert.deepEqual(await accessibilityFaults(page), []);
      await close(page);
    });
  }
}

test("what a dialog holds is no higher than the dialog", async () => {
  const page = await openConsole(browser, server, { text: SHOP.text });
  await visit(page, collection(SHOP));
  await openEditor(page, SHOP);
  const { content, room } = await page.locator("dialog").evaluate((dialog) => ({
    content: dialog.scrollHeight,
    room: dialog.clientHeight,
  }));
  assert.equal(content, room);
  await close(page);
});

test("on a phone most of the screen is for the items", async () => {
  const page = await openConsole(browser, server, { text: SHOP.text, viewport: PHONE });
  await visit(page, collection(SHOP));
  const grid = await page.locator(".grid").boundingBox();
  assert.ok(grid.height > PHONE.height / 2, `${grid.height}`);
  await page.getByRole("button", { name: SHOP.table }).click();
  await page.getByLabel("PK", { exact: true }).fill("nobody");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByText("No items have this key.").waitFor();
  await close(page);
});

test("the focus goes to the content of another view, and is never lost", async () => {
  const page = await openConsole(browser, server, { text: SHOP.text });
  const focused = () => page.evaluate(() => document.activeElement.id);
  await visit(page, "#/tables");
  const items = page.locator("#nav a", { hasText: "Items" });
  await items.focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/#\/items/);
  await shown(page);
  assert.equal(await focused(), "main");
  await visit(page, `#/items/${SHOP.table}?limit=25`);
  await page.getByRole("button", { name: "Next" }).focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/start=/);
  await shown(page);
  assert.equal(await focused(), "main");
  await close(page);
});

test("on a phone nothing is wider than the screen", async () => {
  const page = await openConsole(browser, server, { text: SHOP.text, viewport: PHONE });
  for (const design of [SHOP, GITHUB]) {
    for (const [name, hash] of VIEWS) {
      await visit(page, hash(design));
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= PHONE.width, `${name} of ${design.name} is ${width} wide`);
    }
  }
  await close(page);
});

test("on a phone all of the frame is in sight", async (t) => {
  const reading = await startOn(path.join(folder, "reading"), "--console", "read-only");
  t.after(() => reading.stop());
  const page = await openConsole(browser, reading, { viewport: PHONE });
  await visit(page, "#/tables");
  for (const text of ["Operations", "Search", "Shortcuts", "Credentials", "Read-only"]) {
    const { x, width } = await page.locator("header").getByText(text).boundingBox();
    assert.ok(x >= 0 && x + width <= PHONE.width, `${text} from ${x} to ${x + width}`);
  }
  await close(page);
});

test("on a phone a bar of two lines covers nothing, and words stay whole", async () => {
  const page = await openConsole(browser, server, { text: SHOP.text, viewport: PHONE });
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
  const page = await openConsole(browser, server, { text: SHOP.text });
  await visit(page, "#/tables");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Shortcuts" }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("/");
  await page.getByRole("combobox", { name: "Search" }).fill("items ecommerce");
  await page.locator(".results li", { hasText: SHOP.table }).first().waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(new RegExp(`items/${SHOP.table}`));
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
