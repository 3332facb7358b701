// Streams: every change of a table, once and in order.
import assert from "node:assert/strict";
import { test } from "node:test";

import { client, documents } from "./clients.js";
import { refused } from "./failures.js";
import { iterator, read, records, shards, streamArn, streamOn, streams } from "./streams.js";
import { createTable, fill, keyed, range } from "./tables.js";

const streamed = (t, view) => createTable(t, { ...keyed(), ...streamOn(view) });

/** The item in its two versions, as records show it. */
const [ONE, TWO] = ["1", "2"].map((n) => ({ pk: { S: "a" }, n: { N: n } }));

/** What a record says of a change. */
function change({ eventName, dynamodb: { OldImage, NewImage } }) {
  return { eventName, ...(OldImage && { old: OldImage }), ...(NewImage && { new: NewImage }) };
}

async function changes(table) {
  return (await records(await streamArn(table))).map(change);
}

const VIEWS = {
  KEYS_ONLY: [{ eventName: "INSERT" }, { eventName: "MODIFY" }, { eventName: "REMOVE" }],
  NEW_IMAGE: [
    { eventName: "INSERT", new: ONE },
    { eventName: "MODIFY", new: TWO },
    { eventName: "REMOVE" },
  ],
  OLD_IMAGE: [
    { eventName: "INSERT" },
    { eventName: "MODIFY", old: ONE },
    { eventName: "REMOVE", old: TWO },
  ],
  NEW_AND_OLD_IMAGES: [
    { eventName: "INSERT", new: ONE },
    { eventName: "MODIFY", old: ONE, new: TWO },
    { eventName: "REMOVE", old: TWO },
  ],
};

for (const [view, expected] of Object.entries(VIEWS)) {
  test(`the records of a stream with the view ${view} have its images`, async (t) => {
    const TableName = await streamed(t, view);
    for (const n of [1, 2]) await documents.put({ TableName, Item: { pk: "a", n } });
    await documents.delete({ TableName, Key: { pk: "a" } });
    assert.deepEqual(await changes(TableName), expected);
  });
}

test("a record has an id, a time and a size", async (t) => {
  const TableName = await streamed(t);
  await documents.put({ TableName, Item: { pk: "a" } });
  const [record] = await records(await streamArn(TableName));
  assert.equal(record.eventSource, "aws:dynamodb");
  assert.match(record.eventID, /^[0-9a-f]{32}$/);
  assert.ok(Math.abs(record.dynamodb.ApproximateCreationDateTime - Date.now()) < 60_000);
  assert.ok(record.dynamodb.SizeBytes > 0);
  assert.match(record.dynamodb.SequenceNumber, /^\d{21,40}$/);
});

test("a write that changes nothing has no record", async (t) => {
  const TableName = await streamed(t);
  for (let time = 0; time < 3; time++) await client.putItem({ TableName, Item: ONE });
  await documents.delete({ TableName, Key: { pk: "absent" } });
  assert.deepEqual(await changes(TableName), [{ eventName: "INSERT", new: ONE }]);
});

test("the records of a transaction are all there", async (t) => {
  const TableName = await streamed(t);
  const TransactItems = range(100)
    .map((number) => ({ Put: { TableName, Item: { pk: `k${number}` } } }));
  await documents.transactWrite({ TransactItems });
  const keys = (await records(await streamArn(TableName)))
    .map((record) => record.dynamodb.Keys.pk.S);
  assert.deepEqual(keys.sort(), range(100).map((number) => `k${number}`).sort());
});

test("shards and records come in pages", async (t) => {
  const TableName = await streamed(t);
  await fill(TableName, range(40).map((number) => ({ pk: `k${number}` })));
  const arn = await streamArn(TableName);
  const found = [];
  for (const shard of await shards(arn, { Limit: 1 })) {
    found.push(...(await read(await iterator(arn, shard), { Limit: 3 })));
  }
  assert.equal(new Set(found.map((record) => record.dynamodb.SequenceNumber)).size, 40);
});

test("an iterator starts at a record or after it", async (t) => {
  const TableName = await streamed(t);
  for (const n of range(4)) await documents.put({ TableName, Item: { pk: "a", n } });
  const arn = await streamArn(TableName);
  for (const shard of await shards(arn)) {
    const found = await read(await iterator(arn, shard));
    for (const [place, record] of found.entries()) {
      const { SequenceNumber } = record.dynamodb;
      const at = await read(await iterator(arn, shard, "AT_SEQUENCE_NUMBER", { SequenceNumber }));
      const after = await read(await iterator(arn, shard, "AFTER_SEQUENCE_NUMBER",
        { SequenceNumber }));
      assert.deepEqual([at.length, after.length], [found.length - place, found.length - place - 1]);
    }
  }
});

test("a disabled stream stays readable and comes to an end", async (t) => {
  const TableName = await streamed(t);
  await documents.put({ TableName, Item: { pk: "a" } });
  const arn = await streamArn(TableName);
  await client.updateTable({ TableName, StreamSpecification: { StreamEnabled: false } });
  await documents.put({ TableName, Item: { pk: "b" } });
  assert.equal((await records(arn)).length, 1);
  for (const shard of await shards(arn)) {
    assert.ok(shard.SequenceNumberRange.EndingSequenceNumber);
    let next = await iterator(arn, shard);
    for (let pages = 0; next && pages < 10; pages++) {
      next = (await streams.getRecords({ ShardIterator: next })).NextShardIterator;
    }
    assert.equal(next, undefined);
  }
});

test("streams are listed by table", async (t) => {
  const TableName = await streamed(t);
  const { Streams } = await streams.listStreams({ TableName });
  assert.deepEqual(Streams.map((stream) => stream.StreamArn), [await streamArn(TableName)]);
});

test("a stream that is not there is not found", async (t) => {
  const arn = await streamArn(await streamed(t));
  await refused(streams.describeStream({ StreamArn: `${arn}9` }), "ResourceNotFoundException");
  await refused(streams.getRecords({ ShardIterator: "nonsense" }), "ValidationException");
});
