// UpdateTable: billing, throughput and deletion protection.
import assert from "node:assert/strict";
import { test } from "node:test";

import { client, documents } from "./clients.js";
import { invalid, refused } from "./failures.js";
import { createTable, definitions, describe, index, keySchema, keyed, uniqueName,
  waitActive } from "./tables.js";

const UNITS = { ReadCapacityUnits: 5, WriteCapacityUnits: 5 };
const MORE_READS = { ReadCapacityUnits: 9, WriteCapacityUnits: 2 };

test("throughput changes", async (t) => {
  const TableName = await createTable(t, { ...keyed(), ProvisionedThroughput: UNITS });
  const { TableDescription } = await client.updateTable(
    { TableName, ProvisionedThroughput: MORE_READS });
  assert.equal(TableDescription.TableStatus, "UPDATING");
  await waitActive(TableName);
  const { ReadCapacityUnits, WriteCapacityUnits, NumberOfDecreasesToday } = (
    await describe(TableName))
    .ProvisionedThroughput;
  assert.deepEqual({ ReadCapacityUnits, WriteCapacityUnits }, MORE_READS);
  assert.equal(NumberOfDecreasesToday, 1);
});

test("a provisioned table becomes on demand and keeps its items", async (t) => {
  const TableName = await createTable(t, { ...keyed(), ProvisionedThroughput: UNITS });
  await documents.put({ TableName, Item: { pk: "a" } });
  await client.updateTable({ TableName, BillingMode: "PAY_PER_REQUEST" });
  await waitActive(TableName);
  const described = await describe(TableName);
  assert.equal(described.BillingModeSummary.BillingMode, "PAY_PER_REQUEST");
  assert.equal(described.ProvisionedThroughput.ReadCapacityUnits, 0);
  assert.deepEqual((await documents.get({ TableName, Key: { pk: "a" } })).Item, { pk: "a" });
});

test("the throughput of an index changes", async (t) => {
  const TableName = await createTable(t, {
    KeySchema: keySchema("pk"),
    AttributeDefinitions: definitions({ pk: "S", g: "S" }),
    ProvisionedThroughput: UNITS,
    GlobalSecondaryIndexes: [{ ...index("global", ["g"]), ProvisionedThroughput: UNITS }],
  });
  const change = { IndexName: "global", ProvisionedThroughput: MORE_READS };
  await client.updateTable({ TableName, GlobalSecondaryIndexUpdates: [{ Update: change }] });
  await waitActive(TableName);
  const [changed] = (await describe(TableName)).GlobalSecondaryIndexes;
  assert.equal(changed.ProvisionedThroughput.ReadCapacityUnits, 9);
});

test("a protected table is not deleted until the protection goes", async (t) => {
  const TableName = await createTable(t, { ...keyed(), DeletionProtectionEnabled: true });
  await invalid(
    client.deleteTable({ TableName }),
    "Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.",
  );
  await client.updateTable({ TableName, DeletionProtectionEnabled: false });
  await waitActive(TableName);
  assert.equal((await describe(TableName)).DeletionProtectionEnabled, false);
  await client.deleteTable({ TableName });
});

test("a table that does not exist is not updated", async () => {
  const TableName = uniqueName();
  await refused(
    client.updateTable({ TableName, BillingMode: "PAY_PER_REQUEST" }),
    "ResourceNotFoundException",
    `Requested resource not found: Table: ${TableName} not found`,
  );
});
