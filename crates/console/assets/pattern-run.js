// A run of an access pattern: its requests, step by step. The rows of a step feed the next one.
import { ask, call, isReadOnly } from "./client.js";
import { counted, number } from "./dom.js";
import { ATTEMPTS_MAX, pauseBefore, sleep } from "./write-all.js";

/** Pages of one request that are read. */
const PAGES_MAX = 20;
/** Rows of a step that are kept; the server takes as many of each. */
const ROWS_MAX = 10_000;
/** Bytes of rows that go back to the server, which takes 16 MiB with the model. */
const FED_BYTES_MAX = 8 * 1024 * 1024;
/** What refuses a write because of the items that there are. */
const REFUSALS = ["ConditionalCheckFailedException", "TransactionCanceledException"];
const READS = new Set(["GetItem", "Query", "Scan", "BatchGetItem", "TransactGetItems"]);

/** Whether an operation only reads. */
export function isRead(operation) {
  return READS.has(operation);
}

/**
 * Sends the requests of a pattern, and gives what came of each, the units of all of them, and
 * `notes` on what was left out.
 */
export async function play(known, pattern, given) {
  const outcome = { requests: [], read: 0, write: 0, notes: [] };
  const feed = new Feed();
  // No step has less than one request.
  const stepsMax = known.chart.patterns.find((one) => one.pattern === pattern.name)?.requests.length ?? Infinity;
  while (feed.steps.length < stepsMax) {
    const question = { model: known.text, pattern: pattern.name, arguments: given, steps: feed.steps };
    const { requests } = await ask("requests", question);
    if (!requests) break;
    if (feed.left)
      outcome.notes.push(
        `The next step went on from ${counted(feed.taken, "row")}: ${feed.left} more are too much for it.`,
      );
    const step = await playStep(requests, outcome);
    if (step.isRefused) break;
    feed.add(step.rows);
  }
  return outcome;
}

/** The rows of the steps so far, as far as they fit into a question. */
class Feed {
  steps = [];
  bytes = 0;
  taken = 0;
  left = 0;

  add(rows) {
    const fits = (row) => {
      this.bytes += new TextEncoder().encode(JSON.stringify(row)).length;
      return this.bytes <= FED_BYTES_MAX;
    };
    const end = rows.findIndex((row) => !fits(row));
    const step = end < 0 ? rows : rows.slice(0, end);
    Object.assign(this, { taken: step.length, left: rows.length - step.length });
    this.steps.push(step);
  }
}

/** Sends the requests of a step, until it has as many rows as are kept. */
async function playStep(requests, outcome) {
  const rows = [];
  for (const [place, request] of requests.entries()) {
    if (isReadOnly && !isRead(request.operation)) throw new Error("the console is read-only, and this pattern writes");
    if (rows.length >= ROWS_MAX) {
      outcome.notes.push(
        `${counted(requests.length - place, "request")} of the step were not sent: it has ${number(ROWS_MAX)} rows.`,
      );
      break;
    }
    const played = new Played(request);
    outcome.requests.push(played);
    await played.send(ROWS_MAX - rows.length);
    outcome[isRead(request.operation) ? "read" : "write"] += played.units;
    rows.push(...played.rows);
    if (played.refusal) return { rows, isRefused: true };
  }
  return { rows, isRefused: false };
}

/** A request that is sent, with what came of it. */
class Played {
  constructor({ operation, body }) {
    Object.assign(this, { operation, request: body, rows: [], found: 0, scanned: null, units: 0, pages: 0 });
    /** Why a condition was not met, and how many members of a batch are not done. */
    Object.assign(this, { refusal: null, undone: 0, isCut: false });
  }

  async send(rowsMax) {
    try {
      if (this.operation.startsWith("Batch")) await this.sendBatch(rowsMax);
      else await this.sendPages(rowsMax);
    } catch (error) {
      if (!REFUSALS.includes(error.code)) throw error;
      this.refusal = error.message;
    }
  }

  async sendPages(rowsMax) {
    const isPaged = this.operation === "Query" || this.operation === "Scan";
    let start = {};
    do {
      const answer = await this.call(start, rowsMax);
      if (isPaged) this.scanned = (this.scanned ?? 0) + answer.ScannedCount;
      start = answer.LastEvaluatedKey ? { ExclusiveStartKey: answer.LastEvaluatedKey } : null;
    } while (start && isPaged && !this.request.Limit && this.pages < PAGES_MAX && this.rows.length < rowsMax);
    this.isCut = start !== null;
  }

  /** What a batch leaves undone is sent again after a pause, as long as that does something. */
  async sendBatch(rowsMax) {
    let left = this.request.RequestItems;
    for (let attempts = 0; membersOf(left) > 0; attempts += 1) {
      if (attempts === ATTEMPTS_MAX) break;
      if (attempts) await sleep(pauseBefore(attempts));
      const answer = await this.call({ RequestItems: left }, rowsMax);
      const rest = answer.UnprocessedItems ?? answer.UnprocessedKeys ?? {};
      if (membersOf(rest) < membersOf(left)) attempts = 0;
      left = rest;
    }
    this.undone = membersOf(left);
  }

  async call(besides, rowsMax) {
    const answer = await call(this.operation, { ...this.request, ...besides, ReturnConsumedCapacity: "INDEXES" });
    const rows = rowsOf(this.request, answer);
    this.pages += 1;
    this.found += rows.length;
    this.rows.push(...rows.slice(0, rowsMax - this.rows.length));
    this.units += [answer.ConsumedCapacity ?? []].flat().reduce((sum, one) => sum + one.CapacityUnits, 0);
    return answer;
  }
}

/** How many keys or writes a batch has. */
function membersOf(requestItems) {
  return Object.values(requestItems).reduce((sum, one) => sum + (one.Keys ?? one).length, 0);
}

function rowsOf(request, answer) {
  if (Array.isArray(answer.Responses)) {
    return answer.Responses.flatMap(({ Item }, place) =>
      Item ? [{ table: request.TransactItems[place].Get.TableName, item: Item }] : [],
    );
  }
  const own = [answer.Item, answer.Attributes, ...(answer.Items ?? [])]
    .filter(Boolean)
    .map((item) => ({ table: request.TableName, item }));
  const batched = Object.entries(answer.Responses ?? {}).flatMap(([table, items]) =>
    items.map((item) => ({ table, item })),
  );
  return [...own, ...batched];
}
