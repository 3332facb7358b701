// How the SDK takes calls that fail on purpose, and what the guide shows of it. Faults are set at
// one server, and only its own calls meet them: so that is where all calls go.
import assert from "node:assert/strict";
import { after, afterEach, test } from "node:test";

import { ONE_SERVER as SETTINGS, connectToOneServer as connect } from "./clients.js";
import { createTable, keyed, range } from "./tables.js";

const client = connect();
const TableName = await createTable({ after }, keyed());

/** Calls the address that DynamoDB does not have. */
async function faults(method, document) {
  const answer = await fetch(`${SETTINGS.endpoint}/_monotable/faults`, {
    method,
    headers: { "Content-Type": "application/json" },
    body: document && JSON.stringify(document),
  });
  return answer.json();
}

afterEach(() => faults("DELETE"));

test("a throttled put succeeds in the end", async () => {
  const patient = connect({ maxAttempts: 4 });
  await faults("PUT",
    { faults: [{ kind: "throttle", table: TableName, operation: "PutItem", first: 2 }] });

  await patient.putItem({ TableName, Item: { pk: { S: "order#1" } } });

  const report = await faults("GET");
  assert.equal(report.faults[0].hit, 2);
});

/** Writes items, and sends what was not processed again. */
async function writeAll(items) {
  let RequestItems = { [TableName]: items.map((Item) => ({ PutRequest: { Item } })) };
  while (Object.keys(RequestItems).length > 0) {
    ({ UnprocessedItems: RequestItems } = await client.batchWriteItem({ RequestItems }));
  }
}

test("what is left of a batch is sent again", async () => {
  await faults("PUT",
    { faults: [{ kind: "unprocessed", share: 0.5, table: TableName, first: 2 }] });

  await writeAll(range(20).map((n) => ({ pk: { S: `batch#${n}` } })));

  const { Items } = await client.scan({ TableName, ConsistentRead: true });
  assert.equal(Items.filter(({ pk }) => pk.S.startsWith("batch#")).length, 20);
});

test("a throttle names its reason", async () => {
  await faults("PUT", { faults: [`throttle table=${TableName} limit=provisioned`] });
  const error = await client.putItem({ TableName, Item: { pk: { S: "a" } } })
    .catch((error) => error);
  assert.equal(error.name, "ProvisionedThroughputExceededException");
  assert.equal(error.ThrottlingReasons[0].reason, "TableWriteProvisionedThroughputExceeded");
});

test("a dropped connection is tried again", async () => {
  const patient = connect({ maxAttempts: 3 });
  await faults("PUT", { faults: [`drop table=${TableName} operation=PutItem first=1`] });
  await patient.putItem({ TableName, Item: { pk: { S: "dropped" } } });
  const report = await faults("GET");
  assert.equal(report.faults[0].hit, 1);
});
