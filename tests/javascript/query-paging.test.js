// Query by pages: Limit, the key to go on from, and the paginators of both clients.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { paginateQuery } from "@aws-sdk/client-dynamodb";
import { paginateQuery as paginateDocumentQuery } from "@aws-sdk/lib-dynamodb";

import { client, documents } from "./clients.js";
import { collect, createTable, fill, itemsOf, keyed, range } from "./tables.js";

const TableName = await createTable({ after }, keyed("N"));
await fill(
  TableName,
  range(10).map((sk) => ({ pk: "p", sk, even: sk % 2 === 0 })),
);
await fill(TableName, [
  { pk: "o", sk: 100 },
  { pk: "q", sk: -100 },
]);

const QUERY = { TableName, KeyConditionExpression: "pk = :p",
  ExpressionAttributeValues: { ":p": "p" } };

for (const pageSize of [1, 3, 10, 11]) {
  for (const ScanIndexForward of [true, false]) {
    test(`pages of ${pageSize} hold every item once, ${ScanIndexForward ? "forward" : "backward"}`, async () => {
      const pages = await collect(
        paginateDocumentQuery({ client: documents, pageSize }, { ...QUERY, ScanIndexForward }),
      );
      const found = itemsOf(pages).map((item) => item.sk);
      assert.deepEqual(found, ScanIndexForward ? range(10) : range(10).reverse());
      assert.ok(pages.every((page) => page.Count <= pageSize));
    });
  }
}

test("the client's paginator goes on by attribute values", async () => {
  const request = { ...QUERY, ExpressionAttributeValues: { ":p": { S: "p" } } };
  const pages = await collect(paginateQuery({ client, pageSize: 4 }, request));
  assert.deepEqual(
    itemsOf(pages).map((item) => item.sk.N),
    range(10).map(String),
  );
  assert.deepEqual(
    pages.map((page) => page.Count),
    [4, 4, 2],
  );
  assert.deepEqual(pages[0].LastEvaluatedKey, { pk: { S: "p" }, sk: { N: "3" } });
  assert.equal(pages[2].LastEvaluatedKey, undefined);
});

test("a page that ends with the last item still has a key, and an empty page follows", async () => {
  const page = await documents.query({ ...QUERY, Limit: 10 });
  assert.deepEqual(page.LastEvaluatedKey, { pk: "p", sk: 9 });
  const next = await documents.query({ ...QUERY, Limit: 10,
    ExclusiveStartKey: page.LastEvaluatedKey });
  assert.deepEqual([next.Items, next.Count, next.LastEvaluatedKey], [[], 0, undefined]);
});

test("Limit counts before the filter", async () => {
  const page = await documents.query({
    ...QUERY,
    Limit: 5,
    FilterExpression: "even = :even",
    ExpressionAttributeValues: { ":p": "p", ":even": true },
  });
  assert.deepEqual(
    page.Items.map((item) => item.sk),
    [0, 2, 4],
  );
  assert.deepEqual([page.Count, page.ScannedCount], [3, 5]);
  assert.deepEqual(page.LastEvaluatedKey, { pk: "p", sk: 4 });
});

test("a query can start from a key of no item, in both directions", async () => {
  const from = { ...QUERY, ExclusiveStartKey: { pk: "p", sk: 4.5 } };
  assert.deepEqual(
    (await documents.query(from)).Items.map((item) => item.sk),
    [5, 6, 7, 8, 9],
  );
  const backward = await documents.query({ ...from, ScanIndexForward: false });
  assert.deepEqual(
    backward.Items.map((item) => item.sk),
    [4, 3, 2, 1, 0],
  );
});

test("a page ends at one megabyte", async (t) => {
  const table = await createTable(t, keyed("N"));
  for (const sk of range(5)) await documents.put({ TableName: table,
    Item: { pk: "p", sk, v: "x".repeat(300_000) } });
  const pages = await collect(paginateDocumentQuery({ client: documents },
    { ...QUERY, TableName: table }));
  assert.deepEqual(
    pages.map((page) => page.Count),
    [4, 1],
  );
});
