"""A new deal becomes a message to everyone who watches its brand."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
from boto3.dynamodb.conditions import Key
from sandbox import eventually, sandbox

NEW_DEALS = '{"eventName":["INSERT"],"dynamodb":{"Keys":{"pk":{"S":[{"prefix":"DEAL#"}]}}}}'

with sandbox() as box:
    deals = box.create_table("deals")

    def inbox(user):
        messages = deals.query(KeyConditionExpression=Key("pk").eq(f"MESSAGES#{user}"),
                               ConsistentRead=True)
        return [message["text"] for message in messages["Items"]]

    for brand, user in [("acme", "amy"), ("acme", "bob"), ("globex", "bob")]:
        deals.put_item(Item={"pk": f"WATCH#{brand}", "sk": f"USER#{user}"})

    with box.trigger("deals", HERE / "handler.py", "--filter", NEW_DEALS):
        deals.put_item(Item={"pk": "DEAL#1", "sk": "DEAL", "brand": "acme", "title": "Anvils"})
        deals.put_item(Item={"pk": "DEAL#2", "sk": "DEAL", "brand": "globex", "title": "Globes"})
        print("amy watches acme:", eventually(lambda: inbox("amy"), ["New deal: Anvils"]))
        both = ["New deal: Anvils", "New deal: Globes"]
        print("bob watches both:", eventually(lambda: inbox("bob"), both))

        # A change of a deal is not a new deal.
        deals.update_item(
            Key={"pk": "DEAL#1", "sk": "DEAL"},
            UpdateExpression="SET title = :title",
            ExpressionAttributeValues={":title": "Anvils, now cheaper"},
        )
        deals.put_item(Item={"pk": "DEAL#3", "sk": "DEAL", "brand": "acme", "title": "Rockets"})
        expected = ["New deal: Anvils", "New deal: Rockets"]
        print("one message a deal:", eventually(lambda: inbox("amy"), expected))
