// Tables in the console: made, changed and deleted, and the database says so.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { launch } from "./chromium.js";
import { close, discard, forgive, must, openConsole, shown, visit } from "./console.js";
import { call, start } from "./server.js";

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

async function described(name) {
  return (await must(server, "DescribeTable", { TableName: name })).Table;
}

test("a table is created with an index and a stream, and its items are shown", async () => {
  await visit(page, "#/tables");
  await page.keyboard.press("n");
  await page.getByLabel("Table name").fill("Shop");
  await page.getByLabel("Stream").selectOption("NEW_AND_OLD_IMAGES");
  await page.getByRole("button", { name: "Add global index" }).click();
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.waitForURL(/#\/items\/Shop$/);
  await shown(page);
  const table = await described("Shop");
  assert.deepEqual(
    table.KeySchema.map((key) => key.AttributeName),
    ["PK", "SK"],
  );
  assert.deepEqual(
    table.GlobalSecondaryIndexes.map((index) => index.IndexName),
    ["GSI1"],
  );
  assert.equal(table.StreamSpecification.StreamViewType, "NEW_AND_OLD_IMAGES");
});

test("a name that DynamoDB refuses is refused with its own words, and nothing is made", async () => {
  await visit(page, "#/tables");
  await page.getByRole("button", { name: "Create table" }).click();
  await page.getByLabel("Table name").fill("a b");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  const refusal = page.locator("dialog [role=alert]");
  await refusal.waitFor();
  assert.match(await refusal.textContent(), /must satisfy regular expression pattern|TableName/);
  assert.deepEqual((await must(server, "ListTables", {})).TableNames, ["Shop"]);
  await discard(page);
  forgive(page);
});

test("settings are changed: time to live, protection, stream, index", async () => {
  await visit(page, "#/tables/Shop");
  const ttl = page.getByRole("region", { name: "Time to live" });
  await ttl.getByRole("textbox").fill("expires_at");
  await ttl.getByRole("button", { name: "Turn on" }).click();
  await ttl.getByRole("button", { name: "Turn off" }).waitFor();
  const protection = page.getByRole("region", { name: "Deletion protection" });
  await protection.getByRole("button", { name: "Turn on" }).click();
  await protection.getByRole("button", { name: "Turn off" }).waitFor();
  await page.getByRole("region", { name: "Stream" }).getByRole("combobox").selectOption("KEYS_ONLY");
  // An arrow key alone changes nothing.
  assert.equal((await described("Shop")).StreamSpecification.StreamViewType, "NEW_AND_OLD_IMAGES");
  await page.getByRole("region", { name: "Stream" }).getByRole("button", { name: "Change" }).click();
  await page.locator("#notices").getByText("is changed").last().waitFor();
  await page.getByRole("button", { name: "Add global index" }).click();
  // What is refused stays in the form.
  await page.getByLabel("Name", { exact: true }).fill("By Total");
  await page.getByLabel("Partition key").fill("total");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.locator("dialog [role=alert]").waitFor();
  await page.getByLabel("Name", { exact: true }).fill("ByTotal");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("link", { name: "ByTotal" }).waitFor();
  forgive(page);
  const table = await described("Shop");
  assert.equal(table.DeletionProtectionEnabled, true);
  assert.equal(table.StreamSpecification.StreamViewType, "KEYS_ONLY");
  assert.deepEqual(table.GlobalSecondaryIndexes.map((index) => index.IndexName).sort(), ["ByTotal", "GSI1"]);
  const expiry = await must(server, "DescribeTimeToLive", { TableName: "Shop" });
  assert.equal(expiry.TimeToLiveDescription.AttributeName, "expires_at");
  await visit(page, "#/tables");
  await page.locator("tr", { hasText: "Shop" }).getByText("expires_at").waitFor();
  await visit(page, "#/tables/Shop");
});

test("an index is deleted once its name is typed", async () => {
  await page.getByRole("button", { name: "Delete index ByTotal" }).click();
  const button = page.locator("dialog").getByRole("button", { name: "Delete index" });
  assert.equal(await button.isDisabled(), true);
  await page.locator("[data-confirm]").fill("ByTotal");
  await button.click();
  await page.getByRole("link", { name: "ByTotal" }).waitFor({ state: "detached" });
  assert.deepEqual(
    (await described("Shop")).GlobalSecondaryIndexes.map((index) => index.IndexName),
    ["GSI1"],
  );
});

test("a table is deleted once its name is typed and its protection is off", async () => {
  await page.getByRole("region", { name: "Deletion protection" }).getByRole("button", { name: "Turn off" }).click();
  await page.getByRole("region", { name: "Deletion protection" }).getByRole("button", { name: "Turn on" }).waitFor();
  await page.getByRole("button", { name: "Delete table" }).click();
  await page.locator("[data-confirm]").fill("Sho");
  const button = page.locator("dialog").getByRole("button", { name: "Delete table" });
  assert.equal(await button.isDisabled(), true);
  await page.locator("[data-confirm]").fill("Shop");
  await button.click();
  await page.getByText("There are no tables yet.").waitFor();
  assert.equal((await call(server.endpoint, "DescribeTable", { TableName: "Shop" })).status, 400);
});

test("a table is created by its request, with all that the form has no fields for", async () => {
  await visit(page, "#/tables");
  await page.getByRole("button", { name: "Create table" }).click();
  await page.getByLabel("Table name").fill("Everything");
  await page.getByRole("tab", { name: "JSON" }).click();
  const area = page.getByLabel("Request of CreateTable");
  const request = JSON.parse(await area.inputValue());
  assert.equal(request.TableName, "Everything");
  request.AttributeDefinitions.push({ AttributeName: "when", AttributeType: "N" });
  const schema = (...names) => names.map(([AttributeName, KeyType]) => ({ AttributeName, KeyType }));
  request.LocalSecondaryIndexes = [
    {
      IndexName: "ByTime",
      KeySchema: schema(["PK", "HASH"], ["when", "RANGE"]),
      Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["title"] },
    },
  ];
  request.GlobalSecondaryIndexes = [
    {
      IndexName: "Several",
      KeySchema: schema(["PK", "HASH"], ["SK", "HASH"], ["when", "RANGE"]),
      Projection: { ProjectionType: "KEYS_ONLY" },
    },
  ];
  request.VectorIndexes = [
    {
      IndexName: "ByMeaning",
      VectorAttribute: { AttributeName: "embedding" },
      Dimensions: 3,
      DistanceFunction: "COSINE",
      Projection: { ProjectionType: "KEYS_ONLY" },
    },
  ];
  await area.fill(JSON.stringify(request));
  // What was written stays while one looks at the form.
  await page.getByRole("tab", { name: "Form" }).click();
  await page.getByRole("tab", { name: "JSON" }).click();
  assert.equal(await area.inputValue(), JSON.stringify(request));
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.waitForURL(/#\/items\/Everything$/);
  await visit(page, "#/tables");
  await page.locator("tr", { hasText: "Everything" }).getByText("ByMeaning").waitFor();
  await visit(page, "#/tables/Everything");
  const indexes = page.getByRole("region", { name: "Indexes" });
  for (const text of [
    /ByTimelocal.*title/,
    /Severalglobal.*PK S, SK S, when N/,
    /ByMeaningvector.*embedding \(3, cosine\)/,
  ])
    await indexes.locator("tr", { hasText: text }).waitFor();
});

test("a vector index is deleted once its name is typed", async () => {
  await page.getByRole("button", { name: "Delete index ByMeaning" }).click();
  await page.locator("[data-confirm]").fill("ByMeaning");
  await page.locator("dialog").getByRole("button", { name: "Delete index" }).click();
  await page.getByRole("button", { name: "Delete index ByMeaning" }).waitFor({ state: "detached" });
  assert.equal((await described("Everything")).VectorIndexes?.length ?? 0, 0);
});

async function provisioned(TableName) {
  const attribute = (AttributeName) => ({ AttributeName, AttributeType: "S" });
  const units = (ReadCapacityUnits, WriteCapacityUnits) => ({ ReadCapacityUnits, WriteCapacityUnits });
  await must(server, "CreateTable", {
    TableName,
    KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
    AttributeDefinitions: [attribute("pk"), attribute("kind")],
    ProvisionedThroughput: units(10, 20),
    GlobalSecondaryIndexes: [
      {
        IndexName: "ByKind",
        KeySchema: [{ AttributeName: "kind", KeyType: "HASH" }],
        Projection: { ProjectionType: "ALL" },
        ProvisionedThroughput: units(200, 300),
      },
    ],
  });
}

/** The units of a table and its indexes. */
async function unitsOf(name) {
  const { ProvisionedThroughput: own, GlobalSecondaryIndexes: indexes } = await described(name);
  const pair = ({ ReadCapacityUnits, WriteCapacityUnits }) => [ReadCapacityUnits, WriteCapacityUnits];
  return [pair(own), ...indexes.map((index) => pair(index.ProvisionedThroughput))];
}

test("units of a table and of its indexes are changed apart from each other", async () => {
  await provisioned("Units");
  await visit(page, "#/tables/Units");
  const billing = page.getByRole("region", { name: "Billing" });
  const units = (part, title) => billing.getByRole("group", { name: part }).getByLabel(title);
  const change = billing.getByRole("button", { name: "Change" });
  const isChanged = () => page.locator("#notices").getByText("Units is changed").last().waitFor();
  const forget = () => page.evaluate(() => document.getElementById("notices").replaceChildren());
  assert.equal(await units("Index ByKind", "Write units").inputValue(), "300");
  assert.equal(await change.isDisabled(), true);
  await units("Table", "Read units").fill("15");
  await change.click();
  await isChanged();
  const own = [15, 20];
  assert.deepEqual(await unitsOf("Units"), [own, [200, 300]]);
  await forget();
  await units("Index ByKind", "Read units").fill("250");
  await change.click();
  await isChanged();
  assert.deepEqual(await unitsOf("Units"), [own, [250, 300]]);
  await forget();
  await billing.getByLabel("Mode").selectOption("On demand");
  await change.click();
  await isChanged();
  assert.equal((await described("Units")).BillingModeSummary.BillingMode, "PAY_PER_REQUEST");
});

test("an index is added with keys of several attributes, some attributes, and its units", async () => {
  await provisioned("Wide");
  await visit(page, "#/tables/Wide");
  await page.getByRole("button", { name: "Add global index" }).click();
  const dialog = page.getByRole("dialog", { name: "Add global index" });
  await dialog.getByLabel("Name", { exact: true }).fill("Several");
  await dialog.getByLabel("Projection").selectOption("INCLUDE");
  await dialog.getByLabel("Attributes, by commas").fill("title, state");
  await dialog.getByLabel("Partition key", { exact: true }).fill("region");
  await dialog.getByRole("button", { name: "Attribute of the partition key" }).click();
  await dialog.getByLabel("Partition key, 2").fill("year");
  await dialog.getByLabel("Type").nth(1).selectOption("number");
  await dialog.getByLabel("Sort key").fill("at");
  await dialog.getByLabel("Read units").fill("7");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("link", { name: "Several" }).waitFor();
  const { GlobalSecondaryIndexes: indexes, AttributeDefinitions: definitions } = await described("Wide");
  const index = indexes.find(({ IndexName }) => IndexName === "Several");
  assert.deepEqual(
    index.KeySchema.map(({ AttributeName, KeyType }) => `${AttributeName} ${KeyType}`),
    ["region HASH", "year HASH", "at RANGE"],
  );
  assert.deepEqual(index.Projection.NonKeyAttributes.sort(), ["state", "title"]);
  assert.equal(index.ProvisionedThroughput.ReadCapacityUnits, 7);
  assert.equal(definitions.find(({ AttributeName }) => AttributeName === "year").AttributeType, "N");
});

test("of many tables the names are shown at once, and the rest for rows in sight", async () => {
  const names = Array.from({ length: 60 }, (_, place) => `many_${String(place).padStart(2, "0")}`);
  const attribute = { AttributeName: "pk" };
  await Promise.all(
    names.map((TableName) =>
      must(server, "CreateTable", {
        TableName,
        KeySchema: [{ ...attribute, KeyType: "HASH" }],
        AttributeDefinitions: [{ ...attribute, AttributeType: "S" }],
        BillingMode: "PAY_PER_REQUEST",
      }),
    ),
  );
  const other = await openConsole(browser, server);
  const asked = new Set();
  other.on("request", (request) => {
    const isDescription = request.headers()["x-amz-target"]?.endsWith("DescribeTable");
    if (isDescription) asked.add(request.postDataJSON().TableName);
  });
  await visit(other, "#/tables?filter=many");
  assert.equal(await other.locator("tbody tr").count(), names.length);
  const last = other.locator("tbody tr").last();
  await other.locator("tbody tr").first().locator(".tag", { hasText: "active" }).waitFor();
  assert.ok(!asked.has(names.at(-1)), `${asked.size} tables`);
  await last.scrollIntoViewIfNeeded();
  await last.locator(".tag", { hasText: "active" }).waitFor();
  await close(other);
});

test("a table of each period is known by the model that names them", async () => {
  const text = `
format = 1
name = "audit"

[tables.Events]
name = "audit_{at:month}"
partition_key = "PK"
sort_key = "SK"

[entities.Event]
key = { partition = "USER#{user}", sort = "{at:time(ms)}" }
attributes = { user = "S", at = "S" }
`;
  for (const name of ["audit_2026-01", "audit_old"]) {
    await must(server, "CreateTable", {
      TableName: name,
      KeySchema: [
        { AttributeName: "PK", KeyType: "HASH" },
        { AttributeName: "SK", KeyType: "RANGE" },
      ],
      AttributeDefinitions: ["PK", "SK"].map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
      BillingMode: "PAY_PER_REQUEST",
    });
    const at = "2026-01-03T10:17:06.000Z";
    const Item = { PK: { S: "USER#ann" }, SK: { S: at }, user: { S: "ann" }, at: { S: at } };
    await must(server, "PutItem", { TableName: name, Item });
  }
  const other = await openConsole(browser, server, { text });
  await visit(other, "#/items/audit_2026-01");
  await other.locator(".grid-row .chip", { hasText: "Event" }).waitFor();
  await visit(other, "#/items/audit_old");
  await other.locator(".grid-row").waitFor();
  assert.equal(await other.locator(".grid-row .chip").count(), 0);
  await close(other);
  await close(page);
});
