// Calls of the server: the public API, the questions about models, and what administrators have.
import { sign } from "./signature.js";

const JSON_TYPE = "application/json";
const STREAM_OPERATIONS = new Set(["ListStreams", "DescribeStream", "GetShardIterator", "GetRecords"]);
/** Credentials are kept as long as the tab is open, and no longer. */
const STORED = "monotable.credentials";

/** What the server says to a call that is not signed, or not with a key that it knows. */
const UNSIGNED = ["MissingAuthenticationTokenException", "UnrecognizedClientException", "InvalidSignatureException"];

/** What the server refused, with its own words. */
export class CallError extends Error {
  constructor(status, code, message, body) {
    super(message);
    this.status = status;
    this.code = code;
    this.body = body;
  }
}

/** Whether the server was started with a console that may only look. */
export const isReadOnly = document.querySelector("meta[name=monotable-console]")?.content === "read-only";

let credentials = read();
const listeners = [];

function read() {
  try {
    return JSON.parse(sessionStorage.getItem(STORED)) ?? null;
  } catch {
    return null;
  }
}

/** The credentials that calls are signed with, if any. */
export function currentCredentials() {
  return credentials;
}

/** Signs calls with these credentials from here on; with null, not at all. */
export function useCredentials(given) {
  credentials = given;
  if (given) sessionStorage.setItem(STORED, JSON.stringify(given));
  else sessionStorage.removeItem(STORED);
  for (const listener of listeners) listener();
}

/** Has a listener called whenever calls are signed with other credentials. */
export function onCredentials(listener) {
  listeners.push(listener);
}

/** Whether a call was refused because it was not signed by a key that the server knows. */
export function isUnsigned(error) {
  return error instanceof CallError && UNSIGNED.includes(error.code);
}

/** Whether the server takes no calls until they are signed by a key that it knows. */
export async function wantsKey() {
  try {
    await call("ListTables", { Limit: 1 });
    return false;
  } catch (error) {
    return isUnsigned(error);
  }
}

/** Calls an operation of the API. */
export async function call(operation, request = {}) {
  const service = STREAM_OPERATIONS.has(operation) ? "DynamoDBStreams_20120810" : "DynamoDB_20120810";
  const headers = { "content-type": "application/x-amz-json-1.0", "x-amz-target": `${service}.${operation}` };
  const { status, text } = await send("POST", "/", headers, JSON.stringify(request));
  const body = text ? JSON.parse(text) : {};
  if (status >= 300) {
    const code = (body.__type ?? "").split("#").pop() || `HTTP ${status}`;
    throw new CallError(status, code, body.message ?? body.Message ?? text, body);
  }
  return body;
}

/** Asks about a model. */
export async function ask(question, body) {
  return administer("POST", `console/${question}`, body);
}

/** Uses what is under `/_monotable/`. Answers that are not JSON are given as text. */
export async function administer(method, path, body) {
  const headers = method === "GET" ? {} : { "content-type": JSON_TYPE };
  const sent = body === undefined ? "" : JSON.stringify(body);
  const { status, text, type } = await send(method, `/_monotable/${path}`, headers, sent);
  const answer = type.startsWith(JSON_TYPE) ? JSON.parse(text) : text;
  if (status >= 300 && !(method === "GET" && status === 503)) {
    throw new CallError(status, `HTTP ${status}`, answer.error ?? String(answer), answer);
  }
  return answer;
}

/** A text as a part of an address, written as signatures want it. */
export function encoded(text) {
  return encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}

async function send(method, path, headers, body) {
  const signed = credentials ? await sign({ method, path, headers, body }, credentials) : headers;
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: signed,
      body: method === "GET" ? undefined : body,
      cache: "no-store",
    });
  } catch {
    throw new CallError(0, "Unreachable", "the server does not answer");
  }
  const text = await response.text();
  return { status: response.status, text, type: response.headers.get("content-type") ?? "" };
}

/** Calls an operation that answers in pages, and gives all of them together. */
export async function callAll(operation, request, list, next, start) {
  const all = [];
  let page = { ...request };
  for (;;) {
    const answer = await call(operation, page);
    all.push(...(answer[list] ?? []));
    if (!answer[next]) return all;
    page = { ...request, [start]: answer[next] };
  }
}
