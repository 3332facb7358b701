// BatchWriteItem: up to 25 puts and deletes of several tables.
import assert from "node:assert/strict";
import { test } from "node:test";

import { client, documents } from "./clients.js";
import { invalid, refused } from "./failures.js";
import { createTable, fill, keyed, range, uniqueName } from "./tables.js";

function put(Item) {
  return { PutRequest: { Item } };
}

async function contents(TableName) {
  const { Items } = await documents.scan({ TableName, ConsistentRead: true });
  return Items.map((item) => item.pk).sort();
}

test("puts and deletes go together", async (t) => {
  const table = await createTable(t);
  await fill(table, [{ pk: "old" }, { pk: "kept" }]);
  const requests = [
    put({ pk: "new" }),
    { DeleteRequest: { Key: { pk: "old" } } },
    { DeleteRequest: { Key: { pk: "absent" } } },
  ];
  const { UnprocessedItems } = await documents.batchWrite({ RequestItems: { [table]: requests } });
  assert.deepEqual(UnprocessedItems, {});
  assert.deepEqual(await contents(table), ["kept", "new"]);
});

test("the client writes several tables at once", async (t) => {
  const [first, second] = [await createTable(t), await createTable(t, keyed("N"))];
  await client.batchWriteItem({
    RequestItems: {
      [first]: [put({ pk: { S: "a" } })],
      [second]: [put({ pk: { S: "b" }, sk: { N: "1" } }), put({ pk: { S: "b" }, sk: { N: "2" } })],
    },
  });
  assert.deepEqual(await contents(first), ["a"]);
  assert.deepEqual(await contents(second), ["b", "b"]);
});

test("25 requests are accepted and 26 are not", async (t) => {
  const table = await createTable(t);
  const requests = range(26).map((number) => put({ pk: `k${number}` }));
  await invalid(
    documents.batchWrite({ RequestItems: { [table]: requests } }),
    `1 validation error detected: Value at 'RequestItems.${table}.member' failed to satisfy constraint: Member must have length less than or equal to 25`,
  );
  assert.deepEqual(await contents(table), []);
  await documents.batchWrite({ RequestItems: { [table]: requests.slice(1) } });
  assert.equal((await contents(table)).length, 25);
});

test("one wrong request refuses the whole batch", async (t) => {
  const table = await createTable(t);
  const twice = { [table]: [put({ pk: "a" }), { DeleteRequest: { Key: { pk: "a" } } }] };
  await invalid(documents.batchWrite({ RequestItems: twice }),
    "Provided list of item keys contains duplicates");
  const wrongKey = { [table]: [put({ pk: "a" }), put({ pk: 1 })] };
  await invalid(documents.batchWrite({ RequestItems: wrongKey }),
    "The provided key element does not match the schema");
  const nowhere = { [table]: [put({ pk: "a" })], [uniqueName()]: [put({ pk: "a" })] };
  await refused(
    documents.batchWrite({ RequestItems: nowhere }),
    "ResourceNotFoundException",
    "Requested resource not found",
  );
  assert.deepEqual(await contents(table), []);
});
