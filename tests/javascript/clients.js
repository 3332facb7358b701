// Clients of the server under test: typed attribute values, and plain JavaScript values.
import http from "node:http";
import { DynamoDB } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocument } from "@aws-sdk/lib-dynamodb";

// The suite runs on the oldest Node.js that these versions of the SDK support, which they would
// mention in every file.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = "true";

export const SETTINGS = {
  endpoint: process.env.MONOTABLE_ENDPOINT,
  region: "us-east-1",
  credentials: { accessKeyId: "test", secretAccessKey: "test" },
  // A retry would hide an answer that should not have been given.
  maxAttempts: 1,
  ...severalServers(),
};

/** Settings for a client of one server, where the endpoint leads to several. */
export const ONE_SERVER = { ...SETTINGS,
  endpoint: process.env.MONOTABLE_ONE_SERVER ?? SETTINGS.endpoint };

// Behind a proxy that hands connections to servers in turn, each request gets to another server.
function severalServers() {
  if (!process.env.MONOTABLE_SEVERAL_SERVERS) return {};
  return { requestHandler: { httpAgent: new http.Agent({ keepAlive: false }) } };
}

export function connect(settings) {
  return new DynamoDB({ ...SETTINGS, ...settings });
}

export function connectToOneServer(settings) {
  return connect({ endpoint: ONE_SERVER.endpoint, ...settings });
}

/**
 * A document client that translates values as the given options say. It has a client of its own
 * because lib-dynamodb keeps the options in the client, so that document clients of one client
 * would share them.
 */
export function connectDocuments(translation) {
  return DynamoDBDocument.from(connect(), translation);
}

export const client = connect();
export const documents = connectDocuments();
