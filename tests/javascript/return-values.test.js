// ReturnValues: what each write gives back, in all modes.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { client, documents } from "./clients.js";
import { invalid } from "./failures.js";
import { createTable, uniqueName } from "./tables.js";

const TableName = await createTable({ after });

function oldItem() {
  return { pk: uniqueName(), n: 1, kept: "k", gone: "g", doc: { x: 1, y: 2 }, elems: [0, 1, 2] };
}

async function stored(item = oldItem()) {
  await documents.put({ TableName, Item: item });
  return item;
}

test("a put returns the item it replaces if asked for it", async () => {
  const Item = oldItem();
  assert.equal((await documents.put({ TableName, Item, ReturnValues: "ALL_OLD" })).Attributes,
    undefined);
  assert.equal((await documents.put({ TableName, Item, ReturnValues: "NONE" })).Attributes,
    undefined);
  assert.equal((await documents.put({ TableName, Item })).Attributes, undefined);
  assert.deepEqual((await documents.put({ TableName, Item, ReturnValues: "ALL_OLD" })).Attributes,
    Item);
});

test("a delete returns the item it removes if asked for it", async () => {
  const item = await stored();
  const request = { TableName, Key: { pk: item.pk } };
  assert.deepEqual((await documents.delete({ ...request, ReturnValues: "ALL_OLD" })).Attributes,
    item);
  assert.equal((await documents.delete({ ...request, ReturnValues: "ALL_OLD" })).Attributes,
    undefined);
  await stored(item);
  assert.equal((await documents.delete({ ...request, ReturnValues: "NONE" })).Attributes,
    undefined);
});

async function update(item, ReturnValues, UpdateExpression, ExpressionAttributeValues) {
  const Key = { pk: item.pk };
  const request = { TableName, Key, UpdateExpression, ExpressionAttributeValues, ReturnValues };
  return (await documents.update(request)).Attributes;
}

const CHANGE = ["SET n = :n, fresh = :f REMOVE gone", { ":n": 2, ":f": "f" }];
const modes = {
  NONE: () => undefined,
  ALL_OLD: (item) => item,
  ALL_NEW: ({ gone, ...rest }) => ({ ...rest, n: 2, fresh: "f" }),
  UPDATED_OLD: () => ({ n: 1, gone: "g" }),
  UPDATED_NEW: () => ({ n: 2, fresh: "f" }),
};

for (const [mode, expected] of Object.entries(modes)) {
  test(`an update returns ${mode}`, async () => {
    const item = await stored();
    assert.deepEqual(await update(item, mode, ...CHANGE), expected(item));
  });
}

test("the UPDATED modes return only the touched parts of maps and lists", async () => {
  const change = ["SET doc.x = :v, elems[1] = :v", { ":v": 9 }];
  assert.deepEqual(await update(await stored(), "UPDATED_NEW", ...change),
    { doc: { x: 9 }, elems: [9] });
  assert.deepEqual(await update(await stored(), "UPDATED_OLD", ...change),
    { doc: { x: 1 }, elems: [1] });
});

test("an update that makes the item has nothing old to return", async () => {
  for (const mode of ["ALL_OLD", "UPDATED_OLD"]) {
    assert.equal(await update({ pk: uniqueName() }, mode, "SET n = :n", { ":n": 1 }), undefined);
  }
});

test("the client returns attribute values", async () => {
  const { pk } = await stored();
  const { Attributes } = await client.updateItem({
    TableName,
    Key: { pk: { S: pk } },
    UpdateExpression: "ADD n :n",
    ExpressionAttributeValues: { ":n": { N: "4" } },
    ReturnValues: "UPDATED_NEW",
  });
  assert.deepEqual(Attributes, { n: { N: "5" } });
});

test("puts and deletes refuse the modes of updates", async () => {
  const message = "1 validation error detected: ReturnValues can only be ALL_OLD or NONE";
  for (const ReturnValues of ["ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"]) {
    await invalid(documents.put({ TableName, Item: { pk: "a" }, ReturnValues }), message);
    await invalid(documents.delete({ TableName, Key: { pk: "a" }, ReturnValues }), message);
  }
});
