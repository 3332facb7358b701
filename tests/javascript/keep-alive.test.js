// Connections are kept and used again, also under parallel load and after refusals.
import assert from "node:assert/strict";
import { Agent } from "node:http";
import { after, test } from "node:test";
import { DynamoDBDocument } from "@aws-sdk/lib-dynamodb";

import { connect } from "./clients.js";
import { createTable, keyed, range } from "./tables.js";

const TableName = await createTable({ after }, keyed("N"));

/** An agent that counts the connections it opens. */
class CountingAgent extends Agent {
  opened = 0;

  createConnection(...parameters) {
    this.opened += 1;
    return super.createConnection(...parameters);
  }
}

function connectCounting(t, maxSockets) {
  const httpAgent = new CountingAgent({ keepAlive: true, maxSockets });
  const counted = DynamoDBDocument.from(connect({ requestHandler: { httpAgent } }));
  t.after(() => counted.destroy());
  return { counted, httpAgent };
}

test("one request after the other uses one connection", async (t) => {
  const { counted, httpAgent } = connectCounting(t, 10);
  for (const sk of range(50)) {
    await counted.put({ TableName, Item: { pk: "sequence", sk } });
    await counted.get({ TableName, Key: { pk: "sequence", sk } });
  }
  assert.equal(httpAgent.opened, 1);
});

test("parallel requests share a few connections", async (t) => {
  const { counted, httpAgent } = connectCounting(t, 8);
  const answers = await Promise.all(
    range(400).map(async (sk) => {
      await counted.put({ TableName, Item: { pk: "parallel", sk, v: "x".repeat(sk * 10) } });
      return counted.get({ TableName, Key: { pk: "parallel", sk } });
    }),
  );
  answers.forEach(({ Item }, sk) =>
    assert.deepEqual(Item, { pk: "parallel", sk, v: "x".repeat(sk * 10) }));
  assert.ok(httpAgent.opened <= 8, `${httpAgent.opened} connections`);
});

test("a refusal does not close the connection", async (t) => {
  const { counted, httpAgent } = connectCounting(t, 1);
  const refusals = [
    () => counted.get({ TableName: "no-such-table", Key: { pk: "a" } }),
    () => counted.get({ TableName, Key: { wrong: "a" } }),
    () => counted.put({ TableName, Item: { pk: "a", sk: 1 },
      ConditionExpression: "attribute_exists(absent)" }),
    () => counted.put({ TableName, Item: { pk: "large", sk: 1, v: "x".repeat(500_000) } }),
  ];
  for (const call of refusals) {
    await assert.rejects(call());
    await counted.scan({ TableName, Limit: 1 });
  }
  assert.equal(httpAgent.opened, 1);
});

test("large answers leave the connection in order", async (t) => {
  const { counted, httpAgent } = connectCounting(t, 2);
  const v = "é".repeat(150_000);
  await Promise.all(range(6)
    .map((sk) => counted.put({ TableName, Item: { pk: "large", sk: sk + 10, v } })));
  const query = { TableName, KeyConditionExpression: "pk = :p",
    ExpressionAttributeValues: { ":p": "large" } };
  const pages = await Promise.all(range(6).map(() => counted.query(query)));
  pages.forEach(({ Items }) => assert.ok(Items.every((item) => item.v === v)));
  assert.ok(httpAgent.opened <= 2, `${httpAgent.opened} connections`);
});
