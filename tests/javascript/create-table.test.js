// CreateTable and DescribeTable: what was asked for is what is described.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ResourceInUseException, ResourceNotFoundException } from "@aws-sdk/client-dynamodb";

import { client } from "./clients.js";
import { refused } from "./failures.js";
import { createTable, definitions, describe, index, keySchema, keyed, removeTable,
  uniqueName } from "./tables.js";

const UNITS = { ReadCapacityUnits: 5, WriteCapacityUnits: 4 };

test("a created table is described as it was asked for", async (t) => {
  const table = await createTable(t, keyed("N"));
  const described = await describe(table);
  assert.equal(described.TableName, table);
  assert.equal(described.TableStatus, "ACTIVE");
  assert.deepEqual(described.KeySchema, keySchema("pk", "sk"));
  assert.deepEqual(described.AttributeDefinitions, definitions({ pk: "S", sk: "N" }));
  assert.equal(described.BillingModeSummary.BillingMode, "PAY_PER_REQUEST");
  assert.ok(described.CreationDateTime instanceof Date);
  assert.ok(Math.abs(Date.now() - described.CreationDateTime) < 60_000);
  assert.match(described.TableArn,
    new RegExp(`^arn:aws:dynamodb:[a-z0-9-]+:\\d{12}:table/${table}$`));
  assert.match(described.TableId, /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/);
  assert.equal(described.DeletionProtectionEnabled, false);
});

test("the reply says that the table is being created", async (t) => {
  const TableName = uniqueName();
  const { TableDescription } = await client.createTable(
    { TableName, BillingMode: "PAY_PER_REQUEST", ...keyed() });
  t.after(() => removeTable(TableName));
  assert.equal(TableDescription.TableStatus, "CREATING");
  assert.equal(TableDescription.ItemCount, 0);
  assert.equal(TableDescription.TableSizeBytes, 0);
});

test("a provisioned table has its throughput", async (t) => {
  const table = await createTable(t, { ...keyed(), ProvisionedThroughput: UNITS });
  const { ProvisionedThroughput, BillingModeSummary } = await describe(table);
  assert.deepEqual(ProvisionedThroughput, { ...UNITS, NumberOfDecreasesToday: 0 });
  assert.equal(BillingModeSummary, undefined);
});

test("indexes are described with their keys and projections", async (t) => {
  const global = index("global", ["g"], ["a", "b"]);
  const local = index("local", ["pk", "r"], "KEYS_ONLY");
  const table = await createTable(t, {
    KeySchema: keySchema("pk", "sk"),
    AttributeDefinitions: definitions({ pk: "S", sk: "S", g: "N", r: "B" }),
    GlobalSecondaryIndexes: [global],
    LocalSecondaryIndexes: [local],
  });
  const described = await describe(table);
  const [describedGlobal] = described.GlobalSecondaryIndexes;
  const [describedLocal] = described.LocalSecondaryIndexes;
  assert.deepEqual(describedGlobal.KeySchema, global.KeySchema);
  assert.deepEqual(describedGlobal.Projection, global.Projection);
  assert.equal(describedGlobal.IndexStatus, "ACTIVE");
  assert.equal(describedGlobal.IndexArn, `${described.TableArn}/index/global`);
  assert.deepEqual(describedLocal.KeySchema, local.KeySchema);
  assert.deepEqual(describedLocal.Projection, local.Projection);
  assert.equal(describedLocal.IndexArn, `${described.TableArn}/index/local`);
});

test("a table without indexes describes none", async (t) => {
  const described = await describe(await createTable(t));
  assert.equal(described.GlobalSecondaryIndexes, undefined);
  assert.equal(described.LocalSecondaryIndexes, undefined);
});

test("a name that is taken is refused", async (t) => {
  const TableName = await createTable(t);
  const again = client.createTable({ TableName, BillingMode: "PAY_PER_REQUEST", ...keyed() });
  const error = await refused(again, "ResourceInUseException",
    `Table already exists: ${TableName}`);
  assert.ok(error instanceof ResourceInUseException);
});

test("a table that does not exist is not described", async () => {
  const TableName = uniqueName();
  const error = await refused(
    client.describeTable({ TableName }),
    "ResourceNotFoundException",
    `Requested resource not found: Table: ${TableName} not found`,
  );
  assert.ok(error instanceof ResourceNotFoundException);
});

test("the table's ARN works as its name", async (t) => {
  const table = await createTable(t);
  const { TableArn } = await describe(table);
  assert.equal((await describe(TableArn)).TableName, table);
  await client.putItem({ TableName: TableArn, Item: { pk: { S: "a" } } });
  assert.equal((await client.scan({ TableName: table })).Count, 1);
});
