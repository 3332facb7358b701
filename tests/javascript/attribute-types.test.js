// The ten types as the client sends and reads them.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { client } from "./clients.js";
import { invalid } from "./failures.js";
import { createTable, uniqueName } from "./tables.js";

const TableName = await createTable({ after });

async function roundTrip(value) {
  const pk = { S: uniqueName() };
  await client.putItem({ TableName, Item: { pk, value } });
  return (await client.getItem({ TableName, Key: { pk } })).Item.value;
}

const EVERY_BYTE = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const values = {
  "a string": { S: "text" },
  "a string beyond ASCII": { S: 'é 𝄞 日本 "quoted" \\ \u0000 \u2028 \n' },
  "an empty string": { S: "" },
  "a number": { N: "-12.5" },
  "a binary of every byte": { B: EVERY_BYTE },
  "an empty binary": { B: new Uint8Array() },
  true: { BOOL: true },
  false: { BOOL: false },
  null: { NULL: true },
  "a list of mixed types": { L: [{ S: "a" }, { N: "1" }, { L: [] }, { NULL: true }] },
  "an empty list": { L: [] },
  "a map": { M: { "": { S: "empty name" }, "a.b": { M: { deep: { B: Uint8Array.of(1) } } } } },
  "an empty map": { M: {} },
};

for (const [kind, value] of Object.entries(values)) {
  test(`${kind} is read back as it was written`, async () => {
    assert.deepEqual(await roundTrip(value), value);
  });
}

test("sets are read back with the same members", async () => {
  assert.deepEqual((await roundTrip({ SS: ["b", "", "a"] })).SS.sort(), ["", "a", "b"]);
  assert.deepEqual((await roundTrip({ NS: ["3", "1.50", "-2"] })).NS.sort(), ["-2", "1.5", "3"]);
  const { BS } = await roundTrip({ BS: [Uint8Array.of(2), Uint8Array.of(), Uint8Array.of(255)] });
  assert.deepEqual(BS.map((bytes) => [...bytes]).sort(), [[], [2], [255]]);
});

test("values nest 32 levels deep and no deeper", async () => {
  const nested = (levels) => (levels === 0 ? { S: "deepest" } : { L: [nested(levels - 1)] });
  assert.deepEqual(await roundTrip(nested(31)), nested(31));
  await assert.rejects(roundTrip(nested(32)), { name: "ValidationException" });
});

const refusals = [
  ["an empty set", { SS: [] },
    "One or more parameter values were invalid: An string set  may not be empty"],
  [
    "a repeated member",
    { SS: ["a", "a"] },
    'One or more parameter values were invalid: Input collection ["a", "a"] contains duplicates.',
  ],
  ["a word as a number", { N: "one" }, "The parameter cannot be converted to a numeric value: one"],
  ["39 digits", { N: "1".repeat(39) },
    "Attempting to store more than 38 significant digits in a Number"],
];

for (const [kind, value, message] of refusals) {
  test(`${kind} is refused`, async () => {
    await invalid(roundTrip(value), `1 validation error detected: ${message}`);
  });
}
