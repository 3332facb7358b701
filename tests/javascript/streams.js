// Reading a table's stream.
import { DynamoDBStreams } from "@aws-sdk/client-dynamodb-streams";

import { SETTINGS } from "./clients.js";
import { describe } from "./tables.js";

export const streams = new DynamoDBStreams(SETTINGS);

/** The specification that turns a stream on. */
export function streamOn(StreamViewType = "NEW_AND_OLD_IMAGES") {
  return { StreamSpecification: { StreamEnabled: true, StreamViewType } };
}

export async function streamArn(table) {
  return (await describe(table)).LatestStreamArn;
}

/**
 * All shards, page by page. Ids hold the time of opening, so parents come before their children.
 */
export async function shards(StreamArn, request = {}) {
  const found = [];
  for (let start = undefined; ; ) {
    const page = await streams.describeStream({ StreamArn, ExclusiveStartShardId: start,
      ...request });
    found.push(...page.StreamDescription.Shards);
    start = page.StreamDescription.LastEvaluatedShardId;
    if (!start) return found;
  }
}

export async function iterator(StreamArn, { ShardId }, ShardIteratorType = "TRIM_HORIZON",
  place = {}) {
  return (await streams.getShardIterator({ StreamArn, ShardId, ShardIteratorType, ...place }))
    .ShardIterator;
}

/** The records from an iterator on, until there are no more or the shard ends. */
export async function read(ShardIterator, request = {}) {
  const found = [];
  while (ShardIterator) {
    const page = await streams.getRecords({ ShardIterator, ...request });
    found.push(...page.Records);
    ShardIterator = page.Records.length > 0 ? page.NextShardIterator : undefined;
  }
  return found;
}

/** All records of a stream; those of one item are in order. */
export async function records(arn) {
  const found = [];
  for (const shard of await shards(arn)) found.push(...(await read(await iterator(arn, shard))));
  return found;
}
