// Scan: every item once, by pages and by segments.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { paginateScan } from "@aws-sdk/client-dynamodb";
import { paginateScan as paginateDocumentScan } from "@aws-sdk/lib-dynamodb";

import { client, documents } from "./clients.js";
import { invalid } from "./failures.js";
import { collect, createTable, fill, itemsOf, keyed, range } from "./tables.js";

const TableName = await createTable({ after }, keyed("N"));
const KEYS = range(20).flatMap((pk) => range(5).map((sk) => ({ pk: `p${pk}`, sk })));
await fill(TableName, KEYS);

function assertSameKeys(items, expected = KEYS) {
  const texts = (keys) => keys.map(({ pk, sk }) => `${pk} ${sk}`).sort();
  assert.deepEqual(texts(items), texts(expected));
}

test("a scan finds every item", async () => {
  const page = await documents.scan({ TableName, ConsistentRead: true });
  assertSameKeys(page.Items);
  assert.deepEqual([page.Count, page.ScannedCount, page.LastEvaluatedKey], [100, 100, undefined]);
});

for (const pageSize of [1, 7, 100, 101]) {
  test(`pages of ${pageSize} hold every item once`, async () => {
    const pages = await collect(paginateDocumentScan({ client: documents, pageSize },
      { TableName }));
    assertSameKeys(itemsOf(pages));
    assert.ok(pages.every((page) => page.Count <= pageSize));
  });
}

test("the client's paginator goes on by attribute values", async () => {
  const pages = await collect(paginateScan({ client, pageSize: 30 }, { TableName }));
  assert.deepEqual(
    pages.map((page) => page.Count),
    [30, 30, 30, 10],
  );
  assert.deepEqual(pages[0].LastEvaluatedKey, pages[0].Items.at(-1));
  assertSameKeys(itemsOf(pages).map(({ pk, sk }) => ({ pk: pk.S, sk: sk.N })));
});

for (const TotalSegments of [1, 2, 7, 50]) {
  test(`${TotalSegments} parallel segments hold every item once`, async () => {
    const segment = (Segment) =>
      collect(paginateDocumentScan({ client: documents, pageSize: 9 },
        { TableName, Segment, TotalSegments }));
    const segments = await Promise.all(range(TotalSegments).map(segment));
    assertSameKeys(segments.flatMap(itemsOf));
  });
}

test("the items of a partition come together and in order", async () => {
  const { Items } = await documents.scan({ TableName });
  range(20).forEach((partition) => {
    const together = Items.slice(partition * 5, partition * 5 + 5);
    assert.deepEqual(
      together,
      range(5).map((sk) => ({ pk: together[0].pk, sk })),
    );
  });
});

test("a filter applies to every page", async () => {
  const request = {
    TableName,
    FilterExpression: "sk = :v AND begins_with(pk, :p)",
    ExpressionAttributeValues: { ":v": 3, ":p": "p1" },
  };
  const pages = await collect(paginateDocumentScan({ client: documents, pageSize: 10 }, request));
  assertSameKeys(
    itemsOf(pages),
    KEYS.filter(({ pk, sk }) => sk === 3 && pk.startsWith("p1")),
  );
  assert.equal(
    pages.reduce((sum, page) => sum + page.ScannedCount, 0),
    100,
  );
});

test("a segment beyond the last is refused", async () => {
  await invalid(
    documents.scan({ TableName, Segment: 5, TotalSegments: 5 }),
    "The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: 5 is not less than TotalSegments: 5",
  );
});
