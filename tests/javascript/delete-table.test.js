// DeleteTable: the table goes with its items, and its name is free again.
import assert from "node:assert/strict";
import { test } from "node:test";
import { waitUntilTableNotExists } from "@aws-sdk/client-dynamodb";

import { client, documents } from "./clients.js";
import { refused } from "./failures.js";
import { WAITING, createTable, describe, keyed, uniqueName } from "./tables.js";

async function deleteAndWait(TableName) {
  const { TableDescription } = await client.deleteTable({ TableName });
  assert.equal(TableDescription.TableStatus, "DELETING");
  await waitUntilTableNotExists(WAITING, { TableName });
}

test("a deleted table is gone", async (t) => {
  const TableName = await createTable(t);
  await deleteAndWait(TableName);
  await refused(client.describeTable({ TableName }), "ResourceNotFoundException");
  await refused(
    documents.get({ TableName, Key: { pk: "a" } }),
    "ResourceNotFoundException",
    "Requested resource not found",
  );
});

test("a table made again under the name is another and empty", async (t) => {
  const TableName = await createTable(t);
  const { TableId } = await describe(TableName);
  await documents.put({ TableName, Item: { pk: "a" } });
  await deleteAndWait(TableName);
  await createTable(t, { TableName, ...keyed() });
  assert.notEqual((await describe(TableName)).TableId, TableId);
  assert.equal((await documents.scan({ TableName })).Count, 0);
});

test("a table that does not exist is not deleted", async () => {
  const TableName = uniqueName();
  await refused(
    client.deleteTable({ TableName }),
    "ResourceNotFoundException",
    `Requested resource not found: Table: ${TableName} not found`,
  );
});
