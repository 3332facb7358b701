// What the document client makes of JavaScript values, and of the server's answers.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { client, connectDocuments, documents } from "./clients.js";
import { createTable, uniqueName } from "./tables.js";

const TableName = await createTable({ after });

async function roundTrip(value, translator = documents) {
  const pk = uniqueName();
  await translator.put({ TableName, Item: { pk, value } });
  return (await translator.get({ TableName, Key: { pk } })).Item.value;
}

const values = {
  "a string": "text é 𝄞",
  "an empty string": "",
  "a whole number": 42,
  "a fraction": -0.1,
  "the largest safe integer": Number.MAX_SAFE_INTEGER,
  "the smallest safe integer": Number.MIN_SAFE_INTEGER,
  "a tiny number": 5e-130,
  "a boolean": false,
  null: null,
  "a list": ["a", 1, [], {}, null, true],
  "a map": { a: { b: { c: [1, { d: "deep" }] } }, "with.dot": 1 },
  "a binary": Uint8Array.of(0, 127, 128, 255),
  "an empty binary": new Uint8Array(),
  "a set of strings": new Set(["a", "", "é"]),
  "a set of numbers": new Set([1, -2.5, 1000]),
};

for (const [kind, value] of Object.entries(values)) {
  test(`${kind} is read back as it was written`, async () => {
    assert.deepEqual(await roundTrip(value), value);
  });
}

test("a set of binaries is read back with the same members", async () => {
  const found = await roundTrip(new Set([Uint8Array.of(1), Uint8Array.of(255, 0)]));
  assert.ok(found instanceof Set);
  assert.deepEqual([...found].map((bytes) => [...bytes]).sort(), [[1], [255, 0]]);
});

test("a buffer is a binary", async () => {
  assert.deepEqual(await roundTrip(Buffer.from("bytes")), Uint8Array.from(Buffer.from("bytes")));
});

test("undefined values can be left out, and empty ones turned into null", async () => {
  const translator = connectDocuments(
    { marshallOptions: { removeUndefinedValues: true, convertEmptyValues: true } });
  assert.deepEqual(await roundTrip({ gone: undefined, empty: "", kept: 0 }, translator),
    { empty: null, kept: 0 });
});

test("instances of classes can be stored as maps", async () => {
  class Point {
    constructor(x, y) {
      Object.assign(this, { x, y });
    }
  }
  const translator = connectDocuments({ marshallOptions: { convertClassInstanceToMap: true } });
  assert.deepEqual(await roundTrip(new Point(1, 2), translator), { x: 1, y: 2 });
});

test("the client sees the types that the document client chose", async () => {
  const pk = uniqueName();
  await documents.put({
    TableName,
    Item: { pk, n: 1, large: 10n ** 21n, s: "s", set: new Set([1]), b: Uint8Array.of(1),
      nothing: null },
  });
  const { Item } = await client.getItem({ TableName, Key: { pk: { S: pk } } });
  assert.deepEqual(Item, {
    pk: { S: pk },
    n: { N: "1" },
    large: { N: "1000000000000000000000" },
    s: { S: "s" },
    set: { NS: ["1"] },
    b: { B: Uint8Array.of(1) },
    nothing: { NULL: true },
  });
});
