// Index keys of up to four partition and four sort attributes.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { paginateQuery } from "@aws-sdk/lib-dynamodb";

import { documents } from "./clients.js";
import { invalid } from "./failures.js";
import { collect, createTable, definitions, describe, fill, itemsOf, keySchema } from "./tables.js";

const PARTITION = ["country", "city"];
const SORT = ["yr", "mon", "dom"];
const KEY_SCHEMA = [
  ...PARTITION.map((AttributeName) => ({ AttributeName, KeyType: "HASH" })),
  ...SORT.map((AttributeName) => ({ AttributeName, KeyType: "RANGE" })),
];
const DATES = [2024, 2025].flatMap((yr) =>
  [2, 11].flatMap((mon) => [1, 10].map((dom) => [yr, mon, dom])));

const TableName = await createTable(
  { after },
  {
    KeySchema: keySchema("pk"),
    AttributeDefinitions: definitions({ pk: "S", country: "S", city: "S", yr: "N",
      mon: "N", dom: "N" }),
    GlobalSecondaryIndexes: [{ IndexName: "by-place", KeySchema: KEY_SCHEMA,
      Projection: { ProjectionType: "ALL" } }],
  },
);

function item(city, [yr, mon, dom]) {
  return { pk: `${city}-${yr}-${mon}-${dom}`, country: "uk", city, yr, mon, dom };
}

await fill(
  TableName,
  ["leeds", "york"].flatMap((city) => DATES.map((date) => item(city, date))),
);
await fill(TableName, [{ pk: "sparse", country: "uk", city: "york", yr: 2024, mon: 2 }]);

function request(condition = "", values = {}, more = {}) {
  return {
    TableName,
    IndexName: "by-place",
    KeyConditionExpression: `country = :country AND city = :city${condition}`,
    ExpressionAttributeValues: { ":country": "uk", ":city": "york", ...values },
    ...more,
  };
}

async function dates(request, pageSize) {
  const pages = await collect(paginateQuery({ client: documents, pageSize }, request));
  return itemsOf(pages).map((found) => SORT.map((name) => found[name]));
}

test("the schema is described in order", async () => {
  const [described] = (await describe(TableName)).GlobalSecondaryIndexes;
  assert.deepEqual(described.KeySchema, KEY_SCHEMA);
});

const cases = [
  ["", {}, DATES],
  [" AND yr = :y", { ":y": 2024 }, DATES.slice(0, 4)],
  [" AND yr > :y", { ":y": 2024 }, DATES.slice(4)],
  [" AND yr = :y AND mon < :m", { ":y": 2025, ":m": 11 }, DATES.slice(4, 6)],
  [" AND yr = :y AND mon = :m AND dom >= :d", { ":y": 2024, ":m": 2, ":d": 5 }, [[2024, 2, 10]]],
  [" AND yr = :y AND mon BETWEEN :m AND :n", { ":y": 2024, ":m": 1, ":n": 5 }, DATES.slice(0, 2)],
];

for (const [condition, values, expected] of cases) {
  test(`"${condition}" narrows the sort key from the left, in both directions and by pages`, async () => {
    const reversed = [...expected].reverse();
    for (const pageSize of [undefined, 1, 3]) {
      assert.deepEqual(await dates(request(condition, values), pageSize), expected);
      assert.deepEqual(
        await dates(request(condition, values, { ScanIndexForward: false }), pageSize), reversed);
    }
  });
}

test("the page key holds all attributes of the index key and the table key", async () => {
  const { LastEvaluatedKey } = await documents.query(request("", {}, { Limit: 1 }));
  assert.deepEqual(LastEvaluatedKey, item("york", DATES[0]));
});

test("every partition attribute needs an equality", async () => {
  const missing = {
    ...request(),
    KeyConditionExpression: "country = :country",
    ExpressionAttributeValues: { ":country": "uk" },
  };
  await invalid(documents.query(missing), "Query condition missed key schema element: city");
});
