// Follows the stream of a table: all of its open shards from now on, the children that take their
// places, and the stream that takes the place of one that is turned off.
import { call } from "./client.js";
import { describe } from "./table-parts.js";

/** Milliseconds between two looks at a shard, and between two looks for new shards. */
const PAUSE = 500;
const SHARDS_PAUSE = 5000;
/** Records of a look. */
const RECORDS_MAX = 200;
/** Milliseconds that the clocks of this machine and of the server may be apart. */
const CLOCKS_APART = 5000;
const OLDEST = { ShardIteratorType: "TRIM_HORIZON" };

/**
 * Calls `take` with records as they come, `onStream` whenever the table has another stream, or
 * none, and `onState` with an error or, once all is well again, with nothing.
 */
export class Follower {
  constructor(table, take) {
    Object.assign(this, {
      table,
      take,
      /** The stream that the table has; null if none, undefined as long as nobody has looked. */
      stream: undefined,
      isRunning: false,
      isFailing: false,
      /** The shards that are read, by their names, and the names of all that were found. */
      shards: new Map(),
      seen: new Set(),
      /** Whether a shard is gone: then the table may have another stream. */
      isLost: false,
      onStream: () => {},
      onState: () => {},
      round: 0,
    });
  }

  async start() {
    this.isRunning = true;
    this.round += 1;
    const { round } = this;
    // What comes after a pause may come from shards or a stream that are not known yet.
    this.isLost = this.stream !== undefined;
    if (this.stream === undefined) await this.look({ ShardIteratorType: "LATEST" });
    this.loop(round);
  }

  stop() {
    this.isRunning = false;
    this.isFailing = false;
    this.round += 1;
  }

  /**
   * Looks which stream the table has by now, and begins with the shards that were not seen before.
   * Those of an earlier stream are read to their ends.
   */
  async look(start = OLDEST) {
    const { StreamSpecification: has, LatestStreamArn: latest } = await describe(this.table);
    // Whoever stopped meanwhile does not want to know.
    if (!this.isRunning) return;
    const stream = has?.StreamEnabled ? latest : null;
    const isOther = stream !== this.stream;
    this.stream = stream;
    if (isOther) this.onStream(stream);
    if (stream) await this.findShards(start);
  }

  async loop(round) {
    let looked = performance.now();
    while (this.round === round) {
      try {
        await this.poll(round);
        if (this.isLost || performance.now() - looked > SHARDS_PAUSE) {
          this.isLost = false;
          looked = performance.now();
          await this.look();
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
    for (const [name, shard] of [...this.shards]) {
      const answer = await this.read(shard).catch((error) => this.lose(name, error));
      if (this.round !== round) return;
      shard.iterator = answer.NextShardIterator;
      if (!shard.iterator) this.shards.delete(name);
      if (!answer.Records.length) continue;
      shard.start = { ShardIteratorType: "AFTER_SEQUENCE_NUMBER", SequenceNumber: lastOf(answer.Records) };
      await this.take(answer.Records);
    }
  }

  /** A shard that is not there any longer has no records; if it is made again, it is another one. */
  lose(name, error) {
    if (error.code !== "ResourceNotFoundException") throw error;
    this.seen.delete(name);
    this.isLost = true;
    return { Records: [] };
  }

  /** An iterator is good for a quarter of an hour. After a longer pause there has to be another. */
  async read(shard) {
    const records = () => call("GetRecords", { ShardIterator: shard.iterator, Limit: RECORDS_MAX });
    try {
      return await records();
    } catch (error) {
      if (!["ExpiredIteratorException", "TrimmedDataAccessException"].includes(error.code)) throw error;
    }
    shard.iterator = await this.iteratorAgain(shard);
    return records();
  }

  /** Goes on where reading was; where that is no longer known or kept, from the oldest record. */
  async iteratorAgain(shard) {
    try {
      return await iteratorOf(shard, shard.start);
    } catch (error) {
      if (!["TrimmedDataAccessException", "ValidationException"].includes(error.code)) throw error;
      return iteratorOf(shard, OLDEST);
    }
  }

  /**
   * Begins with shards that were not seen before: those that are there at first from now on, later
   * ones from their start.
   */
  async findShards(start) {
    const StreamArn = this.stream;
    const isFirst = start.ShardIteratorType === "LATEST";
    // As long as there was no record, only the time says where reading began.
    const since = { ShardIteratorType: "AT_TIMESTAMP", Timestamp: (Date.now() - CLOCKS_APART) / 1000 };
    let page = {};
    do {
      const { StreamDescription: stream } = await call("DescribeStream", { StreamArn, ...page });
      for (const { ShardId, SequenceNumberRange: range } of stream.Shards) {
        const name = `${StreamArn}/${ShardId}`;
        if (this.seen.has(name)) continue;
        // Two looks at the same time begin with a shard once.
        this.seen.add(name);
        if (isFirst && range.EndingSequenceNumber) continue;
        const shard = { StreamArn, ShardId, start: isFirst ? since : start };
        try {
          shard.iterator = await iteratorOf(shard, start);
        } catch (error) {
          this.seen.delete(name);
          throw error;
        }
        this.shards.set(name, shard);
      }
      page = { ExclusiveStartShardId: stream.LastEvaluatedShardId };
    } while (page.ExclusiveStartShardId);
  }
}

async function iteratorOf({ StreamArn, ShardId }, start) {
  return (await call("GetShardIterator", { StreamArn, ShardId, ...start })).ShardIterator;
}

function lastOf(records) {
  return records.at(-1).dynamodb.SequenceNumber;
}
