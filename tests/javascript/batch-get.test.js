// BatchGetItem: up to 100 keys of several tables.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { paginatedBatchGet } from "@aws-sdk/lib-dynamodb";

import { client, documents } from "./clients.js";
import { invalid, refused } from "./failures.js";
import { collect, createTable, fill, keyed, range, uniqueName } from "./tables.js";

const single = await createTable({ after });
const sorted = await createTable({ after }, keyed("N"));
await fill(
  single,
  range(100).map((number) => ({ pk: `k${number}`, v: number })),
);
await fill(sorted, [{ pk: "a", sk: 1, v: "x", w: "y" }]);

function keys(count) {
  return range(count).map((number) => ({ pk: `k${number}` }));
}

test("100 keys are read at once", async () => {
  const { Responses, UnprocessedKeys } = await documents.batchGet(
    { RequestItems: { [single]: { Keys: keys(100) } } });
  assert.deepEqual(
    Responses[single].map((item) => item.v).sort((a, b) => a - b),
    range(100),
  );
  assert.deepEqual(UnprocessedKeys, {});
});

test("several tables are read with their own settings", async () => {
  const { Responses } = await client.batchGetItem({
    RequestItems: {
      [single]: { Keys: [{ pk: { S: "k1" } }, { pk: { S: "absent" } }], ConsistentRead: true },
      [sorted]: {
        Keys: [{ pk: { S: "a" }, sk: { N: "1" } }],
        ProjectionExpression: "#v",
        ExpressionAttributeNames: { "#v": "v" },
      },
    },
  });
  assert.deepEqual(Responses,
    { [single]: [{ pk: { S: "k1" }, v: { N: "1" } }], [sorted]: [{ v: { S: "x" } }] });
});

test("a table of which nothing is found has an empty list", async () => {
  const { Responses } = await documents.batchGet(
    { RequestItems: { [single]: { Keys: [{ pk: "absent" }] } } });
  assert.deepEqual(Responses, { [single]: [] });
});

test("what does not fit 16 megabytes is left for the next call", async (t) => {
  const large = await createTable(t, keyed("N"));
  const v = "x".repeat(390_000);
  await Promise.all(range(50)
    .map((sk) => documents.put({ TableName: large, Item: { pk: "a", sk, v } })));
  const request = {
    RequestItems: { [large]: { Keys: range(50).map((sk) => ({ pk: "a", sk })),
      ProjectionExpression: "sk, v" } },
  };
  const pages = await collect(paginatedBatchGet({ client: documents }, request));
  assert.equal(pages.length, 2);
  const { [large]: left } = pages[0].UnprocessedKeys;
  assert.equal(left.ProjectionExpression, "sk, v");
  assert.equal(left.Keys.length + pages[0].Responses[large].length, 50);
  const found = pages.flatMap((page) => page.Responses[large].map((item) => item.sk));
  assert.deepEqual(
    found.sort((a, b) => a - b),
    range(50),
  );
});

test("101 keys, a key twice and a table that does not exist are refused", async () => {
  await invalid(
    documents.batchGet({ RequestItems: { [single]: { Keys: keys(101) } } }),
    `1 validation error detected: Value at 'RequestItems.${single}.member.Keys' failed to satisfy constraint: Member must have length less than or equal to 100`,
  );
  const twice = [{ pk: "k1" }, { pk: "k1" }];
  await invalid(
    documents.batchGet({ RequestItems: { [single]: { Keys: twice } } }),
    "Provided list of item keys contains duplicates",
  );
  const nowhere = { [single]: { Keys: keys(1) }, [uniqueName()]: { Keys: keys(1) } };
  await refused(
    documents.batchGet({ RequestItems: nowhere }),
    "ResourceNotFoundException",
    "Requested resource not found",
  );
});
