// Clients of the server under test: typed attribute values, and plain JavaScript values.
import { DynamoDB } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocument } from "@aws-sdk/lib-dynamodb";

const SETTINGS = {
  endpoint: process.env.MONOTABLE_ENDPOINT,
  region: "us-east-1",
  credentials: { accessKeyId: "test", secretAccessKey: "test" },
  // A retry would hide an answer that should not have been given.
  maxAttempts: 1,
};

export function connect(settings) {
  return new DynamoDB({ ...SETTINGS, ...settings });
}

/** A document client that translates values as the given options say. */
export function connectDocuments(translation) {
  return DynamoDBDocument.from(client, translation);
}

export const client = connect();
export const documents = connectDocuments();
