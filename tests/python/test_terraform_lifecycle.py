"""The calls of Terraform's `aws_dynamodb_table`, and of CloudFormation's `AWS::DynamoDB::Table`, in
their order: a table is created, read, changed, read again and deleted. Known from the provider's
source: what it asks after each step."""
import pytest

from tables import definitions, key_schema, wait_active


def read(client, name):
    """What the provider asks to know all about a table; the answers that its state is made of."""
    table = client.describe_table(TableName=name)["Table"]
    arn = table["TableArn"]
    try:
        policy = client.get_resource_policy(ResourceArn=arn)["Policy"]
    except client.exceptions.PolicyNotFoundException:
        policy = None
    return {
        "table": table,
        "backups": client.describe_continuous_backups(
            TableName=name)["ContinuousBackupsDescription"],
        "ttl": client.describe_time_to_live(TableName=name)["TimeToLiveDescription"],
        "tags": {tag["Key"]: tag["Value"]
                 for tag in client.list_tags_of_resource(ResourceArn=arn)["Tags"]},
        "insights": client.describe_contributor_insights(
            TableName=name)["ContributorInsightsStatus"],
        "kinesis": client.describe_kinesis_streaming_destination(
            TableName=name)["KinesisDataStreamDestinations"],
        "policy": policy,
    }


@pytest.fixture
def orders(client, name):
    client.create_table(
        TableName=name,
        KeySchema=key_schema("pk", "sk"),
        AttributeDefinitions=definitions(pk="S", sk="S"),
        BillingMode="PAY_PER_REQUEST",
        TableClass="STANDARD",
        DeletionProtectionEnabled=False,
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
        SSESpecification={"Enabled": True, "SSEType": "KMS"},
        Tags=[{"Key": "Name", "Value": "orders"}],
    )
    wait_active(client, name)
    yield name
    try:
        client.delete_table(TableName=name)
    except client.exceptions.ResourceNotFoundException:
        pass  # the test has deleted it


def test_a_table_is_created_read_changed_and_deleted(client, orders):
    state = read(client, orders)
    assert state["table"]["SSEDescription"]["Status"] == "ENABLED"
    assert state["tags"] == {"Name": "orders"}
    assert state["ttl"] == {"TimeToLiveStatus": "DISABLED"}
    assert state["backups"]["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"] == (
        "DISABLED")
    assert (state["insights"], state["kinesis"], state["policy"]) == ("DISABLED", [], None)

    # One concern at a time, each waited for, as the provider does.
    arn = state["table"]["TableArn"]
    client.update_time_to_live(
        TableName=orders, TimeToLiveSpecification={"Enabled": True, "AttributeName": "expires"}
    )
    for change in [
        {"BillingMode": "PROVISIONED",
         "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}},
        {"TableClass": "STANDARD_INFREQUENT_ACCESS"},
        {"StreamSpecification": {"StreamEnabled": False}},
        {"SSESpecification": {"Enabled": False}},
        {"DeletionProtectionEnabled": True},
    ]:
        client.update_table(TableName=orders, **change)
        wait_active(client, orders)
    client.tag_resource(ResourceArn=arn, Tags=[{"Key": "env", "Value": "test"}])
    client.untag_resource(ResourceArn=arn, TagKeys=["Name"])
    changed = read(client, orders)
    assert changed["table"]["TableClassSummary"]["TableClass"] == "STANDARD_INFREQUENT_ACCESS"
    assert changed["table"]["BillingModeSummary"]["BillingMode"] == "PROVISIONED"
    assert "SSEDescription" not in changed["table"]
    assert "StreamSpecification" not in changed["table"]
    assert changed["tags"] == {"env": "test"}
    assert changed["ttl"]["AttributeName"] == "expires"

    client.update_table(TableName=orders, DeletionProtectionEnabled=False)
    answer = client.delete_table(TableName=orders)["TableDescription"]
    assert answer["TableStatus"] == "DELETING" and "KeySchema" not in answer
    client.get_waiter("table_not_exists").wait(TableName=orders, WaiterConfig={"Delay": 1})
