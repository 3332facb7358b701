// What a refused call must look like.
import assert from "node:assert/strict";

/** Waits for the call to fail, checks the error's name and message, and returns the error. */
export async function refused(call, name, message) {
  const error = await failure(call);
  assert.equal(error.name, name, error.message);
  if (message !== undefined) assert.equal(error.message, message);
  return error;
}

/** The same for the error that most refusals are. */
export function invalid(call, message) {
  return refused(call, "ValidationException", message);
}

async function failure(call) {
  try {
    await call;
  } catch (error) {
    return error;
  }
  return assert.fail("the call was not refused");
}
