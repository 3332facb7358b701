// The records of a table's stream as they happen, with what is different.
import { call, isReadOnly } from "./client.js";
import { h, number, replace } from "./dom.js";
import { entityChip, keyParts } from "./key-text.js";
import { designFor, entityClass, recognise } from "./model.js";
import { describe, waitForTable } from "./table-parts.js";
import { display, isSame } from "./values.js";

/** Records that are kept in sight. */
const SHOWN_MAX = 300;
/** Milliseconds between two looks at a shard, and between two looks for new shards. */
const PAUSE = 500;
const SHARDS_PAUSE = 5000;

/** Shows the stream of a table in `body`, and what can be done with it in `bar`. */
export async function showChanges({ bar, body }, name) {
  const table = await describe(name);
  const state = h("span.tag", { role: "status" });
  const count = h("span.muted");
  const list = h("div", { role: "log", "aria-label": "Records of the stream", tabindex: "0" });
  if (!table.StreamSpecification?.StreamEnabled) {
    replace(bar, state);
    replace(state, "off");
    replace(
      body,
      offer(table, () => showChanges({ bar, body }, name)),
    );
    return undefined;
  }
  const pause = h("button", { type: "button", "data-key": "r" }, "Pause");
  const clear = h("button", { type: "button", onclick: () => replace(list) }, "Clear");
  replace(bar, state, count, h("span.grow"), pause, clear);
  replace(body, list);
  const known = await designFor(name);
  let total = 0;
  const follower = new Follower(table.LatestStreamArn, async (records) => {
    total += records.length;
    const rows = await recordRows(known, name, records);
    list.prepend(...rows.reverse());
    while (list.children.length > SHOWN_MAX) list.lastElementChild.remove();
    replace(count, `${number(total)} records`);
  });
  const draw = () => {
    state.className = `tag ${follower.isRunning ? "good" : "warn"}`;
    replace(state, follower.isRunning ? "following" : "paused");
    replace(pause, follower.isRunning ? "Pause" : "Go on");
  };
  pause.addEventListener("click", () => {
    if (follower.isRunning) follower.stop();
    else follower.start();
    draw();
  });
  follower.onError = (error) => {
    state.className = "tag bad";
    replace(state, error.message);
  };
  await follower.start();
  draw();
  return () => follower.stop();
}

function offer(table, again) {
  const turnOn = async () => {
    await call("UpdateTable", {
      TableName: table.TableName,
      StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" },
    });
    await waitForTable(table.TableName);
    await again();
  };
  return h(
    "div.empty",
    h("p", `${table.TableName} has no stream.`),
    isReadOnly
      ? null
      : h("button.primary", { type: "button", onclick: turnOn }, "Turn on a stream with old and new images"),
  );
}

/** Follows all open shards of a stream from now on, and the children that take their places. */
class Follower {
  constructor(stream, take) {
    Object.assign(this, {
      stream,
      take,
      isRunning: false,
      iterators: new Map(),
      seen: new Set(),
      onError: () => {},
      round: 0,
    });
  }

  async start() {
    this.isRunning = true;
    this.round += 1;
    const { round } = this;
    if (!this.seen.size) await this.findShards("LATEST");
    this.loop(round);
  }

  stop() {
    this.isRunning = false;
    this.round += 1;
  }

  async loop(round) {
    let looked = performance.now();
    while (this.round === round) {
      try {
        await this.poll(round);
        if (performance.now() - looked > SHARDS_PAUSE) {
          looked = performance.now();
          await this.findShards("TRIM_HORIZON");
        }
      } catch (error) {
        if (this.round === round) this.onError(error);
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }

  async poll(round) {
    for (const [shard, iterator] of [...this.iterators]) {
      const answer = await call("GetRecords", { ShardIterator: iterator, Limit: 200 });
      if (this.round !== round) return;
      if (answer.NextShardIterator) this.iterators.set(shard, answer.NextShardIterator);
      else this.iterators.delete(shard);
      if (answer.Records.length) await this.take(answer.Records);
    }
  }

  /**
   * Begins with shards that were not seen before: those that are there at first from now on, later
   * ones from their start.
   */
  async findShards(kind) {
    let start;
    do {
      const { StreamDescription: stream } = await call("DescribeStream", {
        StreamArn: this.stream,
        ...(start ? { ExclusiveStartShardId: start } : {}),
      });
      for (const { ShardId, SequenceNumberRange: range } of stream.Shards) {
        if (this.seen.has(ShardId)) continue;
        this.seen.add(ShardId);
        if (kind === "LATEST" && range.EndingSequenceNumber) continue;
        const answer = await call("GetShardIterator", { StreamArn: this.stream, ShardId, ShardIteratorType: kind });
        this.iterators.set(ShardId, answer.ShardIterator);
      }
      start = stream.LastEvaluatedShardId;
    } while (start);
  }
}

async function recordRows(known, table, records) {
  const image = ({ dynamodb: change }) => change.NewImage ?? change.OldImage ?? change.Keys;
  const recognised = await recognise(table, records.map(image)).catch(() => records.map(() => null));
  return records.map((record, place) => recordRow(known, record, recognised[place]));
}

function recordRow(known, { eventName, dynamodb: change }, recognised) {
  const kinds = { INSERT: "good", MODIFY: "warn", REMOVE: "bad" };
  const time = new Date(change.ApproximateCreationDateTime * 1000).toISOString().slice(11, 19);
  const keys = Object.entries(change.Keys).map(([name, value]) => h("div", keyParts(value, recognised?.keys?.[name])));
  return h(
    "div.record",
    h("span.muted.mono", time),
    h("span", h("span.tag", { class: kinds[eventName] }, eventName.toLowerCase())),
    h("span", recognised ? entityChip(recognised.entity, entityClass(known, recognised.entity)) : null, keys),
    h("span.mono", differences(change)),
  );
}

function differences({ OldImage: was = {}, NewImage: is = {}, Keys: keys }) {
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((name) => !(name in keys)).sort();
  const short = (value) => display(value).slice(0, 100);
  return names
    .filter((name) => !isSame(was[name], is[name]))
    .map((name) =>
      h(
        "span.pair",
        h("b", name),
        was[name] ? h("span.diff-was", short(was[name])) : null,
        " ",
        is[name] ? h("span.diff-is", short(is[name])) : null,
      ),
    );
}
