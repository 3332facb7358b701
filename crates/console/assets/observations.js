// What the server counts, looked at from time to time, and what has happened between two looks.
import { administer } from "./client.js";
import { readMetrics } from "./metrics.js";

/** Milliseconds between two looks, and how many of them are remembered: three minutes. */
const PAUSE = 2000;
const LOOKS_MAX = 91;

/** A longer pause than this is a gap: what grew in it is of no moment. */
const GAP = 3 * PAUSE;

/** How many keys of a table or index the server lists, the most frequent ones. */
const LISTED_MAX = 20;

/** What was seen so far, oldest first. It stays while one looks at this or that of it. */
const looks = [];

/** Looks until it is ended; `draw` is called after each look with all of them. */
export async function follow(draw, failed) {
  let isOver = false;
  const look = async () => {
    const [insights, metrics] = await Promise.all([administer("GET", "insights"), administer("GET", "metrics")]);
    if (isOver) return;
    forgetOld(insights);
    looks.push({ at: Date.now(), insights, ...counted(insights), errors: errorsOf(readMetrics(metrics)) });
    // The newest answer is shown as it is; of older ones the counts are enough.
    if (looks.length > 1) delete looks.at(-2).insights;
    if (looks.length > LOOKS_MAX) looks.shift();
    draw(looks);
  };
  let timer = null;
  // The next look comes after the answer to this one, however long that takes.
  const goOn = async () => {
    await look().catch((error) => isOver || failed(error));
    if (!isOver) timer = setTimeout(goOn, PAUSE);
  };
  await look();
  timer = setTimeout(goOn, PAUSE);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/**
 * What was before a gap is no history, nor is what was counted of a model or a server that began
 * anew.
 */
function forgetOld(insights) {
  const before = looks.at(-1);
  if (before && Date.now() - before.at > GAP) looks.length = 0;
  const isYounger = ({ name, seconds }) => seconds < (before?.ages.get(name) ?? 0);
  if ((insights.models ?? []).some(isYounger)) looks.length = 0;
}

/** The counts of patterns and keys by what they are of. */
function counted({ models = [], tables = [] }) {
  const patterns = new Map();
  const keys = new Map();
  for (const model of models) {
    for (const pattern of rowsOf(model)) patterns.set(pattern.id, pattern.requests);
  }
  for (const { target, measure, list } of keyLists(models, tables)) {
    const counts = list.filter(({ key }) => key !== null).map(({ key, count }) => [key, count]);
    keys.set(`${measure} ${target}`, { counts: new Map(counts), floor: floorOf(list) });
  }
  return { patterns, keys, ages: new Map(models.map(({ name, seconds }) => [name, seconds])) };
}

/**
 * The count that a key may have without being listed: a full list leaves out whatever is not above
 * the least of it.
 */
function floorOf(list) {
  return list.length < LISTED_MAX ? 0 : Math.min(...list.map(({ count }) => count));
}

/** The patterns of a model, and what is of none or of several. */
export function rowsOf(model) {
  const all = [
    ...model.patterns,
    { ...model.undecided, name: "of several patterns", isOther: true },
    { ...model.unmatched, name: "of no pattern", isOther: true },
  ];
  return all.map((pattern) => ({ ...pattern, model: model.name, id: `${model.name} ${pattern.name}` }));
}

/** The lists of keys, of tables with a model and of those with Contributor Insights. */
function keyLists(models, tables) {
  const all = [...models.flatMap((model) => model.tables), ...tables];
  return all.flatMap(({ name, keys }) =>
    keys.flatMap(({ index, mostAccessed, mostThrottled }) => [
      { target: targetOf(name, index), measure: "accessed", list: mostAccessed },
      { target: targetOf(name, index), measure: "throttled", list: mostThrottled },
    ]),
  );
}

/** A table or index as one text. */
export function targetOf(table, index) {
  return index ? `${table} / ${index}` : table;
}

/** Calls that were refused, by operation, table and error. */
function errorsOf(metrics) {
  const refused = (metrics.get("monotable_requests_total") ?? []).filter(({ labels }) => labels.error);
  return new Map(refused.map(({ labels, value }) => [`${labels.operation} ${labels.table} ${labels.error}`, value]));
}

/**
 * How much a count grew in each interval, oldest first. `read` finds the count in a look, and
 * `floor` what it may have been if the look does not have it: so much is not taken for growth.
 */
export function growths(all, read, floor = () => 0) {
  return all.slice(1).map((look, place) => {
    const before = read(all[place]) ?? floor(all[place]);
    return Math.max(0, (read(look) ?? before) - before);
  });
}

/** The same by the second. */
export function rates(all, read) {
  const seconds = all.slice(1).map((look, place) => Math.max(0.001, (look.at - all[place].at) / 1000));
  return growths(all, read).map((growth, place) => growth / seconds[place]);
}
