"""How boto3 takes calls that fail on purpose, and what the guide shows of it.

Faults are set at one server, and only its own calls meet them: so that is where all calls go.
"""
import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import (
    ClientError, ConnectionClosedError, EndpointConnectionError, HTTPClientError)

from conftest import SETTINGS, connect
from faults import Faults

PROVISIONED = {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}


@pytest.fixture(scope="module")
def client(one_server):
    return connect(boto3.client, one_server)


@pytest.fixture
def faults(one_server):
    """Lets calls fail until the test ends."""
    faults = Faults(one_server)
    yield faults
    faults.clear()


@pytest.fixture
def patient(one_server):
    """A client that tries four times."""
    config = Config(retries={"mode": "standard", "total_max_attempts": 4})
    return boto3.client("dynamodb", endpoint_url=one_server, config=config, **SETTINGS)


def test_a_throttled_put_succeeds_in_the_end(patient, faults, table):
    faults.set({"kind": "throttle", "table": table, "operation": "PutItem", "first": 2})

    patient.put_item(TableName=table, Item={"pk": {"S": "order#1"}})

    assert faults.hits() == [2]
    assert "Item" in patient.get_item(TableName=table, Key={"pk": {"S": "order#1"}},
                                      ConsistentRead=True)


def write_all(client, table, items):
    """Writes items, and sends what was not processed again."""
    left = {table: [{"PutRequest": {"Item": item}} for item in items]}
    while left:
        left = client.batch_write_item(RequestItems=left)["UnprocessedItems"]


def test_what_is_left_of_a_batch_is_sent_again(client, faults, table):
    faults.set({"kind": "unprocessed", "share": 0.5, "table": table, "first": 2})

    write_all(client, table, [{"pk": {"S": f"order#{n}"}} for n in range(20)])

    assert client.scan(TableName=table, ConsistentRead=True)["Count"] == 20


def test_a_lost_answer_does_not_count_twice(patient, faults, table):
    faults.set({"kind": "error", "when": "after", "table": table, "first": 1})
    once = {"Update": {"TableName": table, "Key": {"pk": {"S": "total"}},
                       "UpdateExpression": "ADD n :one",
                       "ExpressionAttributeValues": {":one": {"N": "1"}}}}

    patient.transact_write_items(TransactItems=[once], ClientRequestToken="payment-17")

    item = patient.get_item(TableName=table, Key={"pk": {"S": "total"}},
                            ConsistentRead=True)["Item"]
    assert item["n"] == {"N": "1"}


def test_a_dropped_connection_is_tried_again(patient, client, faults, table):
    faults.set({"kind": "drop", "table": table, "operation": "PutItem", "first": 1})
    patient.put_item(TableName=table, Item={"pk": {"S": "a"}})
    assert faults.hits() == [1]
    faults.set({"kind": "drop", "when": "after", "table": table, "operation": "PutItem",
                "first": 1})
    with pytest.raises((ConnectionClosedError, EndpointConnectionError, HTTPClientError)):
        client.put_item(TableName=table, Item={"pk": {"S": "b"}})
    assert "Item" in client.get_item(TableName=table, Key={"pk": {"S": "b"}}, ConsistentRead=True)


def test_a_throttle_names_its_reason_and_resource(client, faults, create):
    table = create(KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
                   AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
                   ProvisionedThroughput=PROVISIONED)
    faults.set(f"throttle table={table}")
    with pytest.raises(client.exceptions.ProvisionedThroughputExceededException) as failed:
        client.put_item(TableName=table, Item={"pk": {"S": "a"}})
    assert failed.value.response["ThrottlingReasons"] == [{
        "reason": "TableWriteProvisionedThroughputExceeded",
        "resource": f"arn:aws:dynamodb:us-east-1:000000000000:table/{table}",
    }]


def test_an_on_demand_table_is_throttled_with_reasons(client, faults, table):
    faults.set(f"throttle table={table} limit=key-range")
    with pytest.raises(ClientError) as failed:
        client.get_item(TableName=table, Key={"pk": {"S": "a"}})
    assert failed.value.response["Error"]["Code"] == "ThrottlingException"
    assert failed.value.response["throttlingReasons"][0]["reason"] == (
        "TableReadKeyRangeThroughputExceeded")


def test_a_conflict_is_the_exception_of_the_model(client, faults, table):
    faults.set(f"conflict table={table}")
    with pytest.raises(client.exceptions.TransactionConflictException):
        client.put_item(TableName=table, Item={"pk": {"S": "a"}})
    put = {"Put": {"TableName": table, "Item": {"pk": {"S": "a"}}}}
    with pytest.raises(client.exceptions.TransactionCanceledException) as failed:
        client.transact_write_items(TransactItems=[put])
    assert failed.value.response["CancellationReasons"][0]["Code"] == "TransactionConflict"


def test_a_transaction_in_progress_is_the_exception_of_the_model(client, faults, table):
    faults.set(f"in-progress table={table}")
    put = {"Put": {"TableName": table, "Item": {"pk": {"S": "a"}}}}
    with pytest.raises(client.exceptions.TransactionInProgressException):
        client.transact_write_items(TransactItems=[put])


def test_a_stale_read_does_not_see_the_last_write(client, faults, table):
    faults.set(f"stale table={table} age=30m")
    client.put_item(TableName=table, Item={"pk": {"S": "a"}})
    key = {"pk": {"S": "a"}}
    assert "Item" not in client.get_item(TableName=table, Key=key)
    assert "Item" in client.get_item(TableName=table, Key=key, ConsistentRead=True)
