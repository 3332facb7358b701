// Counters and sets that many clients add to at once.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { client, documents } from "./clients.js";
import { createTable, range, uniqueName } from "./tables.js";

const TableName = await createTable({ after });

function update(Key, UpdateExpression, ExpressionAttributeValues) {
  return documents.update({ TableName, Key, UpdateExpression, ExpressionAttributeValues,
    ReturnValues: "UPDATED_NEW" });
}

test("every parallel ADD counts, and each sees a count of its own", async () => {
  const Key = { pk: uniqueName() };
  const answers = await Promise.all(range(100).map(() => update(Key, "ADD n :one", { ":one": 1 })));
  const counts = answers.map(({ Attributes }) => Attributes.n).sort((a, b) => a - b);
  assert.deepEqual(
    counts,
    range(100).map((number) => number + 1),
  );
});

test("parallel SETs of several attributes do not mix", async () => {
  const Key = { pk: uniqueName() };
  const change = "SET n = if_not_exists(n, :zero) + :one, m = if_not_exists(m, :zero) - :one";
  const answers = await Promise.all(range(50)
    .map(() => update(Key, change, { ":zero": 0, ":one": 1 })));
  answers.forEach(({ Attributes }) => assert.equal(Attributes.n + Attributes.m, 0));
  assert.deepEqual((await documents.get({ TableName, Key })).Item, { ...Key, n: 50, m: -50 });
});

test("parallel additions to a set are all kept", async () => {
  const pk = { S: uniqueName() };
  const add = (member) =>
    client.updateItem({
      TableName,
      Key: { pk },
      UpdateExpression: "ADD members :m",
      ExpressionAttributeValues: { ":m": { SS: [member] } },
    });
  const members = range(60).map((number) => `m${number}`);
  await Promise.all(members.map(add));
  const { Item } = await client.getItem({ TableName, Key: { pk }, ConsistentRead: true });
  assert.deepEqual(Item.members.SS.sort(), members.sort());
});

test("parallel appends to a list are all kept", async () => {
  const Key = { pk: uniqueName() };
  const append = (number) =>
    update(Key, "SET l = list_append(if_not_exists(l, :none), :l)",
      { ":none": [], ":l": [number] });
  await Promise.all(range(40).map(append));
  const { Item } = await documents.get({ TableName, Key, ConsistentRead: true });
  assert.deepEqual(
    Item.l.sort((a, b) => a - b),
    range(40),
  );
});
