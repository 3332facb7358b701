// TransactWriteItems: all actions or none.
import assert from "node:assert/strict";
import { test } from "node:test";

import { client, documents } from "./clients.js";
import { invalid, refused } from "./failures.js";
import { createTable, fill, keyed, range, uniqueName } from "./tables.js";

async function contents(TableName) {
  const { Items } = await documents.scan({ TableName, ConsistentRead: true });
  return Items.sort((a, b) => (a.pk < b.pk ? -1 : 1));
}

test("the four kinds of actions happen together, over several tables", async (t) => {
  const [first, second] = [await createTable(t), await createTable(t, keyed("N"))];
  await fill(first, [{ pk: "check", open: true }, { pk: "delete" }, { pk: "update", n: 1 }]);
  await documents.transactWrite({
    TransactItems: [
      { Put: { TableName: second, Item: { pk: "put", sk: 1 },
        ConditionExpression: "attribute_not_exists(pk)" } },
      {
        Update: {
          TableName: first,
          Key: { pk: "update" },
          UpdateExpression: "ADD n :one",
          ExpressionAttributeValues: { ":one": 1 },
        },
      },
      { Delete: { TableName: first, Key: { pk: "delete" } } },
      {
        ConditionCheck: {
          TableName: first,
          Key: { pk: "check" },
          ConditionExpression: "#open = :true",
          ExpressionAttributeNames: { "#open": "open" },
          ExpressionAttributeValues: { ":true": true },
        },
      },
    ],
  });
  assert.deepEqual(await contents(first), [
    { pk: "check", open: true },
    { pk: "update", n: 2 },
  ]);
  assert.deepEqual(await contents(second), [{ pk: "put", sk: 1 }]);
});

test("one failed condition undoes all", async (t) => {
  const TableName = await createTable(t);
  await fill(TableName, [{ pk: "a", n: 1 }]);
  const actions = [
    { Put: { TableName, Item: { pk: { S: "new" } } } },
    { Update: { TableName, Key: { pk: { S: "a" } }, UpdateExpression: "REMOVE n" } },
    { ConditionCheck: { TableName, Key: { pk: { S: "absent" } },
      ConditionExpression: "attribute_exists(pk)" } },
  ];
  await refused(client.transactWriteItems({ TransactItems: actions }),
    "TransactionCanceledException");
  assert.deepEqual(await contents(TableName), [{ pk: "a", n: 1 }]);
});

test("100 actions are accepted and 101 are not", async (t) => {
  const TableName = await createTable(t);
  const actions = range(101).map((number) => ({ Put: { TableName, Item: { pk: `k${number}` } } }));
  await invalid(
    documents.transactWrite({ TransactItems: actions }),
    "1 validation error detected: Value at 'TransactItems' failed to satisfy constraint: Member must have length less than or equal to 100",
  );
  await documents.transactWrite({ TransactItems: actions.slice(1) });
  assert.equal((await contents(TableName)).length, 100);
});

test("two actions on one item are refused", async (t) => {
  const TableName = await createTable(t);
  const actions = [{ Put: { TableName, Item: { pk: "a" } } },
    { Delete: { TableName, Key: { pk: "a" } } }];
  await invalid(
    documents.transactWrite({ TransactItems: actions }),
    "Transaction request cannot include multiple operations on one item",
  );
});

test("a table that does not exist is not found", async (t) => {
  const TableName = await createTable(t);
  const actions = [TableName, uniqueName()].map((name) =>
    ({ Put: { TableName: name, Item: { pk: "a" } } }));
  await refused(
    documents.transactWrite({ TransactItems: actions }),
    "ResourceNotFoundException",
    "Requested resource not found",
  );
  assert.deepEqual(await contents(TableName), []);
});
