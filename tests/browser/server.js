// A server under test, started for a file of tests.
import { spawn } from "node:child_process";
import http from "node:http";
import readline from "node:readline";

/** Starts `monotable serve` in memory with more flags; resolves once it listens. */
export function start(...flags) {
  return serve("--in-memory", ...flags);
}

/** Starts `monotable serve` with its files in a folder. */
export function startOn(folder, ...flags) {
  return serve("--data", folder, ...flags);
}

async function serve(...flags) {
  const all = ["serve", "--port", "0", ...flags];
  const child = spawn(process.env.MONOTABLE_BINARY, all, { stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of readline.createInterface({ input: child.stdout })) {
    const listening = /listening on (?:\x1b\[[0-9;]*m)*(https?:\/\/[^\s\x1b]+)/.exec(line);
    if (listening) {
      return { endpoint: listening[1], port: new URL(listening[1]).port, stop: () => child.kill() };
    }
  }
  throw new Error("the server ended before it listened");
}

/** Serves one page at every path, as another site would; resolves with its origin. */
export function site(html) {
  return new Promise((resolve) => {
    const server = http.createServer((_, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.end(html);
    });
    server.listen(0, "127.0.0.1", () => {
      resolve({ origin: `http://127.0.0.1:${server.address().port}`, stop: () => server.close() });
    });
  });
}

/** Calls an operation as a program would, which is no page. */
export async function call(endpoint, operation, request) {
  const url = new URL(endpoint);
  const body = JSON.stringify(request);
  const headers = {
    "content-type": "application/x-amz-json-1.0",
    "x-amz-target": `DynamoDB_20120810.${operation}`,
    "content-length": Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const options = { host: url.hostname, port: url.port, method: "POST", headers };
    const sent = http.request(options, (response) => {
      let text = "";
      response.on("data", (piece) => (text += piece));
      response.on("end", () => resolve({ status: response.statusCode, body: JSON.parse(text) }));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
