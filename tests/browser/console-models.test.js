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

test("what is given to the server is what the page shows, whatever another tab wrote", async () => {
  await visit(page, `#/design?model=${NAME}`);
  await state("consistent");
  const before = await area().inputValue();
  const other = await page.context().newPage();
  other.endpoint = page.endpoint;
  await visit(other, `#/design?model=${NAME}`);
  const typed = other.getByLabel("Text of the model");
  await area().fill(`# first tab\n${before}`);
  const notice = (one) => one.getByText("Another tab has changed this text.");
  await notice(other).waitFor();
  await typed.fill(`# second tab\n${before}`);
  await notice(other).waitFor({ state: "hidden" });
  await notice(page).waitFor();
  assert.equal(await area().inputValue(), `# first tab\n${before}`);
  await page.evaluate(() => document.getElementById("notices").replaceChildren());
  await page.getByRole("button", { name: "Give to server" }).click();
  await page.locator("#notices", { hasText: "watches its tables by e-commerce" }).waitFor();
  assert.equal(await served(NAME), `# first tab\n${before}`);
  // What the other tab wrote is still there, and is not given over the first without a question.
  assert.equal(await typed.inputValue(), `# second tab\n${before}`);
  await other.getByRole("button", { name: "Give to server" }).click();
  await other
    .getByRole("dialog", { name: `Replace ${NAME}?` })
    .getByRole("button", { name: "Cancel" })
    .click();
  assert.equal(await served(NAME), `# first tab\n${before}`);
  await other.getByRole("button", { name: "Discard changes" }).click();
  await other.close();
  await visit(page, "#/tables");
  await visit(page, `#/design?model=${NAME}`);
  assert.equal(await area().inputValue(), `# first tab\n${before}`);
});

test("a model that somebody else gave to the server meanwhile is replaced only after a question", async () => {
  const before = await served(NAME);
  const [one, two] = [await openConsole(browser, server), await openConsole(browser, server)];
  const give = async (on, text) => {
    await on.getByLabel("Text of the model").fill(text);
    await on.locator(".bar .tag", { hasText: "consistent" }).waitFor();
    await on.getByRole("button", { name: "Give to server" }).click();
  };
  for (const on of [one, two]) await visit(on, `#/design?model=${NAME}`);
  await give(one, `# one\n${before}`);
  await one.locator("#notices", { hasText: "watches" }).waitFor();
  await give(two, `# two\n${before}`);
  const question = two.getByRole("dialog", { name: `Replace ${NAME}?` });
  await question.getByRole("button", { name: "Cancel" }).click();
  assert.equal(await served(NAME), `# one\n${before}`);
  await two.getByRole("button", { name: "Give to server" }).click();
  await question.getByRole("button", { name: "Replace it" }).click();
  await two.locator("#notices", { hasText: "watches" }).waitFor();
  assert.equal(await served(NAME), `# two\n${before}`);
  // One's own text of before is no reason to ask.
  await two.evaluate(() => document.getElementById("notices").replaceChildren());
  await give(two, `# three\n${before}`);
  await two.locator("#notices", { hasText: "watches" }).waitFor();
  assert.equal(await served(NAME), `# three\n${before}`);
  await close(one);
  await close(two);
});

test("an address of a pattern leads to the pattern of its model, from wherever it is", async () => {
  const other = await openConsole(browser, server);
  const linked = async (locator) => new URL(await locator.getAttribute("href"), other.url()).hash;
  await visit(other, "#/design?model=github-backend&tab=patterns");
  const found = [await linked(other.locator(".panel tbody a").first())];
  await visit(other, "#/tables");
  await other.keyboard.press("/");
  await other.getByRole("combobox", { name: "Search" }).fill("newest issues github");
  await other.locator(".results li", { hasText: "access pattern of github-backend" }).first().waitFor();
  await other.keyboard.press("Enter");
  await other.waitForURL(/#\/patterns/);
  found.push(new URL(other.url()).hash);
  await other.getByLabel(/^RepoOwner/).fill("somebody");
  await other.getByLabel(/^RepoName/).fill("something");
  await other.getByRole("button", { name: "Run" }).click();
  await other.getByText("against an estimate").first().waitFor();
  // The history is that of the tab, through a reload.
  await other.reload();
  await other.getByRole("combobox", { name: "Model" }).selectOption(NAME);
  await other.waitForURL(/model=e-commerce/);
  await shown(other);
  await other.getByText("History").click();
  found.push(await linked(other.locator("details li a").first()));
  await close(other);
  for (const hash of found) {
    const fresh = await openConsole(browser, server);
    await visit(fresh, hash);
    await fresh.locator("form[aria-label=Arguments]").waitFor();
    assert.equal(await fresh.getByRole("combobox", { name: "Model" }).inputValue(), "github-backend");
    await close(fresh);
  }
});

test("what the server says about a model that it refuses is shown, and its own stays", async () => {
  await visit(page, "#/tables");
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
