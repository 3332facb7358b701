"""CreateTable and DescribeTable: what is asked for is what is described."""
import re

import pytest

from tables import definitions, describe, index, key_schema, string_sorted


def test_a_table_is_described_as_it_was_asked_for(client, create):
    table = create(**string_sorted())
    description = describe(client, table)
    assert description["TableName"] == table
    assert description["TableStatus"] == "ACTIVE"
    assert description["KeySchema"] == key_schema("pk", "sk")
    assert description["AttributeDefinitions"] == definitions(pk="S", sk="S")
    assert description["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"
    assert description["ProvisionedThroughput"]["ReadCapacityUnits"] == 0
    assert description["ItemCount"] == 0
    assert description["TableSizeBytes"] == 0
    assert description["DeletionProtectionEnabled"] is False


def test_the_response_to_create_table_has_the_status_creating(client, create, name):
    create(TableName=name + "-a", **string_sorted())
    response = client.create_table(TableName=name, BillingMode="PAY_PER_REQUEST", **string_sorted())
    assert response["TableDescription"]["TableStatus"] == "CREATING"
    client.get_waiter("table_exists").wait(TableName=name)
    client.delete_table(TableName=name)


def test_the_table_id_and_arn_do_not_change(client, name):
    created = client.create_table(TableName=name, BillingMode="PAY_PER_REQUEST",
                                  **string_sorted())["TableDescription"]
    client.get_waiter("table_exists").wait(TableName=name)
    described = describe(client, name)
    assert created["TableId"] == described["TableId"]
    assert created["TableArn"] == described["TableArn"]
    assert re.fullmatch(rf"arn:aws:dynamodb:us-east-1:\d{{12}}:table/{name}", described["TableArn"])
    assert re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", described["TableId"])
    client.delete_table(TableName=name)


def test_a_provisioned_table_shows_its_throughput(client, create):
    table = create(ProvisionedThroughput={"ReadCapacityUnits": 7, "WriteCapacityUnits": 3},
                   **string_sorted())
    throughput = describe(client, table)["ProvisionedThroughput"]
    assert (throughput["ReadCapacityUnits"], throughput["WriteCapacityUnits"]) == (7, 3)
    assert throughput["NumberOfDecreasesToday"] == 0
    assert "BillingModeSummary" not in describe(client, table)


def test_indexes_are_described_with_their_projection_and_arn(client, create):
    table = create(
        KeySchema=key_schema("pk", "sk"),
        AttributeDefinitions=definitions(pk="S", sk="S", other="N"),
        LocalSecondaryIndexes=[index("local", "pk", "other", projection="KEYS_ONLY")],
        GlobalSecondaryIndexes=[index("global", "other", "pk", include=["a", "b"])])
    description = describe(client, table)
    local, = description["LocalSecondaryIndexes"]
    assert local["KeySchema"] == key_schema("pk", "other")
    assert local["Projection"] == {"ProjectionType": "KEYS_ONLY"}
    assert local["IndexArn"] == f"{description['TableArn']}/index/local"
    global_, = description["GlobalSecondaryIndexes"]
    assert global_["KeySchema"] == key_schema("other", "pk")
    assert global_["Projection"]["ProjectionType"] == "INCLUDE"
    assert sorted(global_["Projection"]["NonKeyAttributes"]) == ["a", "b"]
    assert global_["IndexStatus"] == "ACTIVE"
    assert "Backfilling" not in global_


def test_a_name_in_use_is_refused(client, table):
    with pytest.raises(client.exceptions.ResourceInUseException) as error:
        client.create_table(TableName=table, BillingMode="PAY_PER_REQUEST", **string_sorted())
    assert error.value.response["Error"]["Message"] == f"Table already exists: {table}"


def test_a_table_that_is_not_there_is_named_in_the_error(client, name):
    with pytest.raises(client.exceptions.ResourceNotFoundException) as error:
        client.describe_table(TableName=name)
    assert error.value.response["Error"]["Message"] == (
        f"Requested resource not found: Table: {name} not found")


def test_the_resource_makes_and_loads_a_table(resource, name):
    table = resource.create_table(TableName=name, BillingMode="PAY_PER_REQUEST", **string_sorted())
    table.wait_until_exists()
    table.load()
    assert table.table_status == "ACTIVE"
    assert table.key_schema == key_schema("pk", "sk")
    table.delete()
    table.wait_until_not_exists()
