// ReturnConsumedCapacity: units to the half, TOTAL and INDEXES.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { client, documents } from "./clients.js";
import { createTable, definitions, index, keySchema, uniqueName } from "./tables.js";

const single = await createTable({ after });
const indexed = await createTable(
  { after },
  {
    KeySchema: keySchema("pk", "sk"),
    AttributeDefinitions: definitions({ pk: "S", sk: "S", g: "S", r: "S" }),
    LocalSecondaryIndexes: [index("local", ["pk", "r"], "KEYS_ONLY")],
    GlobalSecondaryIndexes: [index("global", ["g"], ["seen"])],
  },
);

/** An item of exactly this many bytes. */
function itemOf(bytes, pk) {
  return { pk, v: "x".repeat(bytes - `pk${pk}v`.length) };
}

for (const [bytes, read, written] of [
  [100, 0.5, 1],
  [1025, 0.5, 2],
  [4096, 0.5, 4],
  [4097, 1, 5],
  [409_600, 50, 400],
]) {
  test(`an item of ${bytes} bytes costs ${read} to read and ${written} to write`, async () => {
    const Item = itemOf(bytes, uniqueName());
    const request = { TableName: single, Key: { pk: Item.pk }, ReturnConsumedCapacity: "TOTAL" };
    const put = await documents.put({ TableName: single, Item, ReturnConsumedCapacity: "TOTAL" });
    assert.deepEqual(put.ConsumedCapacity, { TableName: single, CapacityUnits: written });
    const eventual = await documents.get(request);
    assert.deepEqual(eventual.ConsumedCapacity, { TableName: single, CapacityUnits: read });
    const consistent = await documents.get({ ...request, ConsistentRead: true });
    assert.equal(consistent.ConsumedCapacity.CapacityUnits, read * 2);
    const deleted = await documents.delete(request);
    assert.equal(deleted.ConsumedCapacity.CapacityUnits, written);
  });
}

test("nothing is reported unless asked", async () => {
  const request = { TableName: single, Key: { pk: { S: "a" } } };
  assert.equal((await client.getItem(request)).ConsumedCapacity, undefined);
  assert.equal((await client.getItem({ ...request, ReturnConsumedCapacity: "NONE" }))
    .ConsumedCapacity, undefined);
});

test("batches and transactions report each table", async () => {
  const pk = uniqueName();
  const more = { ReturnConsumedCapacity: "TOTAL" };
  const written = await documents.batchWrite({
    RequestItems: { [single]: [{ PutRequest: { Item: itemOf(1500, pk) } }] },
    ...more,
  });
  assert.deepEqual(written.ConsumedCapacity, [{ TableName: single, CapacityUnits: 2 }]);
  const read = await documents.batchGet(
    { RequestItems: { [single]: { Keys: [{ pk }, { pk: "absent" }] } }, ...more });
  assert.deepEqual(read.ConsumedCapacity, [{ TableName: single, CapacityUnits: 1 }]);
  const changed = await documents.transactWrite({
    TransactItems: [{ Put: { TableName: single, Item: itemOf(1500, pk) } }],
    ...more,
  });
  assert.deepEqual(changed.ConsumedCapacity,
    [{ TableName: single, CapacityUnits: 4, WriteCapacityUnits: 4 }]);
  const got = await documents.transactGet(
    { TransactItems: [{ Get: { TableName: single, Key: { pk } } }], ...more });
  assert.deepEqual(got.ConsumedCapacity,
    [{ TableName: single, CapacityUnits: 2, ReadCapacityUnits: 2 }]);
});

/**
 * What a write costs, by table, local and global index; an index that was not touched is undefined.
 */
function arms({ ConsumedCapacity }) {
  const { CapacityUnits, Table, LocalSecondaryIndexes, GlobalSecondaryIndexes } = ConsumedCapacity;
  return [
    CapacityUnits,
    Table.CapacityUnits,
    LocalSecondaryIndexes?.local.CapacityUnits,
    GlobalSecondaryIndexes?.global.CapacityUnits,
  ];
}

test("a write costs an index only what changes in it", async () => {
  const Key = { pk: uniqueName(), sk: "s" };
  const Item = { ...Key, g: "x", r: "1", seen: "s", hidden: "h" };
  const put = (item) =>
    documents.put({ TableName: indexed, Item: item, ReturnConsumedCapacity: "INDEXES" });
  assert.deepEqual(arms(await put(Key)), [1, 1, undefined, undefined], "not in any index");
  assert.deepEqual(arms(await put(Item)), [3, 1, 1, 1], "new entries");
  assert.deepEqual(arms(await put(Item)), [1, 1, undefined, undefined], "the same item again");
  assert.deepEqual(arms(await put({ ...Item, hidden: "i" })), [1, 1, undefined, undefined],
    "not projected");
  assert.deepEqual(arms(await put({ ...Item, seen: "t" })), [2, 1, undefined, 1],
    "changed in place");
  assert.deepEqual(arms(await put({ ...Item, seen: "t", g: "y" })), [3, 1, undefined, 2], "moved");
  const gone = await documents.delete({ TableName: indexed, Key,
    ReturnConsumedCapacity: "INDEXES" });
  assert.deepEqual(arms(gone), [3, 1, 1, 1], "removed entries");
});

test("TOTAL includes the indexes without naming them", async () => {
  const Item = { pk: { S: uniqueName() }, sk: { S: "s" }, g: { S: "x" }, r: { S: "1" } };
  const { ConsumedCapacity } = await client.putItem({ TableName: indexed, Item,
    ReturnConsumedCapacity: "TOTAL" });
  assert.deepEqual(ConsumedCapacity, { TableName: indexed, CapacityUnits: 3 });
});

test("a query is charged to what it reads", async () => {
  const pk = uniqueName();
  await documents.put({ TableName: indexed,
    Item: { pk, sk: "s", g: pk, r: "1", v: "x".repeat(5000) } });
  const values = { ExpressionAttributeValues: { ":v": pk }, ReturnConsumedCapacity: "INDEXES" };
  const query = (more) =>
    documents.query({ TableName: indexed, KeyConditionExpression: "pk = :v", ...values, ...more });
  assert.deepEqual(arms(await query()), [1, 1, undefined, undefined]);
  assert.deepEqual(arms(await query({ IndexName: "local" })), [0.5, 0, 0.5, undefined]);
  assert.deepEqual(arms(await query({ IndexName: "local", Select: "ALL_ATTRIBUTES" })),
    [1.5, 1, 0.5, undefined]);
  assert.deepEqual(arms(await query({ IndexName: "global", KeyConditionExpression: "g = :v" })), [
    0.5,
    0,
    undefined,
    0.5,
  ]);
});

test("item collection metrics come with tables that have a local index", async () => {
  const pk = uniqueName();
  const { ItemCollectionMetrics } = await documents.put({
    TableName: indexed,
    Item: { pk, sk: "s" },
    ReturnItemCollectionMetrics: "SIZE",
  });
  assert.deepEqual(ItemCollectionMetrics,
    { ItemCollectionKey: { pk }, SizeEstimateRangeGB: [0, 1] });
  const without = await documents.put({ TableName: single, Item: { pk },
    ReturnItemCollectionMetrics: "SIZE" });
  assert.equal(without.ItemCollectionMetrics, undefined);
});
