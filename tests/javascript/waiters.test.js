// The SDK's waiters end as soon as the table is there, or is gone.
import assert from "node:assert/strict";
import { test } from "node:test";
import { waitUntilTableExists, waitUntilTableNotExists } from "@aws-sdk/client-dynamodb";

import { client } from "./clients.js";
import { WAITING, createTable, keyed, uniqueName } from "./tables.js";

test("waitUntilTableExists ends when the table is active", async (t) => {
  const TableName = uniqueName();
  const waiting = waitUntilTableExists(WAITING, { TableName });
  await createTable(t, { TableName, ...keyed() });
  const { state, reason } = await waiting;
  assert.equal(state, "SUCCESS");
  assert.equal(reason.Table.TableStatus, "ACTIVE");
});

test("waitUntilTableNotExists ends when the table is gone", async (t) => {
  const TableName = await createTable(t);
  const waiting = waitUntilTableNotExists(WAITING, { TableName });
  await client.deleteTable({ TableName });
  assert.equal((await waiting).state, "SUCCESS");
});

test("waitUntilTableExists gives up after its time", async () => {
  const brief = { ...WAITING, maxWaitTime: 0.1 };
  await assert.rejects(waitUntilTableExists(brief, { TableName: uniqueName() }),
    { name: "TimeoutError" });
});
