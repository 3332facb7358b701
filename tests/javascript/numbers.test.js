// Numbers beyond what a double holds: 38 digits, exact through both clients.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { NumberValue } from "@aws-sdk/lib-dynamodb";

import { client, connectDocuments, documents } from "./clients.js";
import { invalid } from "./failures.js";
import { createTable, keyed, uniqueName } from "./tables.js";

const TableName = await createTable({ after });
const exact = connectDocuments({ unmarshallOptions: { wrapNumbers: true } });

const PRECISE = [
  "12345678901234567890123456789012345678",
  "-0.12345678901234567890123456789012345678",
  "1234567890123456789.0123456789012345678",
  "9007199254740993",
];

for (const digits of PRECISE) {
  test(`${digits} keeps every digit`, async () => {
    const pk = uniqueName();
    await exact.put({ TableName,
      Item: { pk, n: NumberValue.from(digits), set: new Set([NumberValue.from(digits)]) } });
    const { Item } = await exact.get({ TableName, Key: { pk } });
    assert.ok(Item.n instanceof NumberValue);
    assert.equal(Item.n.toString(), digits);
    assert.deepEqual([...Item.set].map(String), [digits]);
    const typed = await client.getItem({ TableName, Key: { pk: { S: pk } } });
    assert.deepEqual(typed.Item.n, { N: digits });
  });
}

const NORMALISED = [
  ["00042", "42"],
  ["1.0", "1"],
  ["3.1400", "3.14"],
  ["1.5E2", "150"],
  ["-0", "0"],
  ["1e125", `1${"0".repeat(125)}`],
  ["1e-130", `0.${"0".repeat(129)}1`],
];

for (const [written, read] of NORMALISED) {
  test(`${written} is read back without exponent or needless zeros`, async () => {
    const pk = { S: uniqueName() };
    await client.putItem({ TableName, Item: { pk, n: { N: written } } });
    assert.equal((await client.getItem({ TableName, Key: { pk } })).Item.n.N, read);
  });
}

test("BigInts go in and come out", async () => {
  const pk = uniqueName();
  await documents.put({ TableName, Item: { pk, n: 2n ** 100n } });
  assert.equal((await documents.get({ TableName, Key: { pk } })).Item.n, 2n ** 100n);
});

test("a function can read numbers its own way", async () => {
  const pk = uniqueName();
  await client.putItem({ TableName, Item: { pk: { S: pk }, n: { N: PRECISE[2] } } });
  const asText = connectDocuments(
    { unmarshallOptions: { wrapNumbers: (digits) => `<${digits}>` } });
  assert.equal((await asText.get({ TableName, Key: { pk } })).Item.n, `<${PRECISE[2]}>`);
});

test("arithmetic is decimal and exact", async () => {
  const Key = { pk: uniqueName() };
  await exact.put(
    { TableName, Item: { ...Key, tenth: 0.1, precise: NumberValue.from(PRECISE[0]) } });
  const { Attributes } = await exact.update({
    TableName,
    Key,
    UpdateExpression: "SET tenth = tenth + :fifth, precise = precise - :one",
    ExpressionAttributeValues: { ":fifth": 0.2, ":one": 1 },
    ReturnValues: "UPDATED_NEW",
  });
  assert.equal(Attributes.tenth.toString(), "0.3");
  assert.equal(Attributes.precise.toString(), "12345678901234567890123456789012345677");
});

test("keys that a double could not tell apart are different keys", async (t) => {
  const table = await createTable(t, keyed("N"));
  const sortKeys = ["9007199254740992", "9007199254740993", "9007199254740994"].map((digits) =>
    NumberValue.from(digits),
  );
  for (const sk of [...sortKeys].reverse()) await exact.put({ TableName: table,
    Item: { pk: "p", sk } });
  const request = { TableName: table, KeyConditionExpression: "pk = :p AND sk > :s" };
  const { Items } = await exact.query(
    { ...request, ExpressionAttributeValues: { ":p": "p", ":s": sortKeys[0] } });
  assert.deepEqual(
    Items.map((item) => item.sk.toString()),
    ["9007199254740993", "9007199254740994"],
  );
});

test("numbers that are too large or too small are refused", async () => {
  const put = (N) => client.putItem({ TableName, Item: { pk: { S: "a" }, n: { N } } });
  const refusal = (what, size) =>
    `1 validation error detected: Number ${what}. Attempting to store a number with magnitude ${size} than supported range`;
  await invalid(put("1e126"), refusal("overflow", "larger"));
  await invalid(put("1e-131"), refusal("underflow", "smaller"));
});
