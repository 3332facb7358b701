// Indexes added to and removed from a table with data, while it is written.
import assert from "node:assert/strict";
import { test } from "node:test";
import { paginateScan } from "@aws-sdk/lib-dynamodb";

import { documents, client } from "./clients.js";
import { invalid } from "./failures.js";
import {
  collect,
  createTable,
  definitions,
  describe,
  fill,
  index,
  itemsOf,
  range,
  waitActive,
  waitUntil,
} from "./tables.js";

async function add(TableName) {
  const { TableDescription } = await client.updateTable({
    TableName,
    AttributeDefinitions: definitions({ pk: "S", g: "S" }),
    GlobalSecondaryIndexUpdates: [{ Create: index("by-g", ["g"]) }],
  });
  return TableDescription;
}

async function remove(TableName) {
  await client.updateTable(
    { TableName, GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: "by-g" } }] });
  await waitUntil(async () => (await describe(TableName)).GlobalSecondaryIndexes === undefined);
  await waitActive(TableName);
}

/** The items that have the index's key, as the index or the table shows them. */
async function contents(TableName, IndexName) {
  const items = itemsOf(
    await collect(paginateScan({ client: documents },
      { TableName, IndexName, ConsistentRead: !IndexName })),
  );
  return items
    .filter((item) => item.g !== undefined)
    .map(({ pk, g }) => `${pk} ${g}`)
    .sort();
}

test("a new index holds the items that were there", async (t) => {
  const table = await createTable(t);
  await fill(table,
    [...range(50).map((number) => ({ pk: `k${number}`, g: `g${number % 3}` })), { pk: "sparse" }]);
  const reply = await add(table);
  assert.equal(reply.TableStatus, "UPDATING");
  assert.equal(reply.GlobalSecondaryIndexes[0].IndexStatus, "CREATING");
  assert.equal(reply.GlobalSecondaryIndexes[0].Backfilling, false);
  await waitActive(table);
  assert.equal((await describe(table)).GlobalSecondaryIndexes[0].Backfilling, undefined);
  const entries = await contents(table, "by-g");
  assert.equal(entries.length, 50);
  assert.deepEqual(entries, await contents(table));
});

/** Puts and deletes items of the table until told to stop. */
async function write(TableName, worker, running) {
  for (let number = worker; running(); number += 4) {
    const Key = { pk: `k${number % 600}` };
    if (number % 5 === 0) await documents.delete({ TableName, Key });
    else await documents.put({ TableName, Item: { ...Key, g: `new${number % 7}` } });
  }
}

test("writes during the backfill are not missed", async (t) => {
  const table = await createTable(t);
  await fill(
    table,
    range(500).map((number) => ({ pk: `k${number}`, g: "old" })),
  );
  let running = true;
  const writers = range(4).map((worker) => write(table, worker, () => running));
  try {
    await add(table);
    await waitActive(table);
  } finally {
    running = false;
    await Promise.all(writers);
  }
  assert.deepEqual(await contents(table, "by-g"), await contents(table));
});

test("a removed index is gone while the table is written", async (t) => {
  const table = await createTable(t);
  await add(table);
  await waitActive(table);
  let running = true;
  const writer = write(table, 1, () => running);
  try {
    await remove(table);
  } finally {
    running = false;
    await writer;
  }
  assert.deepEqual((await describe(table)).AttributeDefinitions, definitions({ pk: "S" }));
  await invalid(
    documents.scan({ TableName: table, IndexName: "by-g" }),
    "The table does not have the specified index: by-g",
  );
});

test("an index made again under the name holds no old entries", async (t) => {
  const table = await createTable(t);
  await fill(table, [{ pk: "a", g: "x" }]);
  await add(table);
  await waitActive(table);
  await remove(table);
  await documents.delete({ TableName: table, Key: { pk: "a" } });
  await add(table);
  await waitActive(table);
  assert.deepEqual(await contents(table, "by-g"), []);
});
