"""Writes a message to everyone who watches the brand of a new deal."""

import json
import sys

import boto3
from boto3.dynamodb.conditions import Key
from botocore.exceptions import ClientError

table = boto3.resource("dynamodb").Table("deals")


def handler(event, context):
    for record in event["Records"]:
        deal = record["dynamodb"]["NewImage"]
        for user in watchers(deal["brand"]["S"]):
            send(user, deal["pk"]["S"].removeprefix("DEAL#"), deal["title"]["S"])


def watchers(brand):
    request = {"KeyConditionExpression": Key("pk").eq(f"WATCH#{brand}")}
    while True:
        page = table.query(**request)
        yield from (item["sk"].removeprefix("USER#") for item in page["Items"])
        if "LastEvaluatedKey" not in page:
            return
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]


def send(user, deal_id, title):
    message = {
        "pk": f"MESSAGES#{user}", "sk": f"MESSAGE#{deal_id}", "text": f"New deal: {title}",
        "unread": True,
    }
    try:
        table.put_item(Item=message, ConditionExpression="attribute_not_exists(pk)")
    except ClientError as error:
        # The message is there already, and may have been read since.
        if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
            raise


if __name__ == "__main__":
    handler(json.load(sys.stdin), None)
