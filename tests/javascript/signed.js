// The JavaScript SDK over TLS, with signatures, session tokens and policies. Run by the step
// "security", which starts a server with these keys.
import assert from "node:assert/strict";
import fs from "node:fs";
import https from "node:https";
import { test } from "node:test";

import { DynamoDBClient, GetItemCommand, ListTablesCommand } from "@aws-sdk/client-dynamodb";
import { NodeHttpHandler } from "@smithy/node-http-handler";

const ca = fs.readFileSync(process.env.MONOTABLE_CA);
const keys = JSON.parse(process.env.MONOTABLE_KEYS);

function client(user, changes = {}) {
  return new DynamoDBClient({
    endpoint: process.env.MONOTABLE_ENDPOINT,
    region: "us-east-1",
    credentials: { ...keys[user], ...changes },
    maxAttempts: 1,
    requestHandler: new NodeHttpHandler({ httpsAgent: new https.Agent({ ca, keepAlive: false }) }),
  });
}

const key = (user) => new GetItemCommand({ TableName: "things", Key: { pk: { S: user } } });

test("a user does what its policies allow", async () => {
  const { Item } = await client("alice").send(key("alice"));
  assert.equal(Item.pk.S, "alice");
  await assert.rejects(client("alice").send(key("bob")), { name: "AccessDeniedException" });
});

test("a session token is needed where the key has one", async () => {
  const { TableNames } = await client("session").send(new ListTablesCommand({}));
  assert.ok(TableNames.includes("things"));
  const without = client("session", { sessionToken: undefined });
  await assert.rejects(without.send(new ListTablesCommand({})),
    { name: "UnrecognizedClientException" });
});

test("a wrong secret is refused", async () => {
  const wrong = client("root", { secretAccessKey: "wrong" });
  await assert.rejects(wrong.send(new ListTablesCommand({})),
    { name: "InvalidSignatureException" });
});
