"""A tenant sees its own items and no others; support sees two attributes and no more."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import boto3
from botocore.exceptions import ClientError

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
from sandbox import sandbox

POLICIES = {"acme": "tenants.json", "support": "support.json"}


def make_keys(credentials):
    """Makes an administrator's key and one for each user, and gives those of the users their
    policies."""
    keys = {}
    for user in ["root", *POLICIES]:
        policy = "AdministratorAccess" if user == "root" else user
        if user != "root":
            document = HERE / POLICIES[user]
            with open(credentials, "a") as file:
                file.write(f'\n[[policy]]\nname = "{user}"\nfile = "{document}"\n')
        command = ["monotable", "keys", "create", user, "--policy", policy, "--credentials",
                   str(credentials)]
        made = subprocess.run([*command, "--output", "json"], check=True, capture_output=True,
                              text=True)
        keys[user] = json.loads(made.stdout)
    return keys


def client(key):
    return boto3.client(
        "dynamodb",
        aws_access_key_id=key["accessKeyId"],
        aws_secret_access_key=key["secretAccessKey"],
    )


def is_denied(call):
    try:
        call()
    except ClientError as error:
        assert error.response["Error"]["Code"] == "AccessDeniedException", error
        return True
    return False


with tempfile.TemporaryDirectory() as folder:
    credentials = Path(folder) / "keys.toml"
    keys = make_keys(credentials)
    with sandbox("--credentials", str(credentials)) as box:
        root, acme, support = (client(keys[user]) for user in ("root", "acme", "support"))
        root.create_table(
            TableName="Shop",
            BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"}
                                  for name in ("pk", "sk")],
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"},
                       {"AttributeName": "sk", "KeyType": "RANGE"}],
        )
        for tenant in ("acme", "other"):
            order = {"pk": f"TENANT#{tenant}", "sk": "ORDER#1", "name": "Ada",
                     "state": "paid", "card": "4111"}
            root.put_item(TableName="Shop",
                          Item={name: {"S": value} for name, value in order.items()})

        def order(tenant):
            return {"pk": {"S": f"TENANT#{tenant}"}, "sk": {"S": "ORDER#1"}}

        assert acme.get_item(TableName="Shop", Key=order("acme"))["Item"]["card"]["S"] == "4111"
        assert is_denied(lambda: acme.get_item(TableName="Shop", Key=order("other")))
        assert is_denied(lambda: acme.scan(TableName="Shop"))
        print("acme reads its own order, and neither that of another tenant nor the whole table")

        some = {"ProjectionExpression": "#n, #s",
                "ExpressionAttributeNames": {"#n": "name", "#s": "state"}}
        seen = support.get_item(TableName="Shop", Key=order("other"), **some)["Item"]
        assert seen == {"name": {"S": "Ada"}, "state": {"S": "paid"}}, seen
        assert is_denied(lambda: support.get_item(TableName="Shop", Key=order("other")))
        assert is_denied(lambda: support.get_item(TableName="Shop", Key=order("other"),
                                                  ProjectionExpression="card"))
        print("support reads names and states of every tenant, and no card")
