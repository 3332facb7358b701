// Tables that go away with the test, and what the tests put into them.
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { waitUntilTableExists } from "@aws-sdk/client-dynamodb";

import { client, documents } from "./clients.js";

/** How often the SDK's waiters ask, in seconds. */
export const WAITING = { client, minDelay: 0.01, maxDelay: 0.05, maxWaitTime: 60 };

/** A name that no other test uses. */
export function uniqueName() {
  return `t-${randomUUID().slice(0, 13)}`;
}

/** A schema of one partition key, and of a sort key if there is a second name. */
export function keySchema(partitionKey, sortKey) {
  const schema = [{ AttributeName: partitionKey, KeyType: "HASH" }];
  return sortKey ? [...schema, { AttributeName: sortKey, KeyType: "RANGE" }] : schema;
}

export function definitions(types) {
  return Object.entries(types)
    .map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }));
}

/** An index of the given keys; a list as projection names the attributes to include. */
export function index(IndexName, keys, projection = "ALL") {
  const Projection = Array.isArray(projection)
    ? { ProjectionType: "INCLUDE", NonKeyAttributes: projection }
    : { ProjectionType: projection };
  return { IndexName, KeySchema: keySchema(...keys), Projection };
}

/** The request for a table with the string keys `pk` and, if given a type, `sk`. */
export function keyed(sortKeyType) {
  return sortKeyType
    ? { KeySchema: keySchema("pk", "sk"),
      AttributeDefinitions: definitions({ pk: "S", sk: sortKeyType }) }
    : { KeySchema: keySchema("pk"), AttributeDefinitions: definitions({ pk: "S" }) };
}

/**
 * Makes a table that is deleted after `scope`, which is a test or a whole file, and gives its name.
 */
export async function createTable(scope, request = keyed()) {
  const TableName = request.TableName ?? uniqueName();
  const billing = request.ProvisionedThroughput ? {} : { BillingMode: "PAY_PER_REQUEST" };
  await client.createTable({ TableName, ...billing, ...request });
  scope.after(() => removeTable(TableName));
  await waitUntilTableExists(WAITING, { TableName });
  return TableName;
}

/** Deletes the table as soon as nothing is being done to it. */
export async function removeTable(TableName) {
  try {
    await waitActive(TableName);
    await client.deleteTable({ TableName });
  } catch (error) {
    // Otherwise the test has deleted it.
    if (error.name !== "ResourceNotFoundException") throw error;
  }
}

export async function describe(TableName) {
  return (await client.describeTable({ TableName })).Table;
}

/** Asks again and again until `done` gives something true, and returns that. */
export async function waitUntil(done, seconds = 60) {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const result = await done();
    if (result) return result;
    if (Date.now() > deadline) throw new Error("waited too long");
    await pause(10);
  }
}

/** Waits for the table and all of its indexes, which the SDK's waiter does not look at. */
export async function waitActive(TableName) {
  await waitUntil(async () => {
    const { TableStatus, GlobalSecondaryIndexes = [] } = await describe(TableName);
    return [TableStatus, ...GlobalSecondaryIndexes.map((entry) => entry.IndexStatus)].every(
      (status) => status === "ACTIVE",
    );
  });
}

/** Writes many items of plain values. */
export async function fill(table, items) {
  for (let start = 0; start < items.length; start += 25) {
    const requests = items.slice(start, start + 25).map((Item) => ({ PutRequest: { Item } }));
    await documents.batchWrite({ RequestItems: { [table]: requests } });
  }
}

/** The numbers from 0 up to, but not including, `count`. */
export function range(count) {
  return [...Array(count).keys()];
}

/** All that a paginator gives. */
export async function collect(paginator) {
  const pages = [];
  for await (const page of paginator) pages.push(page);
  return pages;
}

/** The items of all pages. */
export function itemsOf(pages) {
  return pages.flatMap((page) => page.Items);
}
