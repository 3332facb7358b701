// Many writers of one item: conditions let one through at a time, and no update is lost.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { documents } from "./clients.js";
import { createTable, range, uniqueName } from "./tables.js";

const TableName = await createTable({ after });

/** Runs an attempt again and again until it is not refused for the given reason. */
async function retrying(reason, attempt) {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (error.name !== reason) throw error;
    }
  }
}

test("a version number makes reading and writing one step", async () => {
  const Key = { pk: uniqueName() };
  await documents.put({ TableName, Item: { ...Key, version: 0, log: [] } });
  const append = async (entry) => {
    const { Item } = await documents.get({ TableName, Key, ConsistentRead: true });
    await documents.put({
      TableName,
      Item: { ...Key, version: Item.version + 1, log: [...Item.log, entry] },
      ConditionExpression: "version = :read",
      ExpressionAttributeValues: { ":read": Item.version },
    });
  };
  const worker = async (name) => {
    for (const number of range(5)) await retrying("ConditionalCheckFailedException",
      () => append(`${name}-${number}`));
  };
  await Promise.all(range(8).map(worker));
  const { Item } = await documents.get({ TableName, Key, ConsistentRead: true });
  assert.equal(Item.version, 40);
  const expected = range(8).flatMap((name) => range(5).map((number) => `${name}-${number}`));
  assert.deepEqual([...Item.log].sort(), expected.sort());
});

test("of many that want one item exactly one gets it", async () => {
  const pk = uniqueName();
  const claim = (owner) =>
    documents.put({ TableName, Item: { pk, owner },
      ConditionExpression: "attribute_not_exists(pk)" });
  const claims = await Promise.allSettled(range(30).map(claim));
  const winners = range(30).filter((owner) => claims[owner].status === "fulfilled");
  assert.equal(winners.length, 1);
  const losers = claims.filter(({ status }) => status === "rejected")
    .map(({ reason }) => reason.name);
  assert.deepEqual(new Set(losers), new Set(["ConditionalCheckFailedException"]));
  assert.equal((await documents.get({ TableName, Key: { pk } })).Item.owner, winners[0]);
});
