// ClientRequestToken: a transaction that is sent twice happens once.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, test } from "node:test";
import { IdempotentParameterMismatchException } from "@aws-sdk/client-dynamodb";

import { client, documents } from "./clients.js";
import { refused } from "./failures.js";
import { createTable, range, uniqueName } from "./tables.js";

const TableName = await createTable({ after });

function add(pk, amount, more) {
  const ExpressionAttributeValues = { ":n": amount };
  const Update = { TableName, Key: { pk }, UpdateExpression: "ADD n :n",
    ExpressionAttributeValues };
  return documents.transactWrite({ TransactItems: [{ Update }], ...more });
}

async function count(pk) {
  return (await documents.get({ TableName, Key: { pk }, ConsistentRead: true })).Item.n;
}

test("the same token and request happen once", async () => {
  const pk = uniqueName();
  const ClientRequestToken = randomUUID();
  for (const _ of range(3)) await add(pk, 1, { ClientRequestToken });
  assert.equal(await count(pk), 1);
});

test("a request without a token happens each time", async () => {
  const pk = uniqueName();
  for (const _ of range(3)) await add(pk, 1);
  assert.equal(await count(pk), 3);
});

test("the same token sent in parallel happens once", async () => {
  const pk = uniqueName();
  const ClientRequestToken = randomUUID();
  const sent = await Promise.allSettled(range(8).map(() => add(pk, 1, { ClientRequestToken })));
  const refusals = sent.filter(({ status }) => status === "rejected")
    .map(({ reason }) => reason.name);
  assert.ok(
    refusals.every((name) =>
      ["TransactionInProgressException", "TransactionCanceledException"].includes(name)),
    refusals,
  );
  assert.equal(await count(pk), 1);
});

test("the same token with another request is refused", async () => {
  const pk = uniqueName();
  const ClientRequestToken = randomUUID();
  await add(pk, 1, { ClientRequestToken });
  const error = await refused(add(pk, 2, { ClientRequestToken }),
    "IdempotentParameterMismatchException");
  assert.ok(error instanceof IdempotentParameterMismatchException);
  assert.equal(await count(pk), 1);
});

test("a cancelled transaction does not use up its token", async () => {
  const Item = { pk: { S: uniqueName() } };
  const Put = { TableName, Item, ConditionExpression: "attribute_not_exists(pk)" };
  const request = { ClientRequestToken: randomUUID(), TransactItems: [{ Put }] };
  await client.putItem({ TableName, Item });
  await refused(client.transactWriteItems(request), "TransactionCanceledException");
  await client.deleteItem({ TableName, Key: Item });
  await client.transactWriteItems(request);
  assert.deepEqual((await client.getItem({ TableName, Key: Item })).Item, Item);
});

test("a replay costs what reads cost", async () => {
  const pk = uniqueName();
  const more = { ClientRequestToken: randomUUID(), ReturnConsumedCapacity: "TOTAL" };
  const first = await add(pk, 1, more);
  const second = await add(pk, 1, more);
  assert.deepEqual(first.ConsumedCapacity,
    [{ TableName, CapacityUnits: 2, WriteCapacityUnits: 2 }]);
  assert.deepEqual(second.ConsumedCapacity,
    [{ TableName, CapacityUnits: 2, ReadCapacityUnits: 2 }]);
});
