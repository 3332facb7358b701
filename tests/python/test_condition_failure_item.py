"""ReturnValuesOnConditionCheckFailure: the item that stood in the way comes with the error."""
import pytest

CALLS = {
    "put": lambda client, table, **more: client.put_item(
        TableName=table, Item={"pk": {"S": "a"}}, **more),
    "update": lambda client, table, **more: client.update_item(
        TableName=table, Key={"pk": {"S": "a"}}, UpdateExpression="REMOVE v", **more),
    "delete": lambda client, table, **more: client.delete_item(
        TableName=table, Key={"pk": {"S": "a"}}, **more),
}
ITEM = {"pk": {"S": "a"}, "v": {"N": "1"}}


def failure(client, call, table, condition, **more):
    with pytest.raises(client.exceptions.ConditionalCheckFailedException) as error:
        call(client, table, ConditionExpression=condition, **more)
    return error.value.response


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
def test_all_old_returns_the_item(client, table, call):
    client.put_item(TableName=table, Item=ITEM)
    response = failure(
        client, call, table, "attribute_not_exists(pk)",
        ReturnValuesOnConditionCheckFailure="ALL_OLD")
    assert response["Item"] == ITEM


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
def test_none_returns_no_item(client, table, call):
    client.put_item(TableName=table, Item=ITEM)
    for more in [{}, {"ReturnValuesOnConditionCheckFailure": "NONE"}]:
        assert "Item" not in failure(client, call, table, "attribute_not_exists(pk)", **more)


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
def test_there_is_no_item_to_return_if_there_was_none(client, table, call):
    response = failure(client, call, table, "attribute_exists(pk)",
                       ReturnValuesOnConditionCheckFailure="ALL_OLD")
    assert "Item" not in response
