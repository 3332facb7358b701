// AWS's Signature Version 4, made with the browser's own cryptography.

const ALGORITHM = "AWS4-HMAC-SHA256";
const SERVICE = "dynamodb";

/** The headers that prove who sends a request. Its query has one parameter at most. */
export async function sign({ method, path, headers, body }, { accessKeyId, secretAccessKey, sessionToken, region }) {
  const moment = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
  const day = moment.slice(0, 8);
  const signed = { ...headers, host: location.host, "x-amz-date": moment };
  if (sessionToken) signed["x-amz-security-token"] = sessionToken;
  const names = Object.keys(signed).sort();
  const [address, query = ""] = path.split("?");
  const canonical = [
    method,
    address,
    query,
    ...names.map((name) => `${name}:${signed[name].trim()}`),
    "",
    names.join(";"),
    hex(await digest(body)),
  ].join("\n");
  const scope = `${day}/${region}/${SERVICE}/aws4_request`;
  const text = [ALGORITHM, moment, scope, hex(await digest(canonical))].join("\n");
  let key = new TextEncoder().encode(`AWS4${secretAccessKey}`);
  for (const part of [day, region, SERVICE, "aws4_request"]) key = await mac(key, part);
  const signature = hex(await mac(key, text));
  const sent = { ...signed };
  delete sent.host;
  const credential = `${accessKeyId}/${scope}`;
  sent.authorization = `${ALGORITHM} Credential=${credential}, SignedHeaders=${names.join(";")}, Signature=${signature}`;
  return sent;
}

function subtle() {
  if (!globalThis.crypto?.subtle) {
    throw new Error("this browser signs requests only on https or on this machine itself; start the server with --tls");
  }
  return globalThis.crypto.subtle;
}

function digest(text) {
  return subtle().digest("SHA-256", new TextEncoder().encode(text));
}

async function mac(key, text) {
  const usage = { name: "HMAC", hash: "SHA-256" };
  const imported = await subtle().importKey("raw", key, usage, false, ["sign"]);
  return subtle().sign("HMAC", imported, new TextEncoder().encode(text));
}

function hex(buffer) {
  return [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
