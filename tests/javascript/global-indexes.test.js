// Global secondary indexes: other keys, three projections, sparse entries.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { paginateQuery, paginateScan } from "@aws-sdk/lib-dynamodb";

import { client, documents } from "./clients.js";
import { invalid } from "./failures.js";
import { collect, createTable, definitions, fill, index, itemsOf, keySchema, range,
  uniqueName } from "./tables.js";

const REQUEST = {
  KeySchema: keySchema("pk"),
  AttributeDefinitions: definitions({ pk: "S", g: "S", score: "N" }),
  GlobalSecondaryIndexes: [
    index("all", ["g", "score"]),
    index("keys", ["g"], "KEYS_ONLY"),
    index("some", ["g", "score"], ["a"]),
  ],
};
const TableName = await createTable({ after }, REQUEST);

function request(IndexName, group, more) {
  return {
    TableName,
    IndexName,
    KeyConditionExpression: "g = :g",
    ExpressionAttributeValues: { ":g": group },
    ...more,
  };
}

async function names(IndexName, group, more) {
  const { Items } = await documents.query(request(IndexName, group, more));
  return Items.map((item) => item.pk);
}

/** Writes items of a group of their own, and gives the group. */
async function groupOf(items) {
  const g = uniqueName();
  await fill(
    TableName,
    items.map((item) => ({ ...item, pk: `${g} ${item.pk}`, g })),
  );
  return g;
}

test("items are found by the index key, in its order", async () => {
  const g = await groupOf([
    { pk: "a", score: 3 },
    { pk: "b", score: 1 },
    { pk: "c", score: 2 },
  ]);
  assert.deepEqual(await names("all", g), [`${g} b`, `${g} c`, `${g} a`]);
  assert.deepEqual(await names("all", g, { ScanIndexForward: false }),
    [`${g} a`, `${g} c`, `${g} b`]);
  const condition = {
    KeyConditionExpression: "g = :g AND score >= :s",
    ExpressionAttributeValues: { ":g": g, ":s": 2 },
  };
  assert.deepEqual(await names("all", g, condition), [`${g} c`, `${g} a`]);
});

const projections = { all: ["a", "b", "g", "pk", "score"], keys: ["g", "pk"],
  some: ["a", "g", "pk", "score"] };

for (const [name, attributes] of Object.entries(projections)) {
  test(`the projection of "${name}" decides what a query returns`, async () => {
    const g = await groupOf([{ pk: "a", score: 1, a: "a", b: "b" }]);
    const { Items } = await documents.query(request(name, g));
    assert.deepEqual(
      Items.map((item) => Object.keys(item).sort()),
      [attributes],
    );
  });
}

test("items without all keys of an index are not in it", async () => {
  const g = await groupOf([{ pk: "whole", score: 1 }, { pk: "no score" }]);
  assert.deepEqual(await names("all", g), [`${g} whole`]);
  assert.deepEqual((await names("keys", g)).sort(), [`${g} no score`, `${g} whole`]);
});

test("an entry follows its item", async () => {
  const [from, to] = [uniqueName(), uniqueName()];
  const Key = { pk: from };
  await documents.put({ TableName, Item: { ...Key, g: from, score: 1 } });
  const values = { ":to": to, ":a": "new" };
  await documents.update({
    TableName,
    Key,
    UpdateExpression: "SET g = :to, a = :a",
    ExpressionAttributeValues: values,
  });
  assert.deepEqual(await names("some", from), []);
  assert.deepEqual((await documents.query(request("some", to))).Items,
    [{ pk: from, g: to, score: 1, a: "new" }]);
  await documents.update({ TableName, Key, UpdateExpression: "REMOVE score" });
  assert.deepEqual(await names("some", to), []);
  assert.deepEqual(await names("keys", to), [from]);
  await documents.delete({ TableName, Key });
  assert.deepEqual(await names("keys", to), []);
});

for (const ScanIndexForward of [true, false]) {
  for (const pageSize of [1, 3, 7]) {
    test(`equal index keys are paged without loss by ${pageSize}, ${ScanIndexForward ? "forward" : "backward"}`, async () => {
      const equal = range(10).map((number) => ({ pk: `k${number}`, score: 5 }));
      const g = await groupOf([...equal, { pk: "first", score: 1 }, { pk: "last", score: 9 }]);
      const pages = await collect(
        paginateQuery({ client: documents, pageSize }, request("all", g, { ScanIndexForward })),
      );
      const found = itemsOf(pages).map((item) => item.pk);
      assert.deepEqual(found, await names("all", g, { ScanIndexForward }));
      assert.equal(new Set(found).size, 12);
      assert.deepEqual(
        [found[0], found.at(-1)],
        (ScanIndexForward ? ["first", "last"] : ["last", "first"]).map((end) => `${g} ${end}`),
      );
    });
  }
}

test("backward is the exact opposite of forward", async () => {
  const g = await groupOf(range(12).map((number) => ({ pk: `k${number}`, score: number % 3 })));
  assert.deepEqual(await names("all", g),
    (await names("all", g, { ScanIndexForward: false })).reverse());
});

test("the page key holds the index key and the table key", async () => {
  const g = await groupOf([{ pk: "a", score: 1 }]);
  const { LastEvaluatedKey } = await client.query(request("all", { S: g }, { Limit: 1 }));
  assert.deepEqual(LastEvaluatedKey, { g: { S: g }, score: { N: "1" }, pk: { S: `${g} a` } });
});

test("a scan of an index is paged and segmented", async (t) => {
  const own = await createTable(t, REQUEST);
  await fill(
    own,
    range(20).map((number) => ({ pk: `k${number}`, g: `g${number % 4}`, score: number % 2 })),
  );
  await fill(own, [{ pk: "sparse", g: "g0" }]);
  const scan = (more) =>
    collect(paginateScan({ client: documents, pageSize: 3 },
      { TableName: own, IndexName: "all", ...more }));
  const segments = await Promise.all(range(3)
    .map((Segment) => scan({ Segment, TotalSegments: 3 })));
  for (const found of [itemsOf(await scan()), segments.flatMap(itemsOf)]) {
    assert.deepEqual(
      found.map((item) => item.pk).sort(),
      range(20)
        .map((number) => `k${number}`)
        .sort(),
    );
  }
});

test("consistent reads are refused", async () => {
  const message = "Consistent reads are not supported on global secondary indexes";
  await invalid(documents.query(request("all", "g", { ConsistentRead: true })), message);
  await invalid(documents.scan({ TableName, IndexName: "all", ConsistentRead: true }), message);
});
