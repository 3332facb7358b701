// The models of the server in the console: they are what tables are known by, and can be replaced.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { launch } from "./chromium.js";
import { close, deploy, forgive, model, modelFile, openConsole, shown, visit } from "./console.js";
import { start } from "./server.js";

const SHOP = "EcommerceTable";
const NAME = "e-commerce";
let server, browser, page;

before(async () => {
  server = await start("--model", modelFile(NAME), "--model", modelFile("github-backend"));
  browser = await launch();
  await deploy(server, model(NAME));
  await deploy(server, model("github-backend"));
  page = await openConsole(browser, server);
});

after(async () => {
  await browser?.close();
  server?.stop();
});

/** The text of a model as the server has it. */
async function served(name) {
  const response = await fetch(`${server.endpoint}/_monotable/models?name=${encodeURIComponent(name)}`);
  return (await response.json()).text;
}

const state = (text) => page.locator(".bar .tag", { hasText: text }).waitFor();
const area = () => page.getByLabel("Text of the model");

test("items of each table are known by the model of the server that has it", async () => {
  await visit(page, `#/items/${SHOP}`);
  await page.locator(".grid-row .chip", { hasText: "Order" }).first().waitFor();
  await visit(page, "#/items/GitHubTable");
  await page.locator(".grid-row .chip", { hasText: "Issue" }).first().waitFor();
});

test("the design and the patterns are those of the model that is chosen", async () => {
  await visit(page, "#/design");
  assert.equal(await area().inputValue(), model(NAME));
  await page.getByRole("combobox", { name: "Model" }).selectOption("github-backend");
  await page.waitForURL(/model=github-backend/);
  await shown(page);
  assert.equal(await area().inputValue(), model("github-backend"));
  await visit(page, "#/patterns");
  await page.getByRole("combobox", { name: "Model" }).selectOption(NAME);
  await page.locator(".list a", { hasText: "customer and newest orders" }).waitFor();
});

test("a model that is changed here is given to the server, and a change can be discarded", async () => {
  await visit(page, `#/design?model=${NAME}`);
  const changed = model(NAME).replace(/^title = .*$/m, 'title = "Changed in the console"');
  const give = page.getByRole("button", { name: "Give to server" });
  assert.equal(await give.isDisabled(), true);
  await area().fill(changed);
  await state("consistent");
  await page.getByRole("button", { name: "Discard changes" }).click();
  assert.equal(await area().inputValue(), model(NAME));
  await page.locator("#notices").getByRole("button", { name: "Undo" }).click();
  assert.equal(await area().inputValue(), changed);
  await state("consistent");
  await give.click();
  await page.locator("#notices", { hasText: "watches its tables by e-commerce" }).waitFor();
  assert.equal(await served(NAME), changed);
  await page.getByRole("button", { name: "Discard changes" }).waitFor({ state: "hidden" });
});

test("what is typed into a model stays with it, though another one is chosen before it is checked", async () => {
  await visit(page, `#/design?model=${NAME}`);
  await state("consistent");
  const changed = `${await area().inputValue()}\n# typed at last`;
  const choice = page.getByRole("combobox", { name: "Model" });
  await area().fill(changed);
  await choice.selectOption("github-backend");
  await page.waitForURL(/model=github-backend/);
  await shown(page);
  await state("consistent");
  assert.equal(await area().inputValue(), model("github-backend"));
  await choice.selectOption(NAME);
  await page.waitForURL(/model=e-commerce/);
  await shown(page);
  assert.equal(await area().inputValue(), changed);
  await page.getByRole("button", { name: "Discard changes" }).click();
  await state("consistent");
});

test("what the server says about a model that it refuses is shown, and its own stays", async () => {
  await visit(page, `#/design?model=${NAME}`);
  const before = await served(NAME);
  for (const [bad, expected] of [
    [before.replace("CUSTOMER#{Username}", "CUSTOMER#{Nobody}"), /error\[.*Nobody/s],
    [before.replace('name = "e-commerce"', 'name = "other"'), /EcommerceTable/],
  ]) {
    await area().fill(bad);
    await state(bad.includes("Nobody") ? "mistake" : "consistent");
    await page.getByRole("button", { name: "Give to server" }).click();
    const dialog = page.getByRole("dialog", { name: "The server refuses the model" });
    assert.match(await dialog.locator("pre").textContent(), expected);
    await page.keyboard.press("Escape");
    assert.equal(await served(NAME), before);
  }
  forgive(page);
  await close(page);
});
