// Reads one page of what a query means.
import { call } from "./client.js";
import { isPivot, requestOf } from "./query.js";
import { isWrite } from "./statement.js";
import { keysOf } from "./table-parts.js";

/** A page: its items, where the next one begins and the one before ends, and what it cost. */
export async function readPage(table, query) {
  const began = performance.now();
  const page = query.statement ? await statementPage(query) : await queryPage(table, query);
  return { absent: [], previous: "", ...page, millis: performance.now() - began };
}

async function queryPage(table, query) {
  const { operation, request } = requestOf(table, query);
  const reads = [call(operation, request)];
  // An index that is looked at as a whole shows what it lacks, by a page of the table.
  if (isPivot(table, query))
    reads.push(call("Scan", { TableName: table.TableName, Limit: query.limit, ReturnConsumedCapacity: "TOTAL" }));
  const [answer, ofTable] = await Promise.all(reads);
  const keys = keysOf(table, query.index || null).map(({ name }) => name);
  const isQuery = operation === "Query";
  const isBackward = isQuery && query.before !== "";
  const items = isBackward ? [...answer.Items].reverse() : answer.Items;
  const end = answer.LastEvaluatedKey ? JSON.stringify(answer.LastEvaluatedKey) : "";
  const absent = (ofTable?.Items ?? []).filter((item) => keys.some((name) => !Object.hasOwn(item, name)));
  return {
    items,
    absent,
    scanned: answer.ScannedCount,
    next: isBackward ? positionOf(table, query, items.at(-1)) || end : end,
    previous: isBackward ? end : isQuery && query.start ? positionOf(table, query, items[0]) : "",
    units: units(answer) + (ofTable ? units(ofTable) : 0),
  };
}

/**
 * Where an item stands, as a page begins there; empty if a projection hides it, or there is no
 * item.
 */
function positionOf(table, query, item) {
  const keys = [...keysOf(table, query.index || null), ...keysOf(table)].map(({ name }) => name);
  if (!item || keys.some((name) => !Object.hasOwn(item, name))) return "";
  return JSON.stringify(Object.fromEntries(keys.map((name) => [name, item[name]])));
}

async function statementPage(query) {
  const request = { Statement: query.statement, ReturnConsumedCapacity: "TOTAL" };
  if (!isWrite(query.statement)) request.Limit = query.limit;
  if (query.start) request.NextToken = query.start;
  const answer = await call("ExecuteStatement", request);
  const items = answer.Items ?? [];
  return { items, scanned: items.length, next: answer.NextToken ?? "", units: units(answer) };
}

function units(answer) {
  return answer.ConsumedCapacity?.CapacityUnits ?? 0;
}
