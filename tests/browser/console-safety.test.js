// What the console may not do, and what nobody may do through it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";

import { launch } from "./chromium.js";
import { close, deploy, forgive, isBusy, model, modelFile, must, openConsole, visit } from "./console.js";
import { site, start } from "./server.js";

const TRANSFER_BYTES_MAX = 400_000;
/** Milliseconds; the least of several visits. A machine that is busy with others proves little. */
const FIRST_PAINT_MAX = isBusy() ? 2000 : 200;

/** Of the keys of a test. */
const SECRET = "abcdefghijklmnopqrstuvwxyz0123456789ABCD";

let browser;

before(async () => {
  browser = await launch("--host-resolver-rules=MAP evil.example 127.0.0.1");
});

after(async () => {
  await browser?.close();
});

/** Asks for a path with headers that a test chooses; gives status, headers and text. */
function get(server, path_, headers) {
  return new Promise((resolve, reject) => {
    const request = http.get({ host: "127.0.0.1", port: server.port, path: path_, headers }, (response) => {
      let text = "";
      response.on("data", (piece) => (text += piece));
      response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, text }));
    });
    request.on("error", reject);
  });
}

test("a browser gets the console, an SDK's health check the text, and nobody the console that is off", async (t) => {
  const server = await start();
  t.after(() => server.stop());
  const off = await start("--console", "off");
  t.after(() => off.stop());
  const html = { accept: "text/html,*/*" };
  assert.match((await get(server, "/", html)).text, /<!doctype html>/);
  assert.match((await get(server, "/", { accept: "*/*" })).text, /^healthy: /);
  assert.match((await get(off, "/", html)).text, /^healthy: /);
  assert.equal((await get(server, "/", { ...html, host: "evil.example" })).status, 421);
  assert.equal((await get(server, "/", { ...html, origin: "http://evil.example" })).status, 403);
});

test("a script that is put into the page does not run, and no page can frame it", async (t) => {
  const server = await start();
  t.after(() => server.stop());
  const page = await openConsole(browser, server);
  await visit(page, "#/tables");
  await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "globalThis.planted = true";
    document.body.append(script);
  });
  assert.equal(await page.evaluate(() => globalThis.planted), undefined);
  assert.ok(page.complaints.some((text) => text.includes("Content Security Policy")));
  const outer = await site(`<!doctype html><iframe src="${server.endpoint}/"></iframe>`);
  const framing = await browser.newPage();
  await framing.goto(outer.origin);
  await framing.waitForTimeout(300);
  assert.equal(await framing.frames()[1]?.locator("#nav").count(), 0);
  outer.stop();
});

test("texts of items are texts, whatever they say", async (t) => {
  const server = await start();
  t.after(() => server.stop());
  const evil = '<img src=x onerror="globalThis.planted=1"><script>globalThis.planted=1</script>';
  await must(server, "CreateTable", {
    TableName: "texts",
    KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
    AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
    BillingMode: "PAY_PER_REQUEST",
  });
  await must(server, "PutItem", { TableName: "texts", Item: { pk: { S: evil }, [evil]: { S: evil } } });
  const page = await openConsole(browser, server);
  await visit(page, "#/items/texts");
  await page.locator(".grid-row").click();
  await page.locator(".detail").waitFor();
  assert.equal(await page.locator(".grid img, .detail img, main script").count(), 0);
  assert.equal(await page.evaluate(() => globalThis.planted), undefined);
  await close(page);
});

test("a read-only console shows no way to write, and the server takes no write from it", async (t) => {
  const server = await start("--console", "read-only");
  t.after(() => server.stop());
  const text = model("e-commerce");
  await deploy(server, text);
  const page = await openConsole(browser, server, { text });
  await visit(page, "#/items/EcommerceTable");
  assert.equal(await page.getByRole("button", { name: "New item" }).count(), 0);
  await page.locator(".grid-row").first().click();
  assert.equal(await page.getByRole("button", { name: "Edit" }).count(), 0);
  const statuses = await page.evaluate(async () => {
    const send = async (operation, body) => {
      const headers = {
        "content-type": "application/x-amz-json-1.0",
        "x-amz-target": `DynamoDB_20120810.${operation}`,
      };
      return (await fetch("/", { method: "POST", headers, body: JSON.stringify(body) })).status;
    };
    return [
      await send("PutItem", { TableName: "EcommerceTable", Item: { PK: { S: "planted" }, SK: { S: "planted" } } }),
      await send("ExecuteStatement", { Statement: "DELETE FROM \"EcommerceTable\" WHERE PK = 'a' AND SK = 'a'" }),
      await send("Scan", { TableName: "EcommerceTable", Limit: 1 }),
    ];
  });
  assert.deepEqual(statuses, [403, 403, 200]);
  const key = { PK: { S: "planted" }, SK: { S: "planted" } };
  assert.equal((await must(server, "GetItem", { TableName: "EcommerceTable", Key: key })).Item, undefined);
  forgive(page);
  await close(page);
});

test("with credentials the console asks for a key, signs with it, and forgets it with the tab", async (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "console-"));
  const file = path.join(folder, "keys.toml");
  const made = execFileSync(
    process.env.MONOTABLE_BINARY,
    ["keys", "create", "alice", "--policy", "AdministratorAccess", "--credentials", file],
    { encoding: "utf8" },
  );
  const keys = fs.readFileSync(file, "utf8");
  const id = /access_key_id = "([^"]+)"/.exec(keys)[1];
  const secret = /secret_access_key = "([^"]+)"/.exec(keys)?.[1] ?? /secret[^\n]*?([A-Za-z0-9/+=]{40})/i.exec(made)[1];
  const server = await start("--credentials", file);
  t.after(() => server.stop());
  const page = await openConsole(browser, server);
  await page.goto(`${server.endpoint}/`);
  await page.getByLabel("Access key ID").fill(id);
  await page.getByLabel("Secret access key").fill(secret);
  await page.getByRole("button", { name: "Use", exact: true }).click();
  await page.getByText("There are no tables yet.").waitFor();
  assert.equal(await page.evaluate(() => JSON.stringify(localStorage).includes("secret")), false);
  await visit(page, "#/design");
  await page.getByRole("button", { name: "Begin with an example" }).click();
  await page.locator(".bar .tag", { hasText: "consistent" }).waitFor();
  forgive(page);
  await close(page);
  fs.rmSync(folder, { recursive: true });
});

/** A file with the key of an administrator. */
function administratorsKey(t) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "console-"));
  t.after(() => fs.rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, "keys.toml");
  const key = `[[key]]\naccess_key_id = "AKIAROOT"\nsecret_access_key = "${SECRET}"\nuser = "root"\n`;
  fs.writeFileSync(file, `${key}admin = true\npolicies = ["AdministratorAccess"]\n`, { mode: 0o600 });
  return file;
}

async function signIn(page, id) {
  await page.getByLabel("Access key ID").fill(id);
  await page.getByLabel("Secret access key").fill(SECRET);
  await page.getByRole("button", { name: "Use", exact: true }).click();
}

test("whoever opens a model without a key is asked for one, and then sees what it has", async (t) => {
  const server = await start("--credentials", administratorsKey(t), "--model", modelFile("e-commerce"));
  t.after(() => server.stop());
  const pattern = (page) => page.locator(".list a", { hasText: "customer and newest orders" });
  const design = (page) => page.locator(".bar .tag", { hasText: "consistent" });
  for (const [view, found] of [
    ["patterns", pattern],
    ["design", design],
  ]) {
    const page = await openConsole(browser, server);
    await page.goto(`${server.endpoint}/#/${view}`);
    await page.getByRole("dialog", { name: "Credentials" }).waitFor();
    await signIn(page, "AKIAROOT");
    await found(page).waitFor();
    await page.getByRole("button", { name: "Credentials ✓" }).waitFor();
    forgive(page);
    await close(page);
  }
});

test("a question about a model that failed once is asked again", async (t) => {
  const server = await start("--model", modelFile("e-commerce"));
  t.after(() => server.stop());
  for (const path of ["models", "console/design"]) {
    const page = await openConsole(browser, server);
    await visit(page, "#/tables");
    await page.route(`**/_monotable/${path}`, (route) => route.abort(), { times: 1 });
    await page.goto(`${server.endpoint}/#/patterns`);
    await page.locator("main [role=alert]", { hasText: "the server does not answer" }).waitFor();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator(".list a", { hasText: "customer and newest orders" }).waitFor();
    await page.context().close();
  }
});

test("where no key could help nobody is asked for one", async (t) => {
  const server = await start();
  t.after(() => server.stop());
  const page = await openConsole(browser, server);
  // What the server says to other machines as long as nobody has to sign.
  const error = "other machines may not use this on a server without credentials";
  await page.route("**/_monotable/{metrics,models}", (route) => route.fulfill({ status: 403, json: { error } }));
  await page.goto(`${server.endpoint}/#/operations`);
  await page.locator("main [role=alert]", { hasText: error }).waitFor();
  await visit(page, "#/patterns");
  await page.getByText("Access patterns come from a model.").waitFor();
  assert.equal(await page.locator("dialog").count(), 0);
  forgive(page);
  await close(page);
});

test("a key that may use one table only finds it by its name, and is told what it may not see", async (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "console-"));
  t.after(() => fs.rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, "keys.toml");
  const Resource = ["arn:aws:dynamodb:*:*:table/Shop", "arn:aws:dynamodb:*:*:table/Shop/index/*"];
  const Action = ["dynamodb:DescribeTable", "dynamodb:Scan", "dynamodb:Query", "dynamodb:GetItem"];
  const policy = { Version: "2012-10-17", Statement: [{ Effect: "Allow", Action, Resource }] };
  fs.writeFileSync(path.join(folder, "shop.json"), JSON.stringify(policy));
  const key = (id, policies) =>
    `[[key]]\naccess_key_id = "${id}"\nsecret_access_key = "${SECRET}"\nuser = "${id}"\npolicies = ["${policies}"]\n`;
  const policies = `[[policy]]\nname = "shop"\nfile = "shop.json"\n`;
  const keys = key("AKIAROOT", "AdministratorAccess") + key("AKIASHOP", "shop") + policies;
  fs.writeFileSync(file, keys, { mode: 0o600 });
  const server = await start("--credentials", file);
  t.after(() => server.stop());
  const page = await openConsole(browser, server);
  await page.goto(`${server.endpoint}/`);
  await signIn(page, "AKIAROOT");
  await page.getByText("There are no tables yet.").waitFor();
  await page.evaluate(async () => {
    const link = document.querySelector('link[rel=modulepreload][href$="/client.js"]');
    const { call } = await import(link.href);
    await call("CreateTable", {
      TableName: "Shop",
      KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
      AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
      BillingMode: "PAY_PER_REQUEST",
    });
    await call("PutItem", { TableName: "Shop", Item: { pk: { S: "mine" } } });
  });
  await page.getByRole("button", { name: /^Credentials/ }).click();
  await signIn(page, "AKIASHOP");
  for (const view of ["tables", "items", "live"]) {
    await visit(page, `#/${view}`);
    await page.getByText("This key may not list the tables.").waitFor();
  }
  await visit(page, "#/items");
  await page.getByLabel("Table name").fill("Shop");
  await page.getByRole("button", { name: "Open" }).click();
  await page.locator(".grid-row", { hasText: "mine" }).waitFor();
  await visit(page, "#/tables/Shop");
  await page.getByRole("region", { name: "Time to live" }).getByText("This key may not see it").waitFor();
  await page.getByRole("region", { name: "Indexes" }).waitFor();
  forgive(page);
  await close(page);
});

test("a server that is gone is said to be gone", async (t) => {
  const server = await start();
  t.after(() => server.stop());
  const page = await openConsole(browser, server);
  await visit(page, "#/tables");
  server.stop();
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.locator("#notices").getByText("the server does not answer").waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("o");
  await page.locator("main [role=alert]", { hasText: "the server does not answer" }).waitFor();
  await page.context().close();
});

test("a first visit transfers little and paints at once", async (t) => {
  const server = await start();
  t.after(() => server.stop());
  const paints = [];
  while (paints.length < 10 && !paints.some((millis) => millis < FIRST_PAINT_MAX)) {
    const page = await openConsole(browser, server);
    let transferred = 0;
    page.on("response", async (response) => {
      transferred += Number(response.headers()["content-length"] ?? 0);
      assert.equal(new URL(response.url()).origin, server.endpoint);
    });
    await visit(page, "#/tables");
    assert.ok(transferred > 0 && transferred < TRANSFER_BYTES_MAX, `${transferred} bytes`);
    paints.push(
      await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Infinity),
    );
    await close(page);
  }
  assert.ok(Math.min(...paints) < FIRST_PAINT_MAX, `first paints after ${paints} ms`);
});
