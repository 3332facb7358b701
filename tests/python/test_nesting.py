"""Documents may be nested 32 levels deep."""
import pytest

TEXT = ("Nesting Levels have exceeded supported limits: "
        "Attributes in the item have nested levels beyond supported limit")


def nested(levels):
    value = {"S": "deepest"}
    for _ in range(levels):
        value = {"M": {"m": value}}
    return value


def nested_list(levels):
    value = {"S": "deepest"}
    for _ in range(levels):
        value = {"L": [value]}
    return value


@pytest.mark.parametrize("make", [nested, nested_list])
def test_31_levels_are_kept(client, table, make):
    item = {"pk": {"S": "a"}, "v": make(31)}
    client.put_item(TableName=table, Item=item)
    assert client.get_item(TableName=table, Key={"pk": {"S": "a"}})["Item"] == item


@pytest.mark.parametrize("call", [
    lambda client, table: client.put_item(TableName=table,
                                          Item={"pk": {"S": "a"}, "v": nested(32)}),
    lambda client, table: client.batch_write_item(
        RequestItems={table: [{"PutRequest": {"Item": {"pk": {"S": "a"}, "v": nested(32)}}}]}),
    lambda client, table: client.transact_write_items(
        TransactItems=[{"Put": {"TableName": table, "Item": {"pk": {"S": "a"}, "v": nested(32)}}}]),
    lambda client, table: client.update_item(
        TableName=table, Key={"pk": {"S": "a"}}, UpdateExpression="SET v = :v",
        ExpressionAttributeValues={":v": nested(32)}),
], ids=["put", "batch", "transaction", "update"])
def test_32_levels_are_refused(client, table, call):
    with pytest.raises(client.exceptions.ClientError) as error:
        call(client, table)
    assert error.value.response["Error"]["Code"] == "ValidationException"
    assert TEXT in error.value.response["Error"]["Message"]


def test_an_update_in_a_transaction_that_would_store_32_levels_cancels_it(client, table):
    client.put_item(TableName=table, Item={"pk": {"S": "a"}, "v": {"M": {}}})
    with pytest.raises(client.exceptions.TransactionCanceledException) as error:
        client.transact_write_items(TransactItems=[{"Update": {
            "TableName": table, "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET v.w = :v",
            "ExpressionAttributeValues": {":v": nested(31)}}}])
    assert error.value.response["CancellationReasons"][0]["Code"] == "ValidationError"


# Observed in eu-west-2 in October 2026: values of 32 to 39 levels are refused up front, also if
# they are only compared.
def test_a_value_to_compare_in_a_transaction_is_no_deeper_than_an_item(client, table):
    with pytest.raises(client.exceptions.ClientError) as error:
        client.transact_write_items(TransactItems=[{"ConditionCheck": {
            "TableName": table, "Key": {"pk": {"S": "a"}}, "ConditionExpression": "v = :v",
            "ExpressionAttributeValues": {":v": nested(38)}}}])
    assert error.value.response["Error"]["Code"] == "ValidationException"
    assert (
        "Nesting Levels have exceeded supported limits"
        in error.value.response["Error"]["Message"])
