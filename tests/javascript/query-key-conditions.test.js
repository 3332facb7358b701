// Query: every operator of a key condition, in both directions.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { client, documents } from "./clients.js";
import { invalid } from "./failures.js";
import { createTable, fill, keyed, range } from "./tables.js";

const numbers = await createTable({ after }, keyed("N"));
const strings = await createTable({ after }, keyed("S"));
const binaries = await createTable({ after }, keyed("B"));
const WORDS = ["", "a", "ab", "abc", "b", "é", "𝄞"].map((word) => `w${word}`);
const BYTES = [[0], [0, 1], [127], [128], [255], [255, 0]].map((bytes) => Uint8Array.from(bytes));

await fill(
  numbers,
  range(10).map((sk) => ({ pk: "p", sk })),
);
await fill(numbers,
  [{ pk: "q", sk: 3 }, ...[-1.5, -100, 0.25, 10n ** 20n].map((sk) => ({ pk: "signed", sk }))]);
await fill(
  strings,
  WORDS.map((sk) => ({ pk: "p", sk })),
);
await fill(
  binaries,
  BYTES.map((sk) => ({ pk: "p", sk })),
);

async function sortKeys(TableName, condition, values = {}, more = {}) {
  const { Items, Count, ScannedCount } = await documents.query({
    TableName,
    KeyConditionExpression: condition,
    ExpressionAttributeValues: { ":p": "p", ...values },
    ...more,
  });
  assert.equal(Count, Items.length);
  assert.equal(ScannedCount, Items.length);
  return Items.map((item) => item.sk);
}

const KINDS = new Map([
  [numbers, "numbers"],
  [strings, "strings"],
  [binaries, "binaries"],
]);
const cases = [
  [numbers, "pk = :p", {}, range(10)],
  [numbers, "pk = :p AND sk = :v", { ":v": 3 }, [3]],
  [numbers, "pk = :p AND sk < :v", { ":v": 3 }, [0, 1, 2]],
  [numbers, "pk = :p AND sk <= :v", { ":v": 3 }, [0, 1, 2, 3]],
  [numbers, "pk = :p AND sk > :v", { ":v": 7 }, [8, 9]],
  [numbers, "pk = :p AND sk >= :v", { ":v": 7 }, [7, 8, 9]],
  [numbers, "pk = :p AND sk BETWEEN :v AND :w", { ":v": 2.5, ":w": 5 }, [3, 4, 5]],
  [numbers, "sk > :v AND pk = :p", { ":v": 8 }, [9]],
  [numbers, ":p = pk AND :v > sk", { ":v": 1 }, [0]],
  [numbers, "(pk = :p) AND (sk = :v)", { ":v": 4 }, [4]],
  [numbers, "pk = :p AND sk = :v", { ":v": 77 }, []],
  [strings, "pk = :p AND begins_with(sk, :v)", { ":v": "wa" }, ["wa", "wab", "wabc"]],
  [strings, "pk = :p AND sk BETWEEN :v AND :w", { ":v": "wab", ":w": "wb" }, ["wab", "wabc", "wb"]],
  [strings, "pk = :p AND sk > :v", { ":v": "wb" }, ["wé", "w𝄞"]],
  [binaries, "pk = :p AND sk >= :v", { ":v": BYTES[3] }, BYTES.slice(3)],
  [binaries, "pk = :p AND begins_with(sk, :v)", { ":v": BYTES[4] }, BYTES.slice(4)],
];

for (const [table, condition, values, expected] of cases) {
  test(`${condition} finds ${expected.length} of the ${KINDS.get(table)}`, async () => {
    assert.deepEqual(await sortKeys(table, condition, values), expected);
    assert.deepEqual(await sortKeys(table, condition, values, { ScanIndexForward: false }),
      [...expected].reverse());
  });
}

test("negative, fractional and large numbers sort by value", async () => {
  const found = await sortKeys(numbers, "pk = :p", { ":p": "signed" });
  assert.deepEqual(found, [-100, -1.5, 0.25, 10n ** 20n]);
});

test("placeholders stand for names", async () => {
  const names = { ExpressionAttributeNames: { "#p": "pk", "#s": "sk" } };
  assert.deepEqual(await sortKeys(numbers, "#p = :p AND #s < :v", { ":v": 1 }, names), [0]);
});

test("the client queries with attribute values", async () => {
  const { Items } = await client.query({
    TableName: numbers,
    KeyConditionExpression: "pk = :p AND sk BETWEEN :v AND :w",
    ExpressionAttributeValues: { ":p": { S: "p" }, ":v": { N: "1" }, ":w": { N: "2" } },
    ConsistentRead: true,
  });
  assert.deepEqual(
    Items,
    [1, 2].map((sk) => ({ pk: { S: "p" }, sk: { N: String(sk) } })),
  );
});

const refusals = [
  ["pk = :p AND sk <> :v", "Invalid operator used in KeyConditionExpression: <>"],
  ["pk = :p OR sk = :v", "Invalid operator used in KeyConditionExpression: OR"],
  ["pk > :p AND sk = :v", "Query key condition not supported"],
  ["elsewhere = :p AND sk = :v", "Query condition missed key schema element: pk"],
];

for (const [condition, message] of refusals) {
  test(`${condition} is refused`, async () => {
    await invalid(sortKeys(numbers, condition, { ":v": 1 }), message);
  });
}
