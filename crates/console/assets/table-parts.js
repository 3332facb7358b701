// What several views know about tables.
import { call } from "./client.js";
import { h } from "./dom.js";
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

/** Waits until a table and all its indexes are ready; the table as it is then. */
export async function waitForTable(name) {
  for (let pause = 30; ; pause = Math.min(pause * 2, 2000)) {
    const table = await describe(name);
    const isReady =
      table.TableStatus === "ACTIVE" &&
      allIndexesOf(table).every((index) => (index.IndexStatus ?? "ACTIVE") === "ACTIVE");
    if (isReady) return table;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
