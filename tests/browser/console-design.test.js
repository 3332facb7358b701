// The design in the console: what is wrong stands at its place, and what follows is what the
// commands say.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { launch } from "./chromium.js";
import { ask, close, model, must, openConsole, visit } from "./console.js";
import { start } from "./server.js";

let server, browser, page;

before(async () => {
  server = await start();
  browser = await launch();
  page = await openConsole(browser, server);
});

after(async () => {
  await browser?.close();
  server?.stop();
});

/** Opens a model as a file. */
async function open(text) {
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "model.toml", mimeType: "application/toml", buffer: Buffer.from(text) });
  await page.waitForFunction((wanted) => document.querySelector(".source-text textarea").value === wanted, text);
}

const state = (text) => page.locator(".bar .tag", { hasText: text }).waitFor();

test("a mistake is marked at its line while one types, and goes when it is mended", async () => {
  await visit(page, "#/design");
  await page.getByRole("button", { name: "Begin with an example" }).click();
  await state("consistent");
  const area = page.getByLabel("Text of the model");
  const good = await area.inputValue();
  const bad = good.replace('"CUSTOMER#{customer}", sort = "PROFILE"', '"CUSTOMER#{client}", sort = "PROFILE"');
  await area.fill(bad);
  await state("1 mistake");
  const line = bad.split("\n").findIndex((text) => text.includes("{client}")) + 1;
  assert.equal(await page.locator(".gutter .error-line").textContent(), String(line));
  await page.locator(".problems button", { hasText: "Customer has no attribute client" }).click();
  assert.equal(
    await area
      .evaluate((element) => element.value.slice(element.selectionStart, element.selectionEnd))
      .then((text) => text.includes("client")),
    true,
  );
  await area.fill(good);
  await state("consistent");
  assert.equal(await page.locator(".gutter .error-line").count(), 0);
});

for (const name of ["e-commerce", "github-backend"]) {
  test(`all that follows from ${name} is shown`, async () => {
    const text = model(name);
    const design = await ask(server, "design", { model: text });
    await visit(page, "#/design");
    await open(text);
    await state("consistent");
    const tab = (title) => page.getByRole("tab", { name: title, exact: true }).click();
    await tab("Diagram");
    const boxes = await page
      .locator(".picture")
      .evaluate((element) => [...element.shadowRoot.querySelectorAll(".name")].map((one) => one.textContent));
    for (const entity of design.legend) assert.ok(boxes.includes(entity), `${entity} of ${boxes}`);
    const styles = await page.locator(".picture").evaluate((element) => element.shadowRoot.adoptedStyleSheets.length);
    assert.ok(styles > 0);
    await tab("Entities");
    await page
      .locator(".panel td.mono", { hasText: design.chart.entity_charts[0].rows[0].templates[0] })
      .first()
      .waitFor();
    await tab("Patterns");
    assert.equal(await page.locator(".panel tbody tr").count(), design.patterns.length);
    await tab("Sample items");
    await page.locator(".picture").waitFor();
    await tab("Lint");
    await page.getByText(`${design.lint.summary.accepted} accepted`).waitFor();
    await tab("Cost");
    const total = async () => Number((await page.locator("[data-total]").textContent()).replace(/[^\d.]/g, ""));
    const before = await total();
    await page.getByLabel(/^Rates/).fill("5");
    await page.waitForFunction(
      (was) => Number(document.querySelector("[data-total]").textContent.replace(/[^\d.]/g, "")) > was * 4,
      before,
    );
  });
}

test("a model is applied to the server, filled with items, and then nothing is left to do", async () => {
  await visit(page, "#/design?tab=deploy");
  await page.getByRole("button", { name: /^Apply/ }).click();
  await page.getByText("The tables are as the model says.").waitFor();
  await page.getByRole("button", { name: "Write generated items" }).click();
  await page.getByText("items written").waitFor();
  const { Table } = await must(server, "DescribeTable", { TableName: "GitHubTable" });
  assert.deepEqual(Table.GlobalSecondaryIndexes.map((index) => index.IndexName).sort(), ["GSI1", "GSI2", "GSI3"]);
  const { Count } = await must(server, "Scan", { TableName: "GitHubTable", Select: "COUNT" });
  assert.ok(Count > 100, `${Count} items`);
});

test("the difference between a running table and the model is shown and applied", async () => {
  await open(model("github-backend").replace('partition_key = "PK"', 'ttl = "expires"\npartition_key = "PK"'));
  await state("consistent");
  await visit(page, "#/design?tab=cost");
  await visit(page, "#/design?tab=deploy");
  await page.locator(".panel .sign-add, .panel .sign-change").first().waitFor();
  await page.getByRole("button", { name: /^Apply/ }).click();
  await page.getByText("The tables are as the model says.").waitFor();
  const expiry = await must(server, "DescribeTimeToLive", { TableName: "GitHubTable" });
  assert.equal(expiry.TimeToLiveDescription.AttributeName, "expires");
});

const SMALL = `
format = 1
name = "small"

[tables.Small]
partition_key = "PK"
`;

test("what is applied is what the text says at the moment, and what somebody fills in stays", async () => {
  const area = page.getByLabel("Text of the model");
  await open(SMALL);
  await visit(page, "#/design?tab=deploy");
  const apply = page.getByRole("button", { name: /^Apply/ });
  await apply.waitFor();
  await page.getByLabel("Seed").fill("17");
  const tables = page.getByRole("region", { name: "Tables", exact: true });
  await area.fill(`${SMALL}nonsense`);
  await page.locator(".bar .tag", { hasText: "mistake" }).waitFor();
  assert.equal(await apply.isDisabled(), true);
  await area.fill(SMALL.replace("Small]", "Other]"));
  await tables.locator("td", { hasText: "Other" }).first().waitFor();
  assert.equal(await tables.locator("td", { hasText: "Small" }).count(), 0);
  assert.equal(await page.getByLabel("Seed").inputValue(), "17");
  await apply.click();
  await page.getByText("The tables are as the model says.").waitFor();
  const { TableNames } = await must(server, "ListTables", {});
  assert.ok(TableNames.includes("Other") && !TableNames.includes("Small"), `${TableNames}`);
});

test("changes that are no longer those to be made are shown again, not made", async () => {
  await open(SMALL.replace("Small]", "Late]"));
  await state("consistent");
  const apply = page.getByRole("button", { name: "Apply 1 change" });
  await page.getByRole("region", { name: "Tables", exact: true }).locator("td", { hasText: "Late" }).first().waitFor();
  await must(server, "CreateTable", {
    TableName: "Late",
    KeySchema: [{ AttributeName: "other", KeyType: "HASH" }],
    AttributeDefinitions: [{ AttributeName: "other", AttributeType: "S" }],
    BillingMode: "PAY_PER_REQUEST",
  });
  await apply.click();
  await page.getByText("Nothing was done").waitFor();
});

test("a text that is cleared or replaced comes back", async () => {
  const area = page.getByLabel("Text of the model");
  const undo = page.locator("#notices").getByRole("button", { name: "Undo" }).last();
  await visit(page, "#/design?tab=lint");
  await open(SMALL);
  await state("consistent");
  await page.getByRole("button", { name: "Clear" }).click();
  assert.equal(await area.inputValue(), "");
  await undo.click();
  await state("consistent");
  assert.equal(await area.inputValue(), SMALL);
  await open(model("e-commerce"));
  await state("consistent");
  await visit(page, "#/tables");
  await undo.click();
  await visit(page, "#/design");
  assert.equal(await area.inputValue(), SMALL);
});

test("an answer that comes late does not take the place of a newer one", async () => {
  const other = await openConsole(browser, server, { text: model("e-commerce") });
  await visit(other, "#/design?tab=cost");
  const total = () => other.locator("[data-total]").textContent();
  const before = await total();
  let answer = null;
  await other.route("**/console/cost", async (route) => {
    // The first answer waits for the second one.
    if (answer === null) await new Promise((resolve) => (answer = resolve));
    return route.fallback();
  });
  const rates = other.getByLabel(/^Rates/);
  const [late] = await Promise.all([other.waitForRequest("**/console/cost"), rates.fill("10")]);
  const [newer] = await Promise.all([other.waitForResponse("**/console/cost"), rates.fill("-4")]);
  assert.notEqual(newer.request(), late);
  await other.waitForFunction((was) => document.querySelector("[data-total]").textContent !== was, before);
  const shown = await total();
  answer();
  await (await late.response()).finished();
  await other.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  assert.equal(await total(), shown);
  await close(other);
});

test("keys of entities, conditions and rates are in sight beside the text", async () => {
  for (const name of ["e-commerce", "github-backend"]) {
    await visit(page, "#/design?tab=entities");
    await open(model(name));
    await state("consistent");
    for (const tab of ["Entities", "Patterns"]) {
      await page.getByRole("tab", { name: tab }).click();
      const widths = await page
        .locator(".panel .scroll")
        .evaluateAll((all) => all.map(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth]));
      assert.ok(widths.length > 0);
      for (const [content, room] of widths) assert.ok(content <= room, `${tab} of ${name}: ${content} in ${room}`);
    }
  }
});

test("the text is folded, which stands in the address, and a finding unfolds it", async () => {
  await open(model("github-backend").replace("{RepoOwner}#{RepoName}", "{Nobody}#{RepoName}"));
  await state("mistake");
  const area = page.getByLabel("Text of the model");
  await page.getByRole("button", { name: "Hide text" }).click();
  await area.waitFor({ state: "hidden" });
  await page.waitForURL(/text=hidden/);
  await open(model("github-backend"));
  await state("consistent");
  await page.reload();
  await area.waitFor({ state: "hidden" });
  await page.getByRole("tab", { name: "Lint" }).click();
  await page.getByText("Accepted findings").click();
  await page.locator(".panel button.link", { hasText: "line" }).first().click();
  await area.waitFor();
  assert.doesNotMatch(page.url(), /text=hidden/);
});

test("a mistake behind characters of two units is found where it is", async () => {
  const other = await openConsole(browser, server, { text: `${SMALL.trim()}\ntitle = "\u{1F600}\u{1F680}" oops\n` });
  await visit(other, "#/design");
  await other.locator(".problems button").first().click();
  const selected = await other
    .getByLabel("Text of the model")
    .evaluate(({ value, selectionStart }) => value.slice(selectionStart).split("\n")[0]);
  assert.ok(selected.startsWith("oops"), selected);
  await close(other);
});

test("a seed that is none is refused in a sentence", async () => {
  await open(SMALL);
  await visit(page, "#/design?tab=deploy");
  const data = page.getByRole("region", { name: "Sample data" });
  for (const seed of ["-5", "12345678901234567890123", "1.5", ""]) {
    await data.getByLabel("Seed").fill(seed);
    await data.getByRole("button", { name: "Write generated items" }).click();
    await data.getByText("A seed is a whole number from 0 to 9007199254740991.").waitFor();
    await data.getByRole("status").evaluate((element) => element.replaceChildren());
  }
});

test("the sliders of the cost stand in the address", async () => {
  await open(model("e-commerce"));
  await state("consistent");
  await page.getByRole("tab", { name: "Cost" }).click();
  const total = () => page.locator("[data-total]").textContent();
  const usual = await total();
  await page.getByLabel(/^Rates/).fill("3");
  await page.waitForURL(/rates=3/);
  await page.locator("[data-total]").filter({ hasNotText: usual }).waitFor();
  const other = await openConsole(browser, server, { text: model("e-commerce") });
  await visit(other, new URL(page.url()).hash);
  await other.getByText("Rates × 8").waitFor();
  await other.locator("[data-total]", { hasText: await total() }).waitFor();
  await close(other);
  await close(page);
});
