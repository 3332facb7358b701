// Items in the console: what is shown is what the table holds, and what is edited is what it holds
// then.
import assert from "node:assert/strict";
import fs from "node:fs";
import { after, before, test } from "node:test";

import { launch } from "./chromium.js";
import {
  accessibilityFaults,
  ask,
  close,
  deploy,
  discard,
  forgive,
  model,
  must,
  openConsole,
  shown,
  visit,
} from "./console.js";
import { start } from "./server.js";

const SHOP = "EcommerceTable";
const text = model("e-commerce");
let server, browser, page, items;

before(async () => {
  server = await start();
  browser = await launch();
  items = (await deploy(server, text)).filter(({ table }) => table === SHOP);
  await deploy(server, model("github-backend"));
  page = await openConsole(browser, server, { text });
});

after(async () => {
  await browser?.close();
  server?.stop();
});

const of = (entity) => items.filter((one) => one.entity === entity).map(({ item }) => item);

function collectionOf(customer) {
  return `#/items/${SHOP}?p=${encodeURIComponent(JSON.stringify([customer.PK.S]))}`;
}

async function stored(item) {
  const answer = await must(server, "GetItem", {
    TableName: SHOP,
    Key: { PK: item.PK, SK: item.SK },
    ConsistentRead: true,
  });
  return answer.Item;
}

async function chooseRow(name) {
  await page.locator(".grid-row", { hasText: name }).first().click();
}

/** Waits until the editor has closed, which it does once the item is written. */
async function written() {
  await page.locator("dialog").waitFor({ state: "detached" });
}

test("rows are coloured by entity and keys are shown in parts", async () => {
  const customer = of("Customer")[0];
  await visit(page, collectionOf(customer));
  const orders = of("Order").filter((order) => order.PK.S === customer.PK.S);
  const rows = page.locator(".grid-row");
  assert.equal(await rows.count(), Math.min(orders.length + 1, await rows.count()));
  assert.match(await page.locator(".foot").textContent(), new RegExp(`${orders.length + 1} items?`));
  assert.equal(await page.locator(".grid-row .chip", { hasText: "Customer" }).count(), 1);
  const part = page.locator(".grid-row .key-part").first();
  assert.equal(await part.textContent(), customer.Username.S);
  assert.equal(await part.getAttribute("title"), "Username");
});

test("a page without items says why it is empty", async () => {
  const nobody = { PK: { S: "CUSTOMER#nobody" } };
  const filter = encodeURIComponent(JSON.stringify([["Username", "=", "S", "nobody", ""]]));
  await visit(page, collectionOf(nobody));
  assert.equal(await page.locator(".grid-pane .empty").textContent(), "No items have this key.");
  await visit(page, `${collectionOf(of("Customer")[0])}&filter=${filter}`);
  assert.equal(await page.locator(".grid-pane .empty").textContent(), "Nothing here passes the filter.");
  await visit(page, collectionOf(of("Customer")[0]));
  assert.ok(await page.locator(".grid-pane .empty").isHidden());
});

test("what a page cost is what the server says", async () => {
  const customer = of("Customer")[0];
  const answer = await must(server, "Query", {
    TableName: SHOP,
    KeyConditionExpression: "PK = :p",
    ExpressionAttributeValues: { ":p": customer.PK },
    Limit: 100,
    ReturnConsumedCapacity: "TOTAL",
  });
  const units = answer.ConsumedCapacity.CapacityUnits;
  assert.equal(await page.locator("[data-units]").textContent(), `${units} read unit${units === 1 ? "" : "s"}`);
});

test("an index shows what it holds, and that it lacks the others", async () => {
  await visit(page, `#/items/${SHOP}?index=GSI1&limit=1000`);
  const absent = of("Customer").length + of("CustomerEmail").length;
  assert.match(
    await page.locator(".foot").textContent(),
    new RegExp(`${absent} of this page of the table are not in GSI1`),
  );
  await page.locator(".grid").focus();
  await page.keyboard.press("End");
  await page.locator(".grid-row.absent").first().waitFor();
  const [head, grid] = await Promise.all([
    page.locator(".grid-head").boundingBox(),
    page.locator(".grid").boundingBox(),
  ]);
  assert.ok(Math.abs(head.y - grid.y) < 2, "the names of the columns stay in sight");
  const rows = await page.locator(".grid-row").count();
  assert.ok(rows < 80, `${rows} rows are elements`);
});

test("a query is built with a sort key, a filter and a projection, and the address is enough to see it again", async () => {
  const customer = of("Customer").find((one) => of("Order").filter((order) => order.PK.S === one.PK.S).length > 3);
  await visit(page, `#/items/${SHOP}`);
  await page.getByLabel("PK", { exact: true }).fill(customer.PK.S);
  await page.getByLabel("Comparison of the sort key").selectOption("begins_with");
  await page.getByLabel("SK", { exact: true }).fill("#ORDER#");
  await page.getByRole("button", { name: "Add filter" }).click();
  await page.getByLabel("Attribute of the filter").fill("Status");
  await page.getByLabel("Value of the filter").fill("SHIPPED");
  await page.getByLabel("Projection, by commas").fill("PK, SK, Status");
  await page.getByRole("button", { name: "Run" }).click();
  await page.waitForURL(/filter/);
  const expected = of("Order").filter((order) => order.PK.S === customer.PK.S && order.Status.S === "SHIPPED").length;
  const other = await openConsole(browser, server, { text });
  for (const one of [page, other]) {
    await visit(one, new URL(page.url()).hash);
    assert.match(await one.locator(".foot").textContent(), new RegExp(`^${expected} items?`));
  }
  await close(other);
});

test("the same request is shown as code in four languages", async () => {
  await page.getByRole("button", { name: "Code" }).click();
  const code = page.getByRole("region", { name: "Code" }).locator("pre");
  for (const [language, part] of [
    ["AWS CLI", "aws dynamodb query"],
    ["boto3", "client.query("],
    ["JavaScript", "new QueryCommand("],
    ["Rust", ".key_condition_expression("],
  ]) {
    await page.getByRole("tab", { name: language }).click();
    assert.ok((await code.textContent()).includes(part), language);
  }
});

test("pages are turned in both directions", async () => {
  await visit(page, `#/items/${SHOP}?limit=50`);
  const keys = () => page.locator(".grid-row").first().textContent();
  const first = await keys();
  await page.getByRole("button", { name: "Next" }).click();
  await page.waitForURL(/start=/);
  await shown(page);
  assert.notEqual(await keys(), first);
  await page.getByRole("button", { name: "Previous" }).click();
  await page.waitForURL((url) => !url.hash.includes("start="));
  await shown(page);
  assert.equal(await keys(), first);
});

test("an address in the middle of a collection leads back to its beginning, in a tab that knows nothing else", async () => {
  const customer = of("Customer").find((one) => of("Order").filter((order) => order.PK.S === one.PK.S).length > 8);
  const { Items } = await must(server, "Query", {
    TableName: SHOP,
    KeyConditionExpression: "PK = :p",
    ExpressionAttributeValues: { ":p": customer.PK },
  });
  for (const order of ["", "&order=desc"]) {
    const sorted = order ? [...Items].reverse() : Items;
    const start = JSON.stringify({ PK: sorted[5].PK, SK: sorted[5].SK });
    const other = await openConsole(browser, server, { text });
    const rows = async () => {
      await shown(other);
      // A box to mark the row, the entity, the partition key, the sort key.
      const keys = await other.locator(".grid-row .cell:nth-child(4)").allTextContents();
      return keys.map((key) => sorted.findIndex(({ SK }) => SK.S === key));
    };
    const press = async (name, pattern) => {
      await other.getByRole("button", { name }).click();
      await other.waitForURL(pattern);
    };
    await visit(other, `${collectionOf(customer)}${order}&limit=3&start=${encodeURIComponent(start)}`);
    assert.deepEqual(await rows(), [6, 7, 8]);
    await press("Previous", /before=/);
    assert.deepEqual(await rows(), [3, 4, 5]);
    await press("Previous", (url) => url.hash.includes(encodeURIComponent(sorted[3].SK.S)));
    assert.deepEqual(await rows(), [0, 1, 2]);
    await press("Next", /start=/);
    assert.deepEqual(await rows(), [3, 4, 5]);
    await press("Previous", /limit=3$|before=/);
    assert.deepEqual(await rows(), [0, 1, 2]);
    await close(other);
  }
});

test("what is before the first page is the first page", async () => {
  const customer = of("Customer")[0];
  const key = encodeURIComponent(JSON.stringify({ PK: customer.PK, SK: { S: "!" } }));
  await visit(page, `${collectionOf(customer)}&before=${key}`);
  await page.waitForURL((url) => !url.hash.includes("before="));
  await shown(page);
  await page.locator(".grid-row .chip", { hasText: "Customer" }).waitFor();
});

test("from page to page nothing but the page is asked for", async () => {
  await visit(page, `#/items/${SHOP}?limit=25`);
  const asked = [];
  const note = (request) => asked.push(request.headers()["x-amz-target"]?.split(".")[1] ?? "");
  page.on("request", note);
  await page.getByRole("button", { name: "Next" }).click();
  await page.waitForURL(/start=/);
  await shown(page);
  page.off("request", note);
  assert.deepEqual(asked.filter(Boolean), ["Scan"]);
});

test("an edit writes what was changed, with keys that the model builds", async () => {
  const order = of("Order")[0];
  await visit(page, collectionOf(order));
  await page.locator(".grid").focus();
  await chooseRow(order.OrderId.S);
  await page.getByRole("button", { name: "Edit" }).click();
  const next = order.Status.S === "CANCELLED" ? "PLACED" : "CANCELLED";
  await page.getByLabel("Value of Status").fill(next);
  assert.match(await page.locator("[data-condition]").textContent(), /Status is still as shown/);
  await page.getByRole("button", { name: "Save" }).click();
  await written();
  assert.deepEqual(await stored(order), { ...order, Status: { S: next } });
});

test("an edit of what somebody else has changed meanwhile writes nothing", async () => {
  const order = of("Order")[1];
  await visit(page, collectionOf(order));
  await chooseRow(order.OrderId.S);
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Value of Amount").fill("1");
  await must(server, "PutItem", { TableName: SHOP, Item: { ...order, Amount: { N: "77" } } });
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator("dialog [role=alert]", { hasText: "Nothing was written" }).waitFor();
  assert.equal((await stored(order)).Amount.N, "77");
  await discard(page);
  forgive(page);
});

test("another key moves the item: the old one goes in the same transaction", async () => {
  const order = of("Order")[2];
  await visit(page, collectionOf(order));
  await chooseRow(order.OrderId.S);
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Value of Username").fill("moved");
  await page.getByRole("button", { name: "Keys from the model" }).click();
  await page.locator("[data-condition]", { hasText: "TransactWriteItems" }).waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await written();
  assert.equal(await stored(order), undefined);
  const moved = await stored({ PK: { S: "CUSTOMER#moved" }, SK: order.SK });
  assert.equal(moved.Username.S, "moved");
  assert.equal(moved.GSI1PK.S, order.GSI1PK.S);
});

test("JSON keeps every digit of a number, and sets stay sets", async () => {
  const item = {
    PK: { S: "exact" },
    SK: { S: "exact" },
    big: { N: "12345678901234567890123456789012345678" },
    tags: { SS: ["a", "b"] },
    flag: { BOOL: true },
  };
  await must(server, "PutItem", { TableName: SHOP, Item: item });
  await visit(page, collectionOf(item));
  await chooseRow("exact");
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByRole("tab", { name: "Plain JSON" }).click();
  const area = page.getByLabel("Plain JSON");
  const plain = await area.inputValue();
  assert.ok(plain.includes("12345678901234567890123456789012345678"), plain);
  await area.fill(plain.replace('"b"', '"c"').replace("true", "false"));
  await page.getByRole("button", { name: "Save" }).click();
  await written();
  assert.deepEqual(await stored(item), { ...item, tags: { SS: ["a", "c"] }, flag: { BOOL: false } });
});

test("an item is created once, duplicated and deleted", async () => {
  await visit(page, `#/items/${SHOP}?p=${encodeURIComponent('["new"]')}`);
  const create = async (sort) => {
    await page.getByLabel("Value of SK").fill(sort);
    await page.getByRole("button", { name: "Create", exact: true }).click();
  };
  await page.locator(".grid").focus();
  await page.keyboard.press("n");
  await create("one");
  await written();
  await page.keyboard.press("n");
  await create("one");
  await page.locator("dialog [role=alert]", { hasText: "there is an item with this key" }).waitFor();
  await discard(page);
  forgive(page);
  await chooseRow("one");
  await page.getByRole("button", { name: "Duplicate" }).click();
  await create("two");
  await page.locator(".grid-row", { hasText: "two" }).waitFor();
  await chooseRow("one");
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.locator("[data-confirm]").fill("delete");
  await page.getByRole("button", { name: "Delete item" }).click();
  await page.locator(".grid-row", { hasText: "one" }).waitFor({ state: "detached" });
  assert.equal(await stored({ PK: { S: "new" }, SK: { S: "one" } }), undefined);
  assert.notEqual(await stored({ PK: { S: "new" }, SK: { S: "two" } }), undefined);
});

test("marked items are deleted together", async () => {
  for (let place = 0; place < 30; place += 1) {
    await must(server, "PutItem", {
      TableName: SHOP,
      Item: { PK: { S: "bulk" }, SK: { S: `${place}`.padStart(2, "0") } },
    });
  }
  await visit(page, `#/items/${SHOP}?p=${encodeURIComponent('["bulk"]')}`);
  await page.getByRole("button", { name: "Mark all" }).click();
  await page.getByLabel("Mark row 1", { exact: true }).uncheck();
  await page.getByRole("button", { name: "Delete 29 marked" }).click();
  await page.locator("[data-confirm]").fill("29");
  await page.getByRole("button", { name: "Delete items" }).click();
  await page.locator(".foot", { hasText: /^1 item/ }).waitFor();
  const left = await must(server, "Query", {
    TableName: SHOP,
    KeyConditionExpression: "PK = :p",
    ExpressionAttributeValues: { ":p": { S: "bulk" } },
  });
  assert.deepEqual(
    left.Items.map((item) => item.SK.S),
    ["00"],
  );
});

test("what is shown is saved as JSON and as CSV", async () => {
  const customer = of("Customer")[0];
  await visit(page, collectionOf(customer));
  const save = async (name) => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name, exact: true }).click(),
    ]);
    return fs.readFileSync(await download.path(), "utf8");
  };
  const count = of("Order").filter((order) => order.PK.S === customer.PK.S).length + 1;
  assert.equal(JSON.parse(await save("JSON")).length, count);
  const csv = await save("CSV");
  assert.ok(csv.startsWith("PK,SK,"), csv.slice(0, 40));
  assert.equal(csv.trim().split("\r\n").length, count + 1);
});

test("a statement of PartiQL is run", async () => {
  await visit(page, `#/items/${SHOP}?statement=${encodeURIComponent(`SELECT * FROM "${SHOP}" WHERE PK = 'bulk'`)}`);
  assert.equal(await page.locator(".grid-row").count(), 1);
  await page
    .getByLabel("PartiQL statement")
    .fill(`UPDATE "${SHOP}" SET colour = 'red' WHERE PK = 'bulk' AND SK = '00'`);
  await page.keyboard.press("Control+Enter");
  await page.locator(".foot", { hasText: /^0 items/ }).waitFor();
  assert.equal((await stored({ PK: { S: "bulk" }, SK: { S: "00" } })).colour.S, "red");
});

test("an address with a statement that writes is not run by itself", async () => {
  const statement = `UPDATE "${SHOP}" SET colour = 'blue' WHERE PK = 'bulk' AND SK = '00'`;
  await visit(page, `#/items/${SHOP}?statement=${encodeURIComponent(statement)}`);
  await page.getByText("It is run when you press Run.").waitFor();
  await page.getByRole("button", { name: "Refresh" }).click();
  assert.equal((await stored({ PK: { S: "bulk" }, SK: { S: "00" } })).colour.S, "red");
  await page.getByRole("button", { name: "Run" }).click();
  await page.locator(".foot", { hasText: /^0 items/ }).waitFor();
  assert.equal((await stored({ PK: { S: "bulk" }, SK: { S: "00" } })).colour.S, "blue");
});

test("a statement that writes is run once, however often Run is pressed meanwhile", async () => {
  await visit(page, `#/items/${SHOP}?statement=`);
  const statement = `UPDATE "${SHOP}" SET colour = 'green' WHERE PK = 'bulk' AND SK = '00'`;
  await page.getByLabel("PartiQL statement").fill(statement);
  let sent = 0;
  await page.route("**/", async (route) => {
    if (route.request().headers()["x-amz-target"]?.endsWith("ExecuteStatement")) sent += 1;
    return route.fallback();
  });
  await page.getByRole("button", { name: "Run" }).dblclick();
  await page.locator("button.primary:not([disabled])", { hasText: "Run" }).waitFor();
  await page.locator(".foot", { hasText: /^0 items/ }).waitFor();
  await page.unroute("**/");
  assert.equal(sent, 1);
});

test("reading on that fails says so, and can be gone on with", async () => {
  const filter = encodeURIComponent(JSON.stringify([["colour", "=", "S", "none", ""]]));
  await visit(page, `#/items/${SHOP}?limit=25&filter=${filter}`);
  const readOn = page.getByRole("button", { name: "Read on until found" });
  let pages = 0;
  await page.route("**/", (route) => {
    if (!route.request().headers()["x-amz-target"]?.endsWith("Scan")) return route.fallback();
    pages += 1;
    return pages === 3 ? route.abort() : route.fallback();
  });
  await readOn.click();
  await page.locator(".grid-pane [role=alert]", { hasText: "the server does not answer" }).waitFor();
  await readOn.click();
  await page.getByText("Nothing here passes the filter.").waitFor();
  await page.unroute("**/");
  assert.ok(await page.locator(".grid-pane [role=alert]").isHidden());
  page.complaints = page.complaints.filter((text) => !/ERR_FAILED/.test(text));
});

test("an address that is not written as addresses are says what is wrong", async () => {
  const other = await openConsole(browser, server, { text });
  await other.goto(`${server.endpoint}/#/items/%`);
  await other.locator("main [role=alert]").waitFor();
  forgive(other);
  await close(other);
});

test("a filter by a truth is chosen", async () => {
  await visit(page, `#/items/${SHOP}`);
  await page.getByRole("button", { name: "Add filter" }).click();
  await page.getByLabel("Attribute of the filter").fill("flag");
  await page.getByLabel("Type of the value").selectOption("BOOL");
  await page.getByLabel("True or false").selectOption("false");
  await page.getByRole("button", { name: "Run" }).click();
  await page.waitForURL(/filter=/);
  await shown(page);
  assert.match(decodeURIComponent(page.url()), /\["flag","=","BOOL","false",""\]/);
});

test("code can be copied where a page has no clipboard", async () => {
  await visit(page, `#/items/${SHOP}`);
  // As on a page of another machine without TLS.
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true }));
  await page.getByRole("button", { name: "Code" }).click();
  await page.getByRole("region", { name: "Code" }).getByRole("button", { name: "Copy" }).click();
  await page.locator("#notices", { hasText: "Copied" }).waitFor();
  await page.reload();
});

test("a query is found again in the history, and kept in the model under a name", async () => {
  const own = await openConsole(browser, server, { text });
  const customer = of("Customer")[0];
  await visit(own, collectionOf(customer));
  await visit(own, `#/items/${SHOP}?limit=25`);
  await own.getByRole("button", { name: "Queries" }).click();
  assert.deepEqual(await accessibilityFaults(own), []);
  const past = own.getByRole("region", { name: "History" });
  await past.getByRole("link", { name: customer.PK.S }).click();
  await shown(own);
  assert.equal(new URL(own.url()).hash, collectionOf(customer));
  await own.getByRole("button", { name: "Queries" }).click();
  await own.getByLabel("Save this query as").fill('the "first" customer');
  await own.getByRole("button", { name: "Save in the model" }).click();
  const saved = own.getByRole("region", { name: "Saved queries" });
  await saved.getByRole("link", { name: 'the "first" customer' }).waitFor();
  const kept = await own.evaluate(() => localStorage.getItem("monotable.model"));
  const { queries } = await ask(server, "design", { model: kept });
  assert.deepEqual(queries, [{ name: 'the "first" customer', address: collectionOf(customer) }]);
  await own.keyboard.press("Escape");
  await visit(own, "#/tables");
  await visit(own, `#/items/${SHOP}`);
  await own.getByRole("button", { name: "Queries" }).click();
  await saved.getByRole("link", { name: 'the "first" customer' }).click();
  await shown(own);
  await own.locator(".grid-row .chip", { hasText: "Customer" }).waitFor();
  await own.getByRole("button", { name: "Queries" }).click();
  await own.getByRole("button", { name: 'Forget the "first" customer' }).click();
  await saved.getByText("None yet.").waitFor();
  await close(own);
});

test("the model of another table colours its items too", async () => {
  const other = await openConsole(browser, server, { text: model("github-backend") });
  await visit(other, "#/items/GitHubTable?limit=1000");
  await other.locator(".grid-row .chip", { hasText: "Issue" }).first().waitFor();
  assert.equal(await other.locator(".grid-row .chip.unknown").count(), 0);
  await close(other);
  await close(page);
});
