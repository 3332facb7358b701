// Query: what filter, projection and Select leave of the items.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { client, documents } from "./clients.js";
import { invalid } from "./failures.js";
import { createTable, definitions, fill, index, keySchema, range } from "./tables.js";

const TableName = await createTable(
  { after },
  {
    KeySchema: keySchema("pk", "sk"),
    AttributeDefinitions: definitions({ pk: "S", sk: "N", g: "S" }),
    GlobalSecondaryIndexes: [index("by-g", ["g", "sk"], "KEYS_ONLY")],
  },
);
const ITEMS = range(6).map((sk) =>
  ({ pk: "p", sk, g: "g", v: `v${sk % 3}`, doc: { deep: [sk, { last: sk }] } }));
await fill(TableName, ITEMS);

const QUERY = { TableName, KeyConditionExpression: "pk = :p",
  ExpressionAttributeValues: { ":p": "p" } };
const BY_INDEX = {
  TableName,
  IndexName: "by-g",
  KeyConditionExpression: "g = :g",
  ExpressionAttributeValues: { ":g": "g" },
};

test("a filter counts what passes and what was read", async () => {
  const page = await documents.query({
    ...QUERY,
    FilterExpression: "v = :v AND size(doc.deep) = :two",
    ExpressionAttributeValues: { ":p": "p", ":v": "v1", ":two": 2 },
  });
  assert.deepEqual(page.Items, [ITEMS[1], ITEMS[4]]);
  assert.deepEqual([page.Count, page.ScannedCount], [2, 6]);
});

test("COUNT returns no items", async () => {
  for (const page of [
    await documents.query({ ...QUERY, Select: "COUNT" }),
    await client.scan({ TableName, Select: "COUNT" }),
  ]) {
    assert.deepEqual([page.Count, page.ScannedCount], [6, 6]);
    assert.equal(page.Items, undefined);
  }
});

test("a projection reaches into maps and lists", async () => {
  const page = await documents.query({
    ...QUERY,
    Limit: 2,
    ProjectionExpression: "v, doc.deep[1].#l",
    ExpressionAttributeNames: { "#l": "last" },
  });
  assert.deepEqual(
    page.Items,
    [0, 1].map((sk) => ({ v: `v${sk}`, doc: { deep: [{ last: sk }] } })),
  );
});

test("a filter sees attributes that the projection drops", async () => {
  const page = await documents.query({
    ...QUERY,
    Select: "SPECIFIC_ATTRIBUTES",
    ProjectionExpression: "sk",
    FilterExpression: "v = :v",
    ExpressionAttributeValues: { ":p": "p", ":v": "v2" },
  });
  assert.deepEqual(page.Items, [{ sk: 2 }, { sk: 5 }]);
});

test("ALL_ATTRIBUTES is the default on a table, ALL_PROJECTED_ATTRIBUTES on an index", async () => {
  assert.deepEqual((await documents.query(QUERY)).Items, ITEMS);
  assert.deepEqual((await documents.query({ ...QUERY, Select: "ALL_ATTRIBUTES" })).Items, ITEMS);
  const projected = ITEMS.map(({ pk, sk, g }) => ({ pk, sk, g }));
  assert.deepEqual((await documents.query(BY_INDEX)).Items, projected);
  assert.deepEqual((await documents.query({ ...BY_INDEX, Select: "ALL_PROJECTED_ATTRIBUTES" }))
    .Items, projected);
});

test("a global index does not fetch what it does not project", async () => {
  await invalid(
    documents.query({ ...BY_INDEX, Select: "ALL_ATTRIBUTES" }),
    "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index by-g because its projection type is not ALL",
  );
});

test("a filter on the key is refused", async () => {
  await invalid(
    documents.query({ ...QUERY, FilterExpression: "sk > :p" }),
    "Filter Expression can only contain non-primary key attributes: Primary key attribute: sk",
  );
});
