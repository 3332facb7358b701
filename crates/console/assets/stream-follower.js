// Follows a stream: all of its open shards from now on, and the children that take their places.
import { call } from "./client.js";

/** Milliseconds between two looks at a shard, and between two looks for new shards. */
const PAUSE = 500;
const SHARDS_PAUSE = 5000;
/** Records of a look. */
const RECORDS_MAX = 200;
/** Milliseconds that the clocks of this machine and of the server may be apart. */
const CLOCKS_APART = 5000;
const OLDEST = { ShardIteratorType: "TRIM_HORIZON" };

/**
 * Calls `take` with records as they come, and `onState` with an error or, once all is well again,
 * with nothing.
 */
export class Follower {
  constructor(stream, take) {
    Object.assign(this, {
      stream,
      take,
      isRunning: false,
      isFailing: false,
      /** The shards that are read, by their ids, and the ids of all that were found. */
      shards: new Map(),
      seen: new Set(),
      onState: () => {},
      round: 0,
    });
  }

  async start() {
    this.isRunning = true;
    this.round += 1;
    const { round } = this;
    if (!this.seen.size) await this.findShards({ ShardIteratorType: "LATEST" });
    this.loop(round);
  }

  stop() {
    this.isRunning = false;
    this.isFailing = false;
    this.round += 1;
  }

  async loop(round) {
    let looked = performance.now();
    while (this.round === round) {
      try {
        await this.poll(round);
        if (performance.now() - looked > SHARDS_PAUSE) {
          looked = performance.now();
          await this.findShards(OLDEST);
        }
        if (this.round === round) this.say(null);
      } catch (error) {
        if (this.round === round) this.say(error);
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }

  say(error) {
    if (error || this.isFailing) this.onState(error);
    this.isFailing = error !== null;
  }

  async poll(round) {
    for (const [id, shard] of [...this.shards]) {
      const answer = await this.read(id, shard);
      if (this.round !== round) return;
      shard.iterator = answer.NextShardIterator;
      if (!shard.iterator) this.shards.delete(id);
      if (!answer.Records.length) continue;
      shard.start = { ShardIteratorType: "AFTER_SEQUENCE_NUMBER", SequenceNumber: lastOf(answer.Records) };
      await this.take(answer.Records);
    }
  }

  /** An iterator is good for a quarter of an hour. After a longer pause there has to be another. */
  async read(id, shard) {
    const records = () => call("GetRecords", { ShardIterator: shard.iterator, Limit: RECORDS_MAX });
    try {
      return await records();
    } catch (error) {
      if (!["ExpiredIteratorException", "TrimmedDataAccessException"].includes(error.code)) throw error;
    }
    shard.iterator = await this.iteratorAgain(id, shard);
    return records();
  }

  /** Goes on where reading was; where that is no longer known or kept, from the oldest record. */
  async iteratorAgain(id, { start }) {
    try {
      return await this.iterator(id, start);
    } catch (error) {
      if (!["TrimmedDataAccessException", "ValidationException"].includes(error.code)) throw error;
      return this.iterator(id, OLDEST);
    }
  }

  async iterator(ShardId, start) {
    return (await call("GetShardIterator", { StreamArn: this.stream, ShardId, ...start })).ShardIterator;
  }

  /**
   * Begins with shards that were not seen before: those that are there at first from now on, later
   * ones from their start.
   */
  async findShards(start) {
    const isFirst = start.ShardIteratorType === "LATEST";
    // As long as there was no record, only the time says where reading began.
    const since = { ShardIteratorType: "AT_TIMESTAMP", Timestamp: (Date.now() - CLOCKS_APART) / 1000 };
    let page = {};
    do {
      const { StreamDescription: stream } = await call("DescribeStream", { StreamArn: this.stream, ...page });
      for (const { ShardId, SequenceNumberRange: range } of stream.Shards) {
        if (this.seen.has(ShardId)) continue;
        if (!isFirst || !range.EndingSequenceNumber) {
          const iterator = await this.iterator(ShardId, start);
          this.shards.set(ShardId, { iterator, start: isFirst ? since : start });
        }
        this.seen.add(ShardId);
      }
      page = { ExclusiveStartShardId: stream.LastEvaluatedShardId };
    } while (page.ExclusiveStartShardId);
  }
}

function lastOf(records) {
  return records.at(-1).dynamodb.SequenceNumber;
}
