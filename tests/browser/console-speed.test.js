// How fast the console answers on a large table. MONOTABLE_CONSOLE_ITEMS sets how many items there
// are: the suite takes fewer than the goal speaks of, 1,000,000, since making them takes longer
// than looking at them. What was measured is printed as a table in the end.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";

import { launch } from "./chromium.js";
import { ask, close, isBusy, model, must, openConsole, visit } from "./console.js";
import { startOn } from "./server.js";

const ITEMS = Number(process.env.MONOTABLE_CONSOLE_ITEMS ?? 20_000);
/** A tenth of the items are of one customer. */
const PARTITION = ITEMS / 10;
/** Milliseconds at the median: the goal. A machine that is busy with others proves little. */
const MEDIAN_MAX = isBusy() ? 2000 : 100;
/** Milliseconds of processor time that the page takes: the goal, whoever else works here. */
const WORK_MAX = 100;
/** Interactions that come with another one, which opens a dialog. */
const PREPARED = new Set(["save", "remove", "create", "removeAll", "readOn"]);
/** Items of a page that are deleted together: as many as a batch has. */
const BULK = 25;
const TIMES = 9;
const ATTEMPTS_MAX = 3;
const ELEMENTS_MAX = 3_000;
/**
 * What an interaction may ask the server for. Times depend on who else works here; these counts do
 * not.
 */
const NOTHING = { requests: 0, kilobytes: 0 };
const PAGE = { requests: 2, kilobytes: 100 };
const INDEX = { requests: 3, kilobytes: 150 };
const FEW = { requests: 5, kilobytes: 60 };
/** Live has a request for the iterator of each shard, and another for its records. */
const VIEWS = { requests: 16, kilobytes: 60 };
/** Where others work, a step takes longer than the two seconds between two looks. */
const LOOKS = { requests: 16, kilobytes: 300 };
const DESIGN = { requests: 2, kilobytes: 100 };
const SHOP = "EcommerceTable";
const text = model("e-commerce");
let server, browser, page, metrics, folder;
/** What was measured, as the rows of a table. */
const measured = [];

before(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "console-speed-"));
  server = await startOn(folder);
  browser = await launch();
  const { changes } = await ask(server, "changes", { model: text, tables: {} });
  for (const { operation, body } of changes) await must(server, operation, body);
  await fill();
  const StreamSpecification = { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" };
  await must(server, "UpdateTable", { TableName: SHOP, StreamSpecification });
  await must(server, "UpdateContributorInsights", { TableName: SHOP, ContributorInsightsAction: "ENABLE" });
  page = await openConsole(browser, server, { text });
  metrics = await page.context().newCDPSession(page);
  await metrics.send("Performance.enable", { timeDomain: "threadTicks" });
});

after(async () => {
  await browser?.close();
  server?.stop();
  fs.rmSync(folder, { recursive: true, force: true });
  const titles = ["Interaction", "median ms", "worst ms", "work ms", "requests", "kB"];
  const line = (cells) => `| ${cells.join(" | ")} |`;
  console.log([line(titles), "|---|--:|--:|--:|--:|--:|", ...measured.map(line)].join("\n"));
});

function order(place) {
  const customer = place < PARTITION ? "largest" : `customer${place % 1000}`;
  const id = `0o5Fs0EELR0fUjHjbCnEtdUwQe${String(place).padStart(7, "0")}`.slice(-27);
  return {
    PK: { S: `CUSTOMER#${customer}` },
    SK: { S: `#ORDER#${id}` },
    GSI1PK: { S: `ORDER#${id}` },
    GSI1SK: { S: `ORDER#${id}` },
    Username: { S: customer },
    OrderId: { S: id },
    CreatedAt: { S: "2026-01-01T00:00:00Z" },
    Status: { S: place % 3 ? "SHIPPED" : "PLACED" },
    Amount: { N: String(place) },
    NumberItems: { N: "2" },
  };
}

async function fill() {
  const batches = Array.from({ length: Math.ceil(ITEMS / 25) }, (_, batch) => batch * 25);
  const worker = async () => {
    for (let first = batches.pop(); first !== undefined; first = batches.pop()) {
      const count = Math.min(25, ITEMS - first);
      const requests = Array.from({ length: count }, (_, place) => ({ PutRequest: { Item: order(first + place) } }));
      await must(server, "BatchWriteItem", { RequestItems: { [SHOP]: requests } });
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

/** The milliseconds that the page has computed so far; waiting for others is not in them. */
async function computed() {
  const { metrics: all } = await metrics.send("Performance.getMetrics");
  return all.find(({ name }) => name === "TaskDuration").value * 1000;
}

/**
 * Does something several times, and checks the median of the milliseconds until the browser has
 * drawn it, and what each time asked of the server. A step runs in the page with its number: an
 * address to go to, the name of a button, or a key for the grid.
 */
async function median(name, most, step) {
  const steps = Array.from({ length: TIMES }, (_, times) => step(times));
  const workMax = PREPARED.has(steps[0][0]) ? 2 * WORK_MAX : WORK_MAX;
  let found = Infinity;
  let row = null;
  let first = null;
  // Others may work on this machine; a slow console is slow each time.
  for (let attempts = 0; attempts < ATTEMPTS_MAX && found >= MEDIAN_MAX; attempts += 1) {
    const before = await computed();
    const taken = await page.evaluate(measure, steps);
    const work = ((await computed()) - before) / TIMES;
    const millis = taken.map(({ millis }) => millis).sort((one, other) => one - other);
    found = millis[Math.floor(TIMES / 2)];
    const requests = Math.max(...taken.map((one) => one.requests));
    const kilobytes = Math.max(...taken.map(({ bytes }) => bytes)) / 1000;
    first ??= found;
    row = [found, millis.at(-1), work, requests, kilobytes].map((figure) => figure.toFixed(0));
    assert.ok(requests <= most.requests, `${name}: ${requests} requests`);
    assert.ok(work < workMax, `${name}: ${work} ms of work`);
    assert.ok(kilobytes <= most.kilobytes, `${name}: ${kilobytes} kB`);
  }
  if (first > found) row[0] += ` (${first.toFixed(0)} at first)`;
  measured.push([name, ...row]);
  assert.ok(found < MEDIAN_MAX, `${name}: ${found} ms`);
  const elements = await page.evaluate(() => document.querySelectorAll("*").length);
  assert.ok(elements < ELEMENTS_MAX, `${name}: ${elements} elements`);
}

/** Runs in the page. */
async function measure(steps) {
  const main = document.getElementById("main");
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const until = async (isDone) => {
    while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 1));
  };
  const shown = () => main.dataset.shown === location.hash;
  const button = (text) =>
    [...document.querySelectorAll("button")].find((one) => one.textContent.startsWith(text) && !one.disabled);
  const actions = {
    go: async (hash) => {
      location.hash = hash;
      await until(shown);
    },
    status: async (hash) => {
      await actions.go(hash);
      await until(() => main.querySelector(".tag"));
    },
    press: async (text) => {
      const before = location.hash;
      button(text).click();
      await until(() => location.hash !== before && shown());
    },
    key: (key) => document.querySelector(".grid").dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })),
    edit: async () => {
      button("Edit").click();
      await until(() => document.querySelector("dialog .check input:checked, dialog p[role=status]:not(:empty)"));
      document.querySelector("dialog").close();
    },
    save: async (text) => {
      button("Save").click();
      await until(() => document.querySelector(".grid").textContent.includes(`Amount${text}`));
    },
    remove: async () => {
      const before = document.querySelector(".grid-row").textContent;
      button("Delete item").click();
      await until(
        () => !document.querySelector("dialog") && document.querySelector(".grid-row").textContent !== before,
      );
    },
    search: async (text) => {
      button("Search").click();
      write(document.querySelector("dialog input"), text);
      await until(() => document.querySelector(".results li")?.textContent.includes("items of table"));
      document.querySelector("dialog").close();
    },
    create: async () => {
      button("Create").click();
      await until(() => !document.querySelector("dialog") && shown());
    },
    removeAll: async () => {
      button("Delete items").click();
      await until(() => !document.querySelector("dialog") && shown());
    },
    readOn: async () => {
      button("Read on").click();
      await until(() => shown() && document.querySelector(".grid-row"));
    },
    change: async (card) => {
      const control = () => document.querySelector(`[aria-label="${card}"] button`);
      const before = control().textContent;
      control().click();
      await until(() => control().textContent !== before && !control().disabled);
    },
    slide: async ([title, value]) => {
      const total = () => document.querySelector("[data-total]").textContent;
      const before = total();
      const sliders = [...document.querySelectorAll("input[type=range]")];
      write(
        sliders.find((slider) => slider.labels[0].textContent.startsWith(title)),
        value,
      );
      await until(() => total() !== before);
    },
    toggle: async (text) => button(text).click(),
    tab: async ([name, drawn]) => {
      document.querySelector(`[data-tab=${name}]`).click();
      await until(() => document.querySelector(drawn));
    },
    run: async () => {
      document.querySelector(".panel-body .stack").replaceChildren();
      button("Run").click();
      await until(() => document.querySelector(".card .chip"));
    },
  };
  const write = (control, text) => {
    control.value = text;
    control.dispatchEvent(new Event("input", { bubbles: true }));
  };
  /** What is done before an action, and is not part of it. */
  const preparations = {
    save: async (text) => {
      document.querySelector(".grid-row").click();
      button("Edit").click();
      await until(() => document.querySelector("dialog .check input:checked"));
      write(document.querySelector('dialog [aria-label="Value of Amount"]'), text);
      await until(() => button("Save"));
    },
    create: async (sort) => {
      button("New item").click();
      await until(() => document.querySelector("dialog"));
      write(document.querySelector('dialog [aria-label="Value of SK"]'), sort);
    },
    removeAll: (count) => {
      button("Mark all").click();
      button(`Delete ${count} marked`).click();
      write(document.querySelector("[data-confirm]"), String(count));
    },
    readOn: async (hash) => {
      location.hash = "#/tables";
      await until(shown);
      location.hash = hash;
      await until(() => shown() && button("Read on"));
    },
    remove: () => {
      document.querySelector(".grid-row").click();
      button("Delete").click();
      write(document.querySelector("[data-confirm]"), "delete");
    },
  };
  const taken = [];
  for (const [action, argument] of steps) {
    await preparations[action]?.(argument);
    await frame();
    performance.clearResourceTimings();
    const began = performance.now();
    await actions[action](argument);
    await frame();
    const millis = performance.now() - began;
    const asked = performance.getEntriesByType("resource").filter(({ initiatorType }) => initiatorType === "fetch");
    const bytes = asked.reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0);
    taken.push({ millis, requests: asked.length, bytes });
  }
  return taken;
}

const COLLECTION = `#/items/${SHOP}?p=${encodeURIComponent('["CUSTOMER#largest"]')}`;

test(`every interaction is answered at once, with ${ITEMS} items`, async () => {
  await visit(page, "#/tables");
  await page.locator("main .tag").first().waitFor();
  const ofTables = ["#/tables", `#/tables/${SHOP}`];
  await median("tables and one table", { requests: 3, kilobytes: 5 }, (times) => ["status", ofTables[(times + 1) % 2]]);
  await visit(page, `#/items/${SHOP}`);
  await median("next page", PAGE, () => ["press", "Next"]);
  await visit(page, `#/items/${SHOP}`);
  await median("there and back", PAGE, (times) => ["press", times % 2 ? "‹" : "Next"]);
  await median("a large collection", PAGE, (times) => ["go", times % 2 ? `#/items/${SHOP}` : COLLECTION]);
  await visit(page, `${COLLECTION}&limit=1000`);
  await median("from end to end of a thousand rows", NOTHING, (times) => ["key", times % 2 ? "Home" : "End"]);
  await median("one row further", NOTHING, () => ["key", "ArrowUp"]);
  await median("an index", INDEX, (times) => ["go", times % 2 ? `#/items/${SHOP}` : `#/items/${SHOP}?index=GSI1`]);
  const filter = encodeURIComponent(JSON.stringify([["Status", "=", "S", "PLACED", ""]]));
  await median("a filter", PAGE, (times) => ["go", `${COLLECTION}&filter=${filter}&limit=${times % 2 ? 100 : 50}`]);
  await page.locator(".grid-row").first().click();
  await median("the editor", { requests: 2, kilobytes: 3 }, () => ["edit"]);
  // It is on the second page.
  const rare = encodeURIComponent(JSON.stringify([["Amount", "=", "N", "1500", ""]]));
  await median("reading on", INDEX, () => ["readOn", `${COLLECTION}&limit=1000&filter=${rare}`]);
  await visit(page, `${COLLECTION}&limit=50`);
  await page.locator(".grid-row .chip").first().waitFor();
  await median("an edit that is saved", { requests: 3, kilobytes: 50 }, (times) => ["save", `${7_000_000 + times}`]);
  await median("an item that is deleted", { requests: 3, kilobytes: 50 }, () => ["remove"]);
  let made = 0;
  await median("an item that is created", { requests: 4, kilobytes: 60 }, () => ["create", `new ${(made += 1)}`]);
  await visit(page, `${COLLECTION}&limit=${BULK}`);
  await median("items that are deleted together", { requests: 3, kilobytes: 60 }, () => ["removeAll", BULK]);
  await visit(page, `${COLLECTION}&limit=1000`);
  await median("what is shown as a file", NOTHING, (times) => ["toggle", times % 2 ? "CSV" : "JSON"]);
  await visit(page, `#/tables/${SHOP}`);
  await median("a setting of a table", { requests: 10, kilobytes: 20 }, () => ["change", "Deletion protection"]);
  await median("the search", FEW, () => ["search", "ecommerce"]);
  await visit(page, COLLECTION);
  await median("columns", NOTHING, (times) => ["toggle", times % 2 ? "Inline" : "Columns"]);
  const statement = (limit) => encodeURIComponent(`SELECT * FROM "${SHOP}" WHERE PK = 'CUSTOMER#customer${limit}'`);
  await visit(page, `#/items/${SHOP}?statement=${statement(1)}`);
  await median("PartiQL", PAGE, (times) => ["go", `#/items/${SHOP}?statement=${statement(times + 2)}`]);
  await visit(page, `#/live/${SHOP}`);
  const live = [
    ["requests", ".panel-body .empty"],
    ["errors", ".panel-body .cards"],
    ["changes", '.panel-body [role="log"]'],
  ];
  await median("tabs of Live", VIEWS, (times) => ["tab", live[times % 3]]);
  const keys = [
    ["keys", ".panel-body .heat"],
    ["requests", ".panel-body .empty"],
  ];
  await median("hot keys", LOOKS, (times) => ["tab", keys[times % 2]]);
  await visit(page, "#/tables");
  await median("operations", LOOKS, (times) => ["go", times % 2 ? "#/tables" : "#/operations"]);
  await visit(page, "#/design?tab=cost");
  const slides = { requests: 1, kilobytes: 100 };
  await median("a slider of the cost", slides, (times) => ["slide", ["Rates", String(1 + (times % 2))]]);
  await visit(page, "#/design?tab=diagram");
  const design = [
    ["entities", ".panel-body table"],
    ["items", ".picture"],
    ["cost", "[data-total]"],
    ["patterns", ".panel-body table"],
    ["diagram", ".picture"],
  ];
  await median("tabs of Design", DESIGN, (times) => ["tab", design[times % 5]]);
  await visit(page, "#/tables");
  await median("views", VIEWS, (times) => ["go", ["#/design", "#/tables", `#/live/${SHOP}`][times % 3]]);
  await visit(page, "#/patterns/customer%20and%20newest%20orders");
  await page.getByLabel("Username S").fill("largest");
  await median("an access pattern", { requests: 4, kilobytes: 50 }, () => ["run"]);
  await close(page);
});
