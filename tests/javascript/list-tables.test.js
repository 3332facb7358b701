// ListTables: names in order, by pages.
import assert from "node:assert/strict";
import { test } from "node:test";
import { paginateListTables } from "@aws-sdk/client-dynamodb";

import { client } from "./clients.js";
import { invalid } from "./failures.js";
import { collect, createTable, keyed, range, uniqueName } from "./tables.js";

/**
 * Makes tables whose names sort one after the other, so that a page can start right before them.
 */
async function createInOrder(t, prefix, count) {
  const names = range(count).map((number) => `${prefix}-${number}`);
  for (const TableName of names) await createTable(t, { TableName, ...keyed() });
  return names;
}

test("names come in order after the one to start from", async (t) => {
  const prefix = uniqueName();
  const names = await createInOrder(t, prefix, 3);
  const { TableNames } = await client.listTables({ ExclusiveStartTableName: prefix });
  assert.deepEqual(TableNames.slice(0, 3), names);
  const { TableNames: later } = await client.listTables({ ExclusiveStartTableName: names[0] });
  assert.deepEqual(later.slice(0, 2), names.slice(1));
});

test("a page that is full names its last table", async (t) => {
  const prefix = uniqueName();
  const names = await createInOrder(t, prefix, 3);
  const page = await client.listTables({ ExclusiveStartTableName: prefix, Limit: 2 });
  assert.deepEqual(page.TableNames, names.slice(0, 2));
  assert.equal(page.LastEvaluatedTableName, names[1]);
});

test("the paginator finds every table once", async (t) => {
  const names = await createInOrder(t, uniqueName(), 5);
  const pages = await collect(paginateListTables({ client, pageSize: 2 }, {}));
  const found = pages.flatMap((page) => page.TableNames);
  assert.ok(pages.every((page) => page.TableNames.length <= 2));
  assert.equal(new Set(found).size, found.length);
  assert.deepEqual(
    found.filter((name) => names.includes(name)),
    names,
  );
});

test("a page of no tables or of more than a hundred is refused", async () => {
  const constraint = (value, rule) =>
    `1 validation error detected: Value '${value}' at 'limit' failed to satisfy constraint: Member must have value ${rule}`;
  await invalid(client.listTables({ Limit: 0 }), constraint(0, "greater than or equal to 1"));
  await invalid(client.listTables({ Limit: 101 }), constraint(101, "less than or equal to 100"));
});
