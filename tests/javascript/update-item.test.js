// UpdateItem: the clauses of an update expression.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { client, documents } from "./clients.js";
import { invalid } from "./failures.js";
import { createTable, uniqueName } from "./tables.js";

const TableName = await createTable({ after });

/** Updates a new item and gives what it has become, without its key. */
async function updated(item, UpdateExpression, values, names) {
  const pk = uniqueName();
  await documents.put({ TableName, Item: { ...item, pk } });
  const { Attributes } = await documents.update({
    TableName,
    Key: { pk },
    UpdateExpression,
    ExpressionAttributeValues: values,
    ExpressionAttributeNames: names,
    ReturnValues: "ALL_NEW",
  });
  delete Attributes.pk;
  return Attributes;
}

const cases = [
  ["SET writes an attribute", {}, "SET v = :v", { ":v": "x" }, { v: "x" }],
  ["SET adds and subtracts", { n: 5 }, "SET n = n + :one, m = n - :one", { ":one": 1 },
    { n: 6, m: 4 }],
  ["SET reads the item as it was before", { a: 1, b: 2 }, "SET a = b, b = a",
    undefined, { a: 2, b: 1 }],
  [
    "if_not_exists keeps what is there",
    { n: 1 },
    "SET n = if_not_exists(n, :z), m = if_not_exists(m, :z)",
    { ":z": 0 },
    { n: 1, m: 0 },
  ],
  [
    "list_append joins at either end",
    { l: [2] },
    "SET l = list_append(l, :l), r = list_append(:l, l)",
    { ":l": [9] },
    { l: [2, 9], r: [9, 2] },
  ],
  [
    "SET reaches into maps and lists",
    { d: { l: [1, 2] } },
    "SET d.l[1] = :v, d.x = :v",
    { ":v": 7 },
    { d: { l: [1, 7], x: 7 } },
  ],
  ["SET beyond the end of a list appends", { l: [1] }, "SET l[50] = :v", { ":v": 2 },
    { l: [1, 2] }],
  ["REMOVE takes attributes and elements away", { a: 1, l: [1, 2, 3] },
    "REMOVE a, l[0], l[2]", undefined, { l: [2] }],
  ["ADD counts and makes what is missing", { n: 1 }, "ADD n :v, m :v", { ":v": 2 }, { n: 3, m: 2 }],
  ["ADD joins sets", { s: new Set(["a"]) }, "ADD s :s", { ":s": new Set(["a", "b"]) },
    { s: new Set(["a", "b"]) }],
  [
    "DELETE takes members of a set away",
    { s: new Set([1, 2]) },
    "DELETE s :s",
    { ":s": new Set([2, 3]) },
    { s: new Set([1]) },
  ],
  ["a set that loses all its members disappears", { s: new Set([1]) }, "DELETE s :s",
    { ":s": new Set([1]) }, {}],
];

for (const [fact, item, expression, values, expected] of cases) {
  test(fact, async () => {
    assert.deepEqual(await updated(item, expression, values), expected);
  });
}

test("all clauses work in one expression, with placeholders for names", async () => {
  const names = { "#size": "size", "#n": "n" };
  const values = { ":v": "big", ":one": 1, ":s": new Set(["x"]) };
  const item = { n: 1, gone: true, s: new Set(["x", "y"]) };
  assert.deepEqual(
    await updated(item, "SET #size = :v REMOVE gone ADD #n :one DELETE s :s", values, names), {
    size: "big",
    n: 2,
    s: new Set(["y"]),
  });
});

test("an update makes the item that is not there", async () => {
  const pk = uniqueName();
  await client.updateItem({
    TableName,
    Key: { pk: { S: pk } },
    UpdateExpression: "SET v = :v",
    ExpressionAttributeValues: { ":v": { S: "x" } },
  });
  assert.deepEqual((await documents.get({ TableName, Key: { pk } })).Item, { pk, v: "x" });
});

const refusals = [
  [
    "SET n = absent + :v",
    { ":v": 1 },
    "The provided expression refers to an attribute that does not exist in the item",
  ],
  ["SET t = t + :v", { ":v": 1 }, "An operand in the update expression has an incorrect data type"],
  ["SET absent.x = :v", { ":v": 1 },
    "The document path provided in the update expression is invalid for update"],
  [
    "SET pk = :v",
    { ":v": "x" },
    "One or more parameter values were invalid: Cannot update attribute pk. This attribute is part of the key",
  ],
];

for (const [expression, values, message] of refusals) {
  test(`${expression} is refused`, async () => {
    await invalid(updated({ t: "text" }, expression, values), message);
  });
}
