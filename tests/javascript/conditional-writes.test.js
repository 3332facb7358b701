// Conditional writes: they happen if the condition holds, and otherwise say what stood in the way.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";

import { client, documents } from "./clients.js";
import { refused } from "./failures.js";
import { createTable, uniqueName } from "./tables.js";

const TableName = await createTable({ after });

async function stored(attributes = {}) {
  const item = { pk: uniqueName(), ...attributes };
  await documents.put({ TableName, Item: item });
  return item;
}

function failed(call) {
  return refused(call, "ConditionalCheckFailedException", "The conditional request failed");
}

/** One write of each kind that must not happen, by the key of the item. */
const writes = {
  put: (pk, more) => client.putItem({ TableName, Item: { pk: { S: pk } }, ...more }),
  update: (pk, more) =>
    client.updateItem({ TableName, Key: { pk: { S: pk } }, UpdateExpression: "REMOVE v", ...more }),
  delete: (pk, more) => client.deleteItem({ TableName, Key: { pk: { S: pk } }, ...more }),
};

for (const [kind, write] of Object.entries(writes)) {
  test(`a failed ${kind} changes nothing and returns the item if asked`, async () => {
    const { pk } = await stored({ v: 1 });
    const ConditionExpression = "attribute_not_exists(pk)";
    const error = await failed(
      write(pk, { ConditionExpression, ReturnValuesOnConditionCheckFailure: "ALL_OLD" }));
    assert.ok(error instanceof ConditionalCheckFailedException);
    assert.equal(error.$metadata.httpStatusCode, 400);
    assert.deepEqual(error.Item, { pk: { S: pk }, v: { N: "1" } });
    assert.deepEqual((await documents.get({ TableName, Key: { pk } })).Item, { pk, v: 1 });
  });

  test(`a failed ${kind} returns no item unless asked, nor one that is not there`, async () => {
    const { pk } = await stored({ v: 1 });
    assert.equal((await failed(write(pk, { ConditionExpression: "attribute_not_exists(pk)" })))
      .Item, undefined);
    const absent = { ConditionExpression: "attribute_exists(pk)",
      ReturnValuesOnConditionCheckFailure: "ALL_OLD" };
    assert.equal((await failed(write(uniqueName(), absent))).Item, undefined);
  });
}

test("the document client gets the same error with the item", async () => {
  const { pk } = await stored({ v: 1 });
  const error = await failed(
    documents.put({
      TableName,
      Item: { pk, v: 2 },
      ConditionExpression: "v > :v",
      ExpressionAttributeValues: { ":v": 1 },
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    }),
  );
  assert.ok(error instanceof ConditionalCheckFailedException);
  // lib-dynamodb leaves errors as the service sends them, in attribute values.
  assert.deepEqual(error.Item, { pk: { S: pk }, v: { N: "1" } });
});

const ITEM = { n: 5, s: "hello", tags: new Set(["a", "b"]), m: 9, elems: [1, "x"],
  doc: { deep: true }, nothing: null };
const conditions = [
  ["n = :v", 5, true],
  ["n <> :v", 5, false],
  ["n BETWEEN :v AND m", 4, true],
  ["n IN (:v, :v)", 6, false],
  ["absent <> :v", 1, true],
  ["absent = :v", 1, false],
  ["attribute_type(nothing, :v)", "NULL", true],
  ["begins_with(s, :v)", "hell", true],
  ["contains(tags, :v)", "b", true],
  ["contains(elems, :v)", "x", true],
  ["contains(s, :v)", "ell", true],
  ["size(elems) = :v", 2, true],
  ["doc.deep = :v", true, true],
  ["elems[1] = :v", "x", true],
  ["NOT n = :v", 5, false],
  ["n = :v OR attribute_exists(absent) AND attribute_exists(absent)", 5, true],
  ["(n = :v OR attribute_exists(absent)) AND attribute_exists(absent)", 5, false],
];

for (const [ConditionExpression, value, holds] of conditions) {
  test(`${ConditionExpression} ${holds ? "holds" : "fails"} for ${JSON.stringify(value)}`, async () => {
    const { pk } = await stored(ITEM);
    const request = { TableName, Key: { pk }, ConditionExpression,
      ExpressionAttributeValues: { ":v": value } };
    const call = documents.delete(request);
    await (holds ? call : failed(call));
    assert.equal((await documents.get({ TableName, Key: { pk } })).Item === undefined, holds);
  });
}
