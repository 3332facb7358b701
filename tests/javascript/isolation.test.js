// Transfers between accounts: no reader sees half a transaction, and no money is made or lost.
import assert from "node:assert/strict";
import { test } from "node:test";

import { documents } from "./clients.js";
import { createTable, fill, range } from "./tables.js";

const ACCOUNTS = range(4).map((number) => `account-${number}`);
const TOTAL = 400;

async function openAccounts(t) {
  const table = await createTable(t);
  await fill(
    table,
    ACCOUNTS.map((pk) => ({ pk, balance: TOTAL / ACCOUNTS.length })),
  );
  return table;
}

/**
 * Moves an amount, and says whether it went through: the account may be short, or another transfer
 * in the way.
 */
async function transfer(TableName, from, to, amount) {
  const change = (pk, UpdateExpression, more) => ({
    Update: { TableName, Key: { pk }, UpdateExpression,
      ExpressionAttributeValues: { ":a": amount }, ...more },
  });
  const withdrawal = change(from, "SET balance = balance - :a",
    { ConditionExpression: "balance >= :a" });
  try {
    await documents.transactWrite(
      { TransactItems: [withdrawal, change(to, "SET balance = balance + :a")] });
    return true;
  } catch (error) {
    const codes = error.CancellationReasons?.map((reason) => reason.Code) ?? [error.name];
    assert.ok(
      codes.every((code) =>
        ["None", "ConditionalCheckFailed", "TransactionConflict"].includes(code)),
      codes.join(),
    );
    return false;
  }
}

async function transfers(table, worker, count) {
  let done = 0;
  for (const number of range(count)) {
    const from = ACCOUNTS[(worker + number) % 4];
    const to = ACCOUNTS[(worker + number + 1 + (number % 3)) % 4];
    if (await transfer(table, from, to, 10 + ((worker * 7 + number * 3) % 40))) done += 1;
  }
  return done;
}

async function balances(TableName) {
  const { Responses } = await documents.transactGet({
    TransactItems: ACCOUNTS.map((pk) => ({ Get: { TableName, Key: { pk } } })),
  });
  return Responses.map(({ Item }) => Item.balance);
}

function assertWhole(found) {
  assert.equal(
    found.reduce((sum, balance) => sum + balance, 0),
    TOTAL,
    found.join(),
  );
  assert.ok(
    found.every((balance) => balance >= 0),
    found.join(),
  );
}

test("a transactional read never shows half a transfer", async (t) => {
  const table = await openAccounts(t);
  let running = true;
  const reader = (async () => {
    for (let reads = 0; running || reads === 0; reads += 1) {
      try {
        assertWhole(await balances(table));
      } catch (error) {
        // A transfer was in the way: read again.
        if (error.name !== "TransactionCanceledException") throw error;
      }
    }
  })();
  const writing = Promise.all(range(6).map((worker) => transfers(table, worker, 20)));
  const done = await writing.finally(() => (running = false));
  await reader;
  assert.ok(done.some((count) => count > 0));
  assertWhole(await balances(table));
});
