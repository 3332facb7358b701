"""The ARN of a table is accepted wherever its name is."""
import pytest

from tables import describe


@pytest.fixture
def arn(client, table):
    return describe(client, table)["TableArn"]


def test_an_item_is_written_and_read_by_arn(client, arn, table):
    client.put_item(TableName=arn, Item={"pk": {"S": "a"}, "n": {"N": "1"}})
    client.update_item(
        TableName=arn, Key={"pk": {"S": "a"}}, UpdateExpression="ADD n :n",
        ExpressionAttributeValues={":n": {"N": "1"}})
    item = {"pk": {"S": "a"}, "n": {"N": "2"}}
    assert client.get_item(TableName=table, Key={"pk": {"S": "a"}})["Item"] == item
    assert client.get_item(TableName=arn, Key={"pk": {"S": "a"}})["Item"] == item
    assert client.query(
        TableName=arn, KeyConditionExpression="pk = :a",
        ExpressionAttributeValues={":a": {"S": "a"}})["Items"] == [item]
    assert client.scan(TableName=arn)["Items"] == [item]
    client.delete_item(TableName=arn, Key={"pk": {"S": "a"}})
    assert client.scan(TableName=table)["Items"] == []


def test_transactions_take_arns(client, arn, table):
    client.transact_write_items(
        TransactItems=[{"Put": {"TableName": arn, "Item": {"pk": {"S": "a"}}}}])
    response = client.transact_get_items(
        TransactItems=[{"Get": {"TableName": arn, "Key": {"pk": {"S": "a"}}}}])
    assert response["Responses"] == [{"Item": {"pk": {"S": "a"}}}]


def test_a_batch_answers_under_the_name_it_was_asked_by(client, arn):
    client.batch_write_item(RequestItems={arn: [{"PutRequest": {"Item": {"pk": {"S": "a"}}}}]})
    response = client.batch_get_item(RequestItems={arn: {"Keys": [{"pk": {"S": "a"}}]}})
    assert response["Responses"] == {arn: [{"pk": {"S": "a"}}]}


def test_a_table_is_described_and_deleted_by_arn(client, arn, table):
    assert describe(client, arn)["TableName"] == table
    client.delete_table(TableName=arn)
    client.get_waiter("table_not_exists").wait(TableName=table, WaiterConfig={"Delay": 1})


def test_the_arn_of_no_table_is_not_found(client, arn):
    with pytest.raises(client.exceptions.ResourceNotFoundException):
        client.get_item(TableName=arn + "-other", Key={"pk": {"S": "a"}})
