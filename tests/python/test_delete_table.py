"""DeleteTable: the table goes, with its items, and its name can be used again."""
import pytest

from tables import definitions, describe, key_schema, wait_active

SCHEMA = {"KeySchema": key_schema("pk"), "AttributeDefinitions": definitions(pk="S"),
          "BillingMode": "PAY_PER_REQUEST"}


def test_the_response_has_the_status_deleting(client, table):
    assert client.delete_table(TableName=table)["TableDescription"]["TableStatus"] == "DELETING"


def test_the_waiter_sees_the_table_go(client, table):
    client.delete_table(TableName=table)
    client.get_waiter("table_not_exists").wait(TableName=table, WaiterConfig={"Delay": 1})
    assert table not in client.list_tables()["TableNames"]
    with pytest.raises(client.exceptions.ResourceNotFoundException):
        client.describe_table(TableName=table)


def test_a_table_made_again_under_the_name_is_another_and_empty(client, create, name):
    create(TableName=name, **SCHEMA)
    first = describe(client, name)
    client.put_item(TableName=name, Item={"pk": {"S": "a"}})
    client.delete_table(TableName=name)
    client.get_waiter("table_not_exists").wait(TableName=name, WaiterConfig={"Delay": 1})
    client.create_table(TableName=name, **SCHEMA)
    wait_active(client, name)
    assert describe(client, name)["TableId"] != first["TableId"]
    assert client.scan(TableName=name)["Items"] == []


def test_a_table_that_is_not_there_cannot_be_deleted(client, name):
    with pytest.raises(client.exceptions.ResourceNotFoundException) as error:
        client.delete_table(TableName=name)
    assert error.value.response["Error"]["Message"] == (
        f"Requested resource not found: Table: {name} not found")


@pytest.mark.parametrize("call", [
    lambda client, name: client.put_item(TableName=name, Item={"pk": {"S": "a"}}),
    lambda client, name: client.get_item(TableName=name, Key={"pk": {"S": "a"}}),
    lambda client, name: client.scan(TableName=name),
    lambda client, name: client.batch_get_item(RequestItems={name: {"Keys": [{"pk": {"S": "a"}}]}}),
], ids=["put", "get", "scan", "batch get"])
def test_items_of_a_table_that_is_not_there_are_not_found(client, name, call):
    with pytest.raises(client.exceptions.ResourceNotFoundException) as error:
        call(client, name)
    assert error.value.response["Error"]["Message"] == "Requested resource not found"
