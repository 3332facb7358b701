// Many writes, as batches that are sent until nothing of them is left undone.
import { call, CallError } from "./client.js";

const BATCH = 25;
/** Attempts in a row that write nothing, after which there are no more. */
export const ATTEMPTS_MAX = 10;
/** Milliseconds before the second attempt and between two attempts at most. */
const [PAUSE_FIRST, PAUSE_MAX] = [50, 5000];
/** Errors of a batch of which nothing was written, and that is worth another attempt. */
const PASSING = new Set([
  "ProvisionedThroughputExceededException",
  "RequestLimitExceeded",
  "ThrottlingException",
  "InternalServerError",
  "ServiceUnavailable",
]);

/** Why not all was written, and how much was. */
export class UnfinishedError extends Error {
  constructor(why, done, all) {
    super(`${why}: ${done} of ${all} are done`);
    this.done = done;
  }
}

/**
 * Writes or deletes many items. `progress` hears how many are done, `signal` ends it between two
 * attempts; before another attempt it pauses, the longer the more were in vain.
 */
export async function writeAll(requestsByTable, { progress = () => {}, signal = null, pause = sleep } = {}) {
  const all = Object.entries(requestsByTable).flatMap(([table, list]) => list.map((one) => [table, one]));
  const state = { done: 0, all: all.length };
  for (let at = 0; at < all.length; at += BATCH) {
    let left = all.slice(at, at + BATCH);
    for (let attempts = 0; left.length; attempts += 1) {
      if (signal?.aborted) throw new UnfinishedError("It was ended", state.done, state.all);
      if (attempts >= ATTEMPTS_MAX)
        throw new UnfinishedError(`The table takes no more after ${ATTEMPTS_MAX} attempts`, state.done, state.all);
      if (attempts) await pause(pauseBefore(attempts), signal);
      const undone = await send(left, state);
      if (undone.length < left.length) attempts = 0;
      state.done += left.length - undone.length;
      left = undone;
      progress(state.done, state.all);
    }
  }
}

/** Milliseconds before an attempt; those of many clients are not at the same moment. */
export function pauseBefore(attempt) {
  return Math.random() * Math.min(PAUSE_MAX, PAUSE_FIRST * 2 ** attempt);
}

/** Sends a batch; gives what is left undone. */
async function send(batch, state) {
  // A table may be called like a member of all objects.
  const RequestItems = Object.create(null);
  for (const [table, one] of batch) (RequestItems[table] ??= []).push(one);
  try {
    const { UnprocessedItems = {} } = await call("BatchWriteItem", { RequestItems });
    return Object.entries(UnprocessedItems).flatMap(([table, list]) => list.map((one) => [table, one]));
  } catch (error) {
    if (error instanceof CallError && PASSING.has(error.code)) return batch;
    throw new UnfinishedError(error.message, state.done, state.all);
  }
}

/** Waits, until a signal ends it. */
export function sleep(millis, signal = null) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, millis);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
