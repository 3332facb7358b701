// Local secondary indexes: the partition in another order, with consistent reads.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { paginateQuery } from "@aws-sdk/lib-dynamodb";

import { client, documents } from "./clients.js";
import { collect, createTable, definitions, fill, index, itemsOf, keySchema,
  range } from "./tables.js";

const TableName = await createTable(
  { after },
  {
    KeySchema: keySchema("pk", "sk"),
    AttributeDefinitions: definitions({ pk: "S", sk: "N", score: "N" }),
    LocalSecondaryIndexes: [
      index("all", ["pk", "score"]),
      index("keys", ["pk", "score"], "KEYS_ONLY"),
      index("some", ["pk", "score"], ["a"]),
    ],
  },
);
await fill(
  TableName,
  range(5).map((sk) => ({ pk: "p", sk, score: 100 - sk, a: `a${sk}`, b: `b${sk}` })),
);
await fill(TableName, [{ pk: "p", sk: 50 }]);
await fill(
  TableName,
  range(10).map((sk) => ({ pk: "same", sk, score: 7 })),
);

function request(IndexName, more) {
  return { TableName, IndexName, KeyConditionExpression: "pk = :p",
    ExpressionAttributeValues: { ":p": "p" }, ...more };
}

async function sortKeys(IndexName, more) {
  const { Items } = await documents.query(request(IndexName, more));
  return Items.map((item) => item.sk);
}

test("items are in the order of the index, and those without its key are not in it", async () => {
  assert.deepEqual(await sortKeys("all"), [4, 3, 2, 1, 0]);
  assert.deepEqual(await sortKeys("all", { ScanIndexForward: false }), [0, 1, 2, 3, 4]);
});

test("key conditions apply to the index key", async () => {
  const condition = {
    KeyConditionExpression: "pk = :p AND score > :s",
    ExpressionAttributeValues: { ":p": "p", ":s": 98 },
  };
  assert.deepEqual(await sortKeys("keys", condition), [1, 0]);
});

test("a consistent read sees the write before it", async () => {
  for (const score of range(5)) {
    await documents.put({ TableName, Item: { pk: "fresh", sk: 1, score } });
    const values = { ExpressionAttributeValues: { ":p": "fresh" }, ConsistentRead: true };
    assert.deepEqual((await documents.query(request("all", values))).Items,
      [{ pk: "fresh", sk: 1, score }]);
  }
});

const projections = {
  all: ["a", "b", "pk", "score", "sk"],
  keys: ["pk", "score", "sk"],
  some: ["a", "pk", "score", "sk"],
};

for (const [name, attributes] of Object.entries(projections)) {
  test(`the projection of "${name}" decides what a query returns`, async () => {
    const { Items } = await documents.query(request(name));
    Items.forEach((item) => assert.deepEqual(Object.keys(item).sort(), attributes));
  });
}

test("attributes that are not projected are fetched from the table", async () => {
  const { Items } = await documents.query(
    request("keys", { ProjectionExpression: "a, b", Limit: 1 }));
  assert.deepEqual(Items, [{ a: "a4", b: "b4" }]);
  const whole = await documents.query(request("keys", { Select: "ALL_ATTRIBUTES", Limit: 1 }));
  assert.deepEqual(whole.Items, [{ pk: "p", sk: 4, score: 96, a: "a4", b: "b4" }]);
});

test("the page key holds the index key and the table key", async () => {
  const values = { ":p": { S: "p" } };
  const { LastEvaluatedKey } = await client.query(
    request("all", { ExpressionAttributeValues: values, Limit: 2 }));
  assert.deepEqual(LastEvaluatedKey, { pk: { S: "p" }, score: { N: "97" }, sk: { N: "3" } });
});

for (const ScanIndexForward of [true, false]) {
  test(`equal index keys are paged without loss, ${ScanIndexForward ? "forward" : "backward"}`, async () => {
    const same = request("all", { ExpressionAttributeValues: { ":p": "same" }, ScanIndexForward });
    const pages = await collect(paginateQuery({ client: documents, pageSize: 3 }, same));
    const found = itemsOf(pages).map((item) => item.sk);
    assert.deepEqual(found, ScanIndexForward ? range(10) : range(10).reverse());
  });
}
