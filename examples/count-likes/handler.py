"""Counts likes on their posts, each exactly once."""

import json
import sys
import time

import boto3
from botocore.exceptions import ClientError

client = boto3.client("dynamodb")
DAY_SECS = 24 * 60 * 60


def handler(event, context):
    for record in event["Records"]:
        count(record)


def count(record):
    change = {"INSERT": 1, "REMOVE": -1}.get(record["eventName"])
    if change is None:
        return
    noted = {
        "pk": {"S": f"COUNTED#{record['eventID']}"},
        "sk": {"S": "COUNTED"},
        "expires": {"N": str(int(time.time()) + 2 * DAY_SECS)},
    }
    post = {"pk": record["dynamodb"]["Keys"]["pk"], "sk": {"S": "POST"}}
    try:
        client.transact_write_items(TransactItems=[
            {"Put": {
                "TableName": "blog", "Item": noted,
                "ConditionExpression": "attribute_not_exists(pk)",
            }},
            {"Update": {
                "TableName": "blog", "Key": post, "UpdateExpression": "ADD likes :change",
                "ExpressionAttributeValues": {":change": {"N": str(change)}},
            }},
        ])
    except ClientError as error:
        # The record came before, and was counted then.
        if error.response["Error"]["Code"] != "TransactionCanceledException":
            raise
        if error.response["CancellationReasons"][0]["Code"] != "ConditionalCheckFailed":
            raise


if __name__ == "__main__":
    handler(json.load(sys.stdin), None)
