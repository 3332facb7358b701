// What several views know about tables.
import { call } from "./client.js";
import { h } from "./dom.js";
import { isDenied } from "./table-names.js";
import { attribute } from "./values.js";

/** The status of a table or an index, coloured. */
export function statusTag(status) {
  return h("span.tag", { class: status === "ACTIVE" ? "good" : "warn" }, status.toLowerCase());
}

/** The keys of a table or an index in a line. */
export function keyText(schema, definitions) {
  const type = (name) => definitions.find((definition) => definition.AttributeName === name)?.AttributeType ?? "";
  return schema.map(({ AttributeName }) => `${AttributeName} ${type(AttributeName)}`).join(", ");
}

/**
 * The attributes of the keys of a table or of one of its indexes, partition key first, with their
 * types.
 */
export function keysOf(table, index = null) {
  const schema = index ? indexOf(table, index)?.KeySchema : table.KeySchema;
  return (schema ?? []).map(({ AttributeName, KeyType }) => ({
    name: AttributeName,
    isPartition: KeyType === "HASH",
    type:
      table.AttributeDefinitions.find((definition) => definition.AttributeName === AttributeName)?.AttributeType ?? "S",
  }));
}

/** The indexes that queries read, with their kind. */
export function indexesOf(table) {
  const of = (list, kind) => (list ?? []).map((index) => ({ ...index, kind }));
  return [...of(table.GlobalSecondaryIndexes, "global"), ...of(table.LocalSecondaryIndexes, "local")];
}

/** All indexes, those that are searched by vectors too. */
export function allIndexesOf(table) {
  return [...indexesOf(table), ...(table.VectorIndexes ?? []).map((index) => ({ ...index, kind: "vector" }))];
}

/** The index of this name. */
export function indexOf(table, name) {
  return indexesOf(table).find((index) => index.IndexName === name);
}

/** The key of an item in its table. */
export function keyOf(table, item) {
  return Object.fromEntries(keysOf(table).map(({ name }) => [name, attribute(item, name)]));
}

/** Describes a table. */
export async function describe(name) {
  return (await call("DescribeTable", { TableName: name })).Table;
}

/** Whether a table takes changes of its settings. */
export function isReady(table) {
  return table.TableStatus === "ACTIVE";
}

/** Whether a table and all its indexes are ready, so that nothing changes by itself. */
export function isSettled(table) {
  return isReady(table) && allIndexesOf(table).every((index) => (index.IndexStatus ?? "ACTIVE") === "ACTIVE");
}

/**
 * A table with its time to live. The service does not tell the latter while the table is made or
 * deleted, and a key may not be allowed to see it: then `expiry.why` says so.
 */
export async function settingsOf(name) {
  const table = await describe(name);
  if (!["ACTIVE", "UPDATING"].includes(table.TableStatus)) {
    return { table, expiry: { why: `The table is ${table.TableStatus.toLowerCase()}.` } };
  }
  const expiry = await call("DescribeTimeToLive", { TableName: name })
    .then((answer) => answer.TimeToLiveDescription)
    .catch((error) => (isDenied(error) ? { why: `This key may not see it: ${error.message}` } : Promise.reject(error)));
  return { table, expiry };
}

/** Whether nothing of what is shown changes by itself. */
export function isDone({ table, expiry }) {
  return isSettled(table) && !expiry.TimeToLiveStatus?.endsWith("ING");
}

/** Waits until a table and all its indexes are ready; the table as it is then. */
export async function waitForTable(name) {
  for (let pause = 30; ; pause = Math.min(pause * 2, 2000)) {
    const table = await describe(name);
    if (isSettled(table)) return table;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
