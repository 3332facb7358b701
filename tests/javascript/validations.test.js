// Refusals carry the name and the exact words that applications match on.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { client, documents } from "./clients.js";
import { invalid, refused } from "./failures.js";
import { createTable, definitions, keySchema, keyed, uniqueName } from "./tables.js";

const TableName = await createTable({ after }, keyed("N"));
const KEY = { pk: "a", sk: 1 };
const INVALID = "One or more parameter values were invalid: ";
const ENVELOPE = "1 validation error detected: ";

const refusals = {
  "an item without its partition key": [
    () => documents.put({ TableName, Item: { sk: 1 } }),
    `${INVALID}Missing the key pk in the item`,
  ],
  "an item with a key of the wrong type": [
    () => documents.put({ TableName, Item: { pk: "a", sk: "1" } }),
    `${INVALID}Type mismatch for key sk expected: N actual: S`,
  ],
  "an empty key": [
    () => documents.put({ TableName, Item: { pk: "", sk: 1 } }),
    "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk",
  ],
  "a lookup by half a key": [
    () => documents.get({ TableName, Key: { pk: "a" } }),
    "The provided key element does not match the schema",
  ],
  "a partition key beyond 2048 bytes": [
    () => documents.get({ TableName, Key: { pk: "x".repeat(2049), sk: 1 } }),
    `${INVALID}Size of hashkey has exceeded the maximum size limit of2048 bytes`,
  ],
  "an item beyond 400 KB": [
    () => documents.put({ TableName, Item: { ...KEY, v: "x".repeat(409_600) } }),
    "Item size has exceeded the maximum allowed size",
  ],
  "an unused value": [
    () =>
      documents.update({
        TableName,
        Key: KEY,
        UpdateExpression: "REMOVE v",
        ExpressionAttributeValues: { ":unused": 1 },
      }),
    `${ENVELOPE}Value provided in ExpressionAttributeValues unused in expressions: keys: {:unused}`,
  ],
  "an unused name": [
    () =>
      documents.get({ TableName, Key: KEY, ProjectionExpression: "v",
        ExpressionAttributeNames: { "#unused": "u" } }),
    "Value provided in ExpressionAttributeNames unused in expressions: keys: {#unused}",
  ],
  "an undefined value": [
    () => documents.update({ TableName, Key: KEY, UpdateExpression: "SET v = :v" }),
    `${ENVELOPE}Invalid UpdateExpression: An expression attribute value used in expression is not defined; attribute value: :v`,
  ],
  "a reserved word": [
    () => documents.get({ TableName, Key: KEY, ProjectionExpression: "name" }),
    "Invalid ProjectionExpression: Attribute name is a reserved keyword; reserved keyword: name",
  ],
  "a syntax error": [
    () => documents.delete({ TableName, Key: KEY, ConditionExpression: "a = = b" }),
    `${ENVELOPE}Invalid ConditionExpression: Syntax error; token: "=", near: "= = b"`,
  ],
  "overlapping paths": [
    () => documents.update({ TableName, Key: KEY, UpdateExpression: "REMOVE doc, doc.x" }),
    `${ENVELOPE}Invalid UpdateExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [doc], path two: [doc, x]`,
  ],
  "an unknown index": [
    () => documents.scan({ TableName, IndexName: "nowhere" }),
    "The table does not have the specified index: nowhere",
  ],
  "a query without a condition": [
    () => documents.query({ TableName }),
    "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.",
  ],
  "a limit of nothing": [
    () => documents.scan({ TableName, Limit: 0 }),
    `${ENVELOPE}Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1`,
  ],
  "an unknown enumeration value": [
    () => client.getItem({ TableName, Key: { pk: { S: "a" }, sk: { N: "1" } },
      ReturnConsumedCapacity: "SOME" }),
    `${ENVELOPE}Value 'SOME' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]`,
  ],
  "a table name of strange characters": [
    () => client.scan({ TableName: "no name!" }),
    `${ENVELOPE}Value 'no name!' at 'tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+`,
  ],
  "a table without throughput or billing mode": [
    () => client.createTable({ TableName: uniqueName(), ...keyed() }),
    `${INVALID}ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED`,
  ],
  "definitions that no key uses": [
    () =>
      client.createTable({
        TableName: uniqueName(),
        BillingMode: "PAY_PER_REQUEST",
        KeySchema: keySchema("pk"),
        AttributeDefinitions: definitions({ pk: "S", unused: "S" }),
      }),
    `${INVALID}Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions`,
  ],
};

for (const [kind, [call, message]] of Object.entries(refusals)) {
  test(`${kind} is refused`, async () => {
    const error = await invalid(call(), message);
    assert.equal(error.$fault, "client");
    assert.equal(error.$metadata.httpStatusCode, 400);
  });
}

test("a table that does not exist is not found by any operation", async () => {
  const missing = { TableName: uniqueName() };
  const Key = { pk: "a" };
  const condition = { KeyConditionExpression: "pk = :p", ExpressionAttributeValues: { ":p": "a" } };
  const calls = [
    documents.get({ ...missing, Key }),
    documents.put({ ...missing, Item: Key }),
    documents.update({ ...missing, Key }),
    documents.delete({ ...missing, Key }),
    documents.query({ ...missing, ...condition }),
    documents.scan(missing),
  ];
  await Promise.all(calls.map((call) =>
    refused(call, "ResourceNotFoundException", "Requested resource not found")));
});
