"""Policies of tables: who of another account they let in, and that both accounts must agree."""
import json

import pytest
from botocore.exceptions import ClientError


def policy(effect, principal, action):
    statement = {"Effect": effect, "Principal": principal, "Action": action, "Resource": "*"}
    return json.dumps({"Version": "2012-10-17", "Statement": [statement]})


def test_another_account_reads_what_the_policy_of_the_table_allows(server, table):
    root, stranger = server.client("root"), server.client("stranger")
    arn = root.describe_table(TableName=table)["Table"]["TableArn"]
    key = {"pk": {"S": "alice"}}
    with pytest.raises(ClientError) as denied:
        stranger.get_item(TableName=arn, Key=key)
    assert denied.value.response["Error"]["Code"] == "AccessDeniedException"
    root.put_resource_policy(
        ResourceArn=arn, Policy=policy("Allow", {"AWS": "111122223333"}, "dynamodb:GetItem")
    )
    assert stranger.get_item(TableName=arn, Key=key)["Item"]
    with pytest.raises(ClientError):
        stranger.put_item(TableName=arn, Item=key)
    root.delete_resource_policy(ResourceArn=arn)
    with pytest.raises(ClientError):
        stranger.get_item(TableName=arn, Key=key)


def test_a_deny_of_the_table_wins_over_what_a_user_may(server, table):
    root = server.client("root")
    arn = root.describe_table(TableName=table)["Table"]["TableArn"]
    root.put_resource_policy(ResourceArn=arn, Policy=policy("Deny", "*", "dynamodb:Scan"))
    with pytest.raises(ClientError) as denied:
        root.scan(TableName=table)
    assert "with an explicit deny in a resource-based policy" in str(denied.value)
    root.delete_resource_policy(ResourceArn=arn)
    root.scan(TableName=table)
