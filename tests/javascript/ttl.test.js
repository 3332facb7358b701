// Time to live: items that say when they go.
import assert from "node:assert/strict";
import { test } from "node:test";

import { client, documents } from "./clients.js";
import { invalid, refused } from "./failures.js";
import { records, streamArn, streamOn } from "./streams.js";
import { createTable, fill, keyed, uniqueName, waitUntil } from "./tables.js";

const SPECIFICATION = { Enabled: true, AttributeName: "expires" };

function enable(TableName) {
  return client.updateTimeToLive({ TableName, TimeToLiveSpecification: SPECIFICATION });
}

async function describeTimeToLive(TableName) {
  return (await client.describeTimeToLive({ TableName })).TimeToLiveDescription;
}

function now() {
  return Math.floor(Date.now() / 1000);
}

/** Waits until the table holds just these items. */
async function left(TableName, expected) {
  await waitUntil(async () => {
    const { Items } = await documents.scan({ TableName, ConsistentRead: true });
    const keys = Items.map((item) => item.pk).sort();
    return JSON.stringify(keys) === JSON.stringify(expected);
  }, 20);
}

test("time to live is off until it is turned on", async (t) => {
  const TableName = await createTable(t);
  assert.deepEqual(await describeTimeToLive(TableName), { TimeToLiveStatus: "DISABLED" });
  assert.deepEqual((await enable(TableName)).TimeToLiveSpecification, SPECIFICATION);
  await waitUntil(async () => (await describeTimeToLive(TableName)).TimeToLiveStatus === "ENABLED");
  assert.equal((await describeTimeToLive(TableName)).AttributeName, "expires");
});

test("only numbers that are past, and not long past, expire an item", async (t) => {
  const TableName = await createTable(t);
  await fill(TableName, [
    { pk: "expired", expires: now() - 1 },
    { pk: "later", expires: now() + 3600 },
    { pk: "text", expires: `${now() - 1}` },
    { pk: "too-old", expires: now() - 6 * 365 * 86_400 },
    { pk: "without" },
  ]);
  await enable(TableName);
  await left(TableName, ["later", "text", "too-old", "without"]);
});

test("the record of an expiry names the service", async (t) => {
  const TableName = await createTable(t, { ...keyed(), ...streamOn() });
  await enable(TableName);
  await documents.put({ TableName, Item: { pk: "a", expires: now() } });
  await left(TableName, []);
  const [inserted, removed] = await records(await streamArn(TableName));
  assert.equal(inserted.userIdentity, undefined);
  assert.equal(removed.eventName, "REMOVE");
  assert.deepEqual(removed.userIdentity,
    { PrincipalId: "dynamodb.amazonaws.com", Type: "Service" });
});

test("what is on cannot be turned on, and a missing table is not found", async (t) => {
  const TableName = await createTable(t);
  await enable(TableName);
  await waitUntil(async () => (await describeTimeToLive(TableName)).TimeToLiveStatus === "ENABLED");
  await invalid(enable(TableName), "TimeToLive is already enabled");
  await refused(enable(uniqueName()), "ResourceNotFoundException");
});
