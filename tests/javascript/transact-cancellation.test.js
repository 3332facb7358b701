// A cancelled transaction gives a typed reason for each action, in order.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";

import { client, documents } from "./clients.js";
import { refused } from "./failures.js";
import { createTable, fill } from "./tables.js";

const TableName = await createTable({ after });
await fill(TableName, [
  { pk: "there", n: 1 },
  { pk: "text", n: "not a number" },
]);

const THERE = { pk: { S: "there" } };
const FAILED = { Code: "ConditionalCheckFailed", Message: "The conditional request failed" };

async function reasons(TransactItems, ...codes) {
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes.join(", ")}]`;
  const error = await refused(client.transactWriteItems({ TransactItems }),
    "TransactionCanceledException", message);
  assert.ok(error instanceof TransactionCanceledException);
  assert.equal(error.$metadata.httpStatusCode, 400);
  return error.CancellationReasons;
}

test("reasons are in the order of the actions", async () => {
  const found = await reasons(
    [
      { Put: { TableName, Item: { pk: { S: "a" } } } },
      { Put: { TableName, Item: THERE, ConditionExpression: "attribute_not_exists(pk)" } },
      { Delete: { TableName, Key: { pk: { S: "b" } } } },
      { ConditionCheck: { TableName, Key: { pk: { S: "absent" } },
        ConditionExpression: "attribute_exists(pk)" } },
    ],
    "None",
    "ConditionalCheckFailed",
    "None",
    "ConditionalCheckFailed",
  );
  assert.deepEqual(found, [{ Code: "None" }, FAILED, { Code: "None" }, FAILED]);
});

const kinds = {
  Put: { Item: THERE },
  Update: { Key: THERE, UpdateExpression: "REMOVE n" },
  Delete: { Key: THERE },
  ConditionCheck: { Key: THERE },
};

for (const [kind, members] of Object.entries(kinds)) {
  test(`the reason of a ${kind} carries the item if asked`, async () => {
    const action = { TableName, ConditionExpression: "attribute_not_exists(pk)", ...members };
    const asked = { ...action, ReturnValuesOnConditionCheckFailure: "ALL_OLD" };
    const [withItem] = await reasons([{ [kind]: asked }], "ConditionalCheckFailed");
    assert.deepEqual(withItem, { ...FAILED, Item: { pk: { S: "there" }, n: { N: "1" } } });
    const [without] = await reasons([{ [kind]: action }], "ConditionalCheckFailed");
    assert.deepEqual(without, FAILED);
  });
}

test("an update that cannot be applied is a validation error", async () => {
  const update = {
    Key: { pk: { S: "text" } },
    UpdateExpression: "SET n = n + :one",
    ExpressionAttributeValues: { ":one": { N: "1" } },
  };
  const [, reason] = await reasons(
    [{ Delete: { TableName, Key: THERE } }, { Update: { TableName, ...update } }],
    "None",
    "ValidationError",
  );
  assert.deepEqual(reason, {
    Code: "ValidationError",
    Message: "An operand in the update expression has an incorrect data type",
  });
});

test("the document client gets the same reasons", async () => {
  const put = {
    TableName,
    Item: { pk: "there" },
    ConditionExpression: "n > :n",
    ExpressionAttributeValues: { ":n": 1 },
  };
  const call = documents.transactWrite({
    TransactItems: [{ Put: { ...put, ReturnValuesOnConditionCheckFailure: "ALL_OLD" } }],
  });
  const error = await refused(call, "TransactionCanceledException");
  // lib-dynamodb leaves errors as the service sends them, in attribute values.
  assert.deepEqual(error.CancellationReasons,
    [{ ...FAILED, Item: { pk: { S: "there" }, n: { N: "1" } } }]);
});
