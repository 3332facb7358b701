// The console under test: a page of it that fails the test on any error, and what tests ask of it.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

import axe from "axe-core";

import { call } from "./server.js";

const MODELS = path.resolve(import.meta.dirname, "../../examples/models");

/** The file of an example model. */
export function modelFile(name) {
  return path.join(MODELS, `${name}.toml`);
}

/** The text of an example model. */
export function model(name) {
  return fs.readFileSync(modelFile(name), "utf8");
}

/** Opens the console; what the browser complains about is in `page.complaints`. */
export async function openConsole(
  browser,
  server,
  { text = "", scheme = "light", viewport = { width: 1280, height: 800 } } = {},
) {
  const context = await browser.newContext({ colorScheme: scheme, viewport, acceptDownloads: true });
  const page = await context.newPage();
  page.complaints = [];
  page.on(
    "console",
    (message) => ["error", "warning"].includes(message.type()) && page.complaints.push(message.text()),
  );
  page.on("pageerror", (error) => page.complaints.push(error.message));
  // A model is kept by the browser; a later page of the same test keeps what it has.
  await page.addInitScript((given) => {
    if (given && !localStorage.getItem("monotable.model")) localStorage.setItem("monotable.model", given);
  }, text);
  page.setDefaultTimeout(15_000);
  page.endpoint = server.endpoint;
  return page;
}

/** Goes to a view, and waits until it is shown. */
export async function visit(page, hash) {
  await page.goto(`${page.endpoint}/${hash}`);
  await shown(page);
}

/** Waits until the view of the address is shown with all that belongs to it. */
export async function shown(page) {
  await page.waitForFunction(() => document.getElementById("main").dataset.shown === location.hash);
}

/** Forgets that calls were refused: the browser logs every one, and the test wanted it. */
export function forgive(page) {
  page.complaints = page.complaints.filter((text) => !/status of 40[039]/.test(text));
}

/** Leaves a dialog in which something was changed, and says that it may be lost. */
export async function discard(page) {
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Discard", exact: true }).click();
  await page.locator("dialog").first().waitFor({ state: "detached" });
}

/** The address of the items that a query of a partition finds. */
export function partition(table, key) {
  return `#/items/${table}?p=${encodeURIComponent(JSON.stringify([key]))}`;
}

/** Checks that the browser had nothing to complain about, and closes the page. */
export async function close(page) {
  assert.deepEqual(page.complaints, []);
  await page.context().close();
}

/** What axe finds that is serious. */
export async function accessibilityFaults(page) {
  // The policy of the console lets no foreign script in; the browser itself may bring one.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return violations
    .filter(({ impact }) => ["serious", "critical"].includes(impact))
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .map(({ target, failureSummary }) => `${target} ${failureSummary}`)
          .slice(0, 3)
          .join("; ")}`,
    );
}

/** Whether others work on this machine, so that times mean little. */
export function isBusy() {
  return os.loadavg()[0] > os.cpus().length;
}

/** Calls an operation, and fails the test if it is refused. */
export async function must(server, operation, request) {
  const { status, body } = await call(server.endpoint, operation, request);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** Asks the server what the console asks it. */
export async function ask(server, question, body) {
  const response = await fetch(`${server.endpoint}/_monotable/console/${question}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  assert.equal(response.status, 200, await response.clone().text());
  return response.json();
}

/** Makes the tables of a model and fills them with generated items; gives the items. */
export async function deploy(server, text) {
  const { changes } = await ask(server, "changes", { model: text, tables: {} });
  for (const { operation, body } of changes) await must(server, operation, body);
  const { items } = await ask(server, "seed", { model: text, seed: 7 });
  for (let at = 0; at < items.length; at += 25) {
    const RequestItems = {};
    for (const { table, item } of items.slice(at, at + 25))
      (RequestItems[table] ??= []).push({ PutRequest: { Item: item } });
    await must(server, "BatchWriteItem", { RequestItems });
  }
  return items;
}
