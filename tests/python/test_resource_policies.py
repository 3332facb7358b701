"""PutResourcePolicy, GetResourcePolicy, DeleteResourcePolicy on tables and streams. The suite of
security has who they let in."""
import json

import pytest

from tables import definitions, key_schema


def policy(*actions):
    statement = {
        "Effect": "Allow",
        "Principal": {"AWS": "111122223333"},
        "Action": list(actions),
        "Resource": "*",
    }
    return json.dumps({"Version": "2012-10-17", "Statement": [statement]}, indent=2)


@pytest.fixture
def arn(client, table):
    return client.describe_table(TableName=table)["Table"]["TableArn"]


def test_a_policy_is_put_read_and_removed(client, arn):
    with pytest.raises(client.exceptions.PolicyNotFoundException):
        client.get_resource_policy(ResourceArn=arn)
    revision = client.put_resource_policy(ResourceArn=arn,
                                          Policy=policy("dynamodb:GetItem"))["RevisionId"]
    answer = client.get_resource_policy(ResourceArn=arn)
    assert answer["RevisionId"] == revision
    statement = json.loads(answer["Policy"])["Statement"][0]
    assert statement["Principal"] == {"AWS": "arn:aws:iam::111122223333:root"}
    assert statement["Action"] == "dynamodb:GetItem"
    assert client.put_resource_policy(ResourceArn=arn,
                                      Policy=answer["Policy"])["RevisionId"] == revision
    assert client.delete_resource_policy(ResourceArn=arn)["RevisionId"] == revision
    with pytest.raises(client.exceptions.PolicyNotFoundException):
        client.get_resource_policy(ResourceArn=arn)


def test_a_revision_that_is_not_the_current_one_is_refused(client, arn):
    old = client.put_resource_policy(ResourceArn=arn,
                                     Policy=policy("dynamodb:GetItem"))["RevisionId"]
    client.put_resource_policy(ResourceArn=arn, Policy=policy("dynamodb:Query"),
                               ExpectedRevisionId=old)
    for expected in [old, "NO_POLICY"]:
        with pytest.raises(client.exceptions.PolicyNotFoundException):
            client.put_resource_policy(
                ResourceArn=arn, Policy=policy("dynamodb:Scan"), ExpectedRevisionId=expected
            )


def test_a_table_can_have_a_policy_from_its_first_moment(client, create):
    table = create(
        KeySchema=key_schema("pk"),
        AttributeDefinitions=definitions(pk="S"),
        ResourcePolicy=policy("dynamodb:GetItem"),
    )
    arn = client.describe_table(TableName=table)["Table"]["TableArn"]
    assert "dynamodb:GetItem" in client.get_resource_policy(ResourceArn=arn)["Policy"]


def test_a_stream_has_a_policy_of_its_own(client, create):
    table = create(
        KeySchema=key_schema("pk"),
        AttributeDefinitions=definitions(pk="S"),
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"},
    )
    described = client.describe_table(TableName=table)["Table"]
    stream = described["LatestStreamArn"]
    client.put_resource_policy(ResourceArn=stream,
                               Policy=policy("dynamodb:GetRecords", "dynamodb:DescribeStream"))
    assert "dynamodb:GetRecords" in client.get_resource_policy(ResourceArn=stream)["Policy"]
    with pytest.raises(client.exceptions.PolicyNotFoundException):
        client.get_resource_policy(ResourceArn=described["TableArn"])
