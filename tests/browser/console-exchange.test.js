// Models of other tools and of running tables in the console, models for other tools, and two
// models side by side.
import assert from "node:assert/strict";
import fs from "node:fs";
import { after, before, test } from "node:test";

import { launch } from "./chromium.js";
import { accessibilityFaults, ask, close, deploy, forgive, model, modelFile, openConsole, visit } from "./console.js";
import { start } from "./server.js";

const SHOP = "EcommerceTable";
const CHANGED = model("e-commerce")
  .replaceAll("CUSTOMEREMAIL#{Email}", "MAIL#{Email}")
  .replace(/rate = 20\b/, "rate = 200");
let server, browser, page;

before(async () => {
  server = await start("--model", modelFile("e-commerce"), "--model", modelFile("github-backend"));
  browser = await launch();
  await deploy(server, model("e-commerce"));
  page = await openConsole(browser, server);
});

after(async () => {
  await browser?.close();
  server?.stop();
});

const area = () => page.getByLabel("Text of the model");
const state = (text) => page.locator(".bar .tag", { hasText: text }).waitFor();

async function open(name, text) {
  await page.getByLabel("File of a model").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
}

/** Closes the dialog that says what was not carried over. */
async function closeNotes(title) {
  await page.getByRole("dialog", { name: title }).waitFor();
  await page.keyboard.press("Escape");
}

test("a model is written for each other tool, and what a tool writes is read again", async () => {
  await visit(page, "#/design?model=e-commerce");
  await page.getByRole("button", { name: "Export" }).click();
  const format = page.getByRole("combobox", { name: "Format" });
  const code = page.getByRole("region", { name: "Exported model" });
  const written = new Map();
  for (const name of await format.locator("option").evaluateAll((all) => all.map((one) => one.value))) {
    const { text } = await ask(server, "export", { model: model("e-commerce"), format: name });
    await format.selectOption(name);
    await page.waitForFunction((wanted) => document.querySelector("dialog .code pre").textContent === wanted, text);
    written.set(name, await code.locator("pre").textContent());
  }
  assert.equal(written.size, 13);
  assert.deepEqual(await accessibilityFaults(page), []);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("dialog").getByRole("button", { name: "Save" }).click(),
  ]);
  assert.equal(fs.readFileSync(await download.path(), "utf8"), [...written.values()].at(-1));
  await page.keyboard.press("Escape");
  await visit(page, "#/design?model=%40browser");
  for (const [name, file, title] of [
    ["workbench", "shop.json", "NoSQL Workbench"],
    ["onetable", "shop.json", "OneTable"],
    ["cloudformation", "shop.yaml", "CloudFormation, YAML"],
    ["terraform", "shop.tf", "Terraform"],
    ["electrodb", "shop.ts", "ElectroDB"],
  ]) {
    await open(file, written.get(name));
    await page
      .locator("dialog h2, #notices > div", { hasText: `Read as ${title}` })
      .first()
      .waitFor();
    await page.keyboard.press("Escape");
    await state("consistent");
    assert.match(await area().inputValue(), /global_indexes.GSI1/, name);
  }
});

test("a file that is no model says so, and the text stays", async () => {
  const before = await area().inputValue();
  await open("other.json", '{"hello": 1}');
  await page.locator("#notices .bad").waitFor();
  assert.equal(await area().inputValue(), before);
  forgive(page);
});

test("a model is found from a running table", async () => {
  await page.getByRole("button", { name: "From table" }).click();
  await page.getByRole("combobox", { name: "Table" }).selectOption(SHOP);
  await page.getByRole("button", { name: "Find the model" }).click();
  await closeNotes(`A model of ${SHOP}`);
  await state("consistent");
  const text = await area().inputValue();
  assert.match(text, /CUSTOMER#\{Username\}/);
  assert.match(text, /#ORDER#\{OrderId/);
});

test("two designs are compared by keys, patterns and cost, and the address is enough to see it again", async () => {
  await open("changed.toml", CHANGED);
  await state("consistent");
  await page.getByRole("tab", { name: "Compare" }).click();
  await page.getByRole("combobox", { name: "Compare with" }).selectOption("e-commerce");
  const other = await openConsole(browser, server, { text: CHANGED });
  await visit(other, new URL(page.url()).hash);
  for (const one of [page, other]) {
    const key = one.locator("tr[data-change]", { hasText: "MAIL#{Email}" }).first();
    await key.waitFor();
    assert.match(await key.textContent(), /CUSTOMEREMAIL#\{Email\}.*rewrite/s);
    const cost = one.getByRole("region", { name: "Cost of both" });
    const pattern = await cost.locator("tr", { hasText: "customer and newest orders" }).textContent();
    assert.match(pattern, /\+\d/);
    assert.match(await one.getByRole("region", { name: "Plan" }).textContent(), /backfill/i);
  }
  assert.deepEqual(await accessibilityFaults(other), []);
  await close(other);
  await page.getByLabel("File to compare with").setInputFiles({
    name: "same.toml",
    mimeType: "text/plain",
    buffer: Buffer.from(CHANGED),
  });
  await page.getByText("Tables, entities and access patterns are the same.").waitFor();
  await close(page);
});
