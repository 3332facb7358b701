// PutItem, GetItem and DeleteItem: whole items by their key.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { GetItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";

import { client, documents } from "./clients.js";
import { createTable, keyed } from "./tables.js";

const TableName = await createTable({ after }, keyed("N"));

test("the client reads back what it has written", async () => {
  const Item = { pk: { S: "client" }, sk: { N: "1" },
    v: { L: [{ BOOL: true }, { M: { deep: { NULL: true } } }] } };
  const written = await client.send(new PutItemCommand({ TableName, Item }));
  assert.equal(written.$metadata.httpStatusCode, 200);
  assert.match(written.$metadata.requestId, /^[0-9A-Za-z-]{20,}$/);
  const read = await client.send(
    new GetItemCommand({ TableName, Key: { pk: Item.pk, sk: Item.sk } }));
  assert.deepEqual(read.Item, Item);
});

test("the document client reads back what it has written", async () => {
  const Item = { pk: "documents", sk: 1, v: [true, { deep: null }] };
  await documents.send(new PutCommand({ TableName, Item }));
  const read = await documents.send(new GetCommand({ TableName, Key: { pk: "documents", sk: 1 } }));
  assert.deepEqual(read.Item, Item);
});

test("what the document client writes the client reads as attribute values", async () => {
  await documents.put({ TableName, Item: { pk: "both", sk: 1, text: "t", list: [1] } });
  const { Item } = await client.getItem(
    { TableName, Key: { pk: { S: "both" }, sk: { N: "1.0" } } });
  assert.deepEqual(Item,
    { pk: { S: "both" }, sk: { N: "1" }, text: { S: "t" }, list: { L: [{ N: "1" }] } });
});

test("a put replaces the whole item", async () => {
  await documents.put({ TableName, Item: { pk: "replaced", sk: 1, old: true } });
  await documents.put({ TableName, Item: { pk: "replaced", sk: 1, new: true } });
  const { Item } = await documents.get({ TableName, Key: { pk: "replaced", sk: 1 } });
  assert.deepEqual(Item, { pk: "replaced", sk: 1, new: true });
});

test("an item that is not there is undefined", async () => {
  const Key = { pk: "absent", sk: 1 };
  assert.equal((await documents.get({ TableName, Key })).Item, undefined);
  assert.equal((await documents.get({ TableName, Key, ConsistentRead: true })).Item, undefined);
});

test("a deleted item is gone, and deleting it again is no error", async () => {
  const Key = { pk: "deleted", sk: 1 };
  await documents.put({ TableName, Item: Key });
  await documents.delete({ TableName, Key });
  assert.equal((await documents.get({ TableName, Key })).Item, undefined);
  await documents.delete({ TableName, Key });
});

test("a projection picks attributes, nested ones and list elements", async () => {
  const Key = { pk: "projected", sk: 1 };
  await documents.put({
    TableName,
    Item: { ...Key, name: "n", doc: { x: 1, y: 2 }, elems: ["a", "b", "c"], other: true },
  });
  const { Item } = await documents.get({
    TableName,
    Key,
    ProjectionExpression: "#n, doc.x, elems[2], elems[0], absent",
    ExpressionAttributeNames: { "#n": "name" },
  });
  assert.deepEqual(Item, { name: "n", doc: { x: 1 }, elems: ["a", "c"] });
});
