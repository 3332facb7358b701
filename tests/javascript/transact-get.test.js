// TransactGetItems: items of one moment, in the order they were asked for.
import assert from "node:assert/strict";
import { test } from "node:test";
import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";

import { client, documents } from "./clients.js";
import { invalid, refused } from "./failures.js";
import { createTable, fill, keyed } from "./tables.js";

test("items come in the order of the request, and those that are not there are undefined", async (t) => {
  const [first, second] = [await createTable(t), await createTable(t, keyed("N"))];
  await fill(first, [
    { pk: "a", v: 1 },
    { pk: "b", v: 2 },
  ]);
  await fill(second, [{ pk: "c", sk: 3, doc: { x: 1, y: 2 } }]);
  const { Responses } = await documents.transactGet({
    TransactItems: [
      { Get: { TableName: first, Key: { pk: "b" } } },
      { Get: { TableName: first, Key: { pk: "absent" } } },
      {
        Get: {
          TableName: second,
          Key: { pk: "c", sk: 3 },
          ProjectionExpression: "#d.y",
          ExpressionAttributeNames: { "#d": "doc" },
        },
      },
      { Get: { TableName: first, Key: { pk: "a" } } },
    ],
  });
  assert.deepEqual(
    Responses.map((response) => response.Item),
    [{ pk: "b", v: 2 }, undefined, { doc: { y: 2 } }, { pk: "a", v: 1 }],
  );
});

test("the client reads attribute values", async (t) => {
  const TableName = await createTable(t);
  await fill(TableName, [{ pk: "a", v: 1 }]);
  const { Responses } = await client.transactGetItems({
    TransactItems: [{ Get: { TableName, Key: { pk: { S: "a" } } } }],
  });
  assert.deepEqual(Responses, [{ Item: { pk: { S: "a" }, v: { N: "1" } } }]);
});

test("a key twice is refused", async (t) => {
  const TableName = await createTable(t);
  const get = { Get: { TableName, Key: { pk: "a" } } };
  await invalid(
    documents.transactGet({ TransactItems: [get, get] }),
    "Transaction request cannot include multiple operations on one item",
  );
});

test("a key of the wrong type cancels the reads, with a reason", async (t) => {
  const TableName = await createTable(t);
  const gets = ["a", 1].map((pk) => ({ Get: { TableName, Key: { pk } } }));
  const error = await refused(documents.transactGet({ TransactItems: gets }),
    "TransactionCanceledException");
  assert.ok(error instanceof TransactionCanceledException);
  assert.deepEqual(error.CancellationReasons, [
    { Code: "None" },
    { Code: "ValidationError", Message: "The provided key element does not match the schema" },
  ]);
});
