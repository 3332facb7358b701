"""A cancelled transaction gives a reason for each action, in order."""
import pytest

from tables import fill

KEY = lambda name: {"pk": {"S": name}}


def cancelled(client, *actions):
    with pytest.raises(client.exceptions.TransactionCanceledException) as error:
        client.transact_write_items(TransactItems=list(actions))
    return error.value.response


@pytest.fixture
def filled(client, table):
    fill(client, table, [{"pk": "there", "n": 1}])
    return table


def test_reasons_are_in_the_order_of_the_actions(client, filled):
    response = cancelled(
        client,
        {"Put": {"TableName": filled, "Item": KEY("a")}},
        {"Put": {"TableName": filled, "Item": KEY("there"),
                 "ConditionExpression": "attribute_not_exists(pk)"}},
        {"Delete": {"TableName": filled, "Key": KEY("b")}},
        {"ConditionCheck": {"TableName": filled, "Key": KEY("absent"),
                            "ConditionExpression": "attribute_exists(pk)"}})
    assert response["Error"]["Message"] == (
        "Transaction cancelled, please refer cancellation reasons for specific reasons "
        "[None, ConditionalCheckFailed, None, ConditionalCheckFailed]")
    failed = {"Code": "ConditionalCheckFailed", "Message": "The conditional request failed"}
    assert response["CancellationReasons"] == [{"Code": "None"}, failed, {"Code": "None"}, failed]


@pytest.mark.parametrize("action", [
    {"Put": {"Item": KEY("there")}},
    {"Update": {"Key": KEY("there"), "UpdateExpression": "REMOVE n"}},
    {"Delete": {"Key": KEY("there")}},
    {"ConditionCheck": {"Key": KEY("there")}},
], ids=lambda action: next(iter(action)))
def test_a_reason_carries_the_item_if_asked(client, filled, action):
    (kind, members), = action.items()
    members = members | {"TableName": filled, "ConditionExpression": "attribute_not_exists(pk)"}
    with_item = cancelled(client,
                          {kind: members | {"ReturnValuesOnConditionCheckFailure": "ALL_OLD"}})
    assert with_item["CancellationReasons"][0]["Item"] == {"pk": {"S": "there"}, "n": {"N": "1"}}
    without = cancelled(client, {kind: members | {"ReturnValuesOnConditionCheckFailure": "NONE"}})
    assert "Item" not in without["CancellationReasons"][0]


def test_an_update_that_cannot_be_applied_is_a_validation_error(client, filled):
    client.put_item(TableName=filled, Item=KEY("text") | {"n": {"S": "not a number"}})
    response = cancelled(
        client,
        {"Put": {"TableName": filled, "Item": KEY("a")}},
        {"Update": {"TableName": filled, "Key": KEY("text"), "UpdateExpression": "SET n = n + :one",
                    "ExpressionAttributeValues": {":one": {"N": "1"}}}})
    assert [reason["Code"] for reason in response["CancellationReasons"]] == [
        "None", "ValidationError"]
    assert response["CancellationReasons"][1]["Message"] == (
        "An operand in the update expression has an incorrect data type")


def test_a_put_with_a_key_of_the_wrong_type_is_a_validation_error(client, filled):
    response = cancelled(client, {"Put": {"TableName": filled, "Item": {"pk": {"N": "1"}}}})
    reason, = response["CancellationReasons"]
    assert reason["Code"] == "ValidationError"
    assert reason["Message"].endswith("Type mismatch for key pk expected: S actual: N")


@pytest.mark.parametrize("action", [
    {"Update": {"Key": {"pk": {"N": "1"}}, "UpdateExpression": "REMOVE n"}},
    {"Delete": {"Key": {"pk": {"N": "1"}}}},
    {"ConditionCheck": {"Key": {"pk": {"N": "1"}}, "ConditionExpression": "attribute_exists(n)"}},
], ids=lambda action: next(iter(action)))
def test_a_lookup_key_of_the_wrong_type_is_a_validation_error(client, filled, action):
    (kind, members), = action.items()
    response = cancelled(client, {kind: members | {"TableName": filled}})
    assert response["CancellationReasons"] == [
        {"Code": "ValidationError",
         "Message": "The provided key element does not match the schema"}]


def test_a_read_with_a_wrong_key_is_cancelled_too(client, filled):
    with pytest.raises(client.exceptions.TransactionCanceledException) as error:
        client.transact_get_items(TransactItems=[
            {"Get": {"TableName": filled, "Key": KEY("there")}},
            {"Get": {"TableName": filled, "Key": {"pk": {"N": "1"}}}}])
    assert [reason["Code"] for reason in error.value.response["CancellationReasons"]] == [
        "None", "ValidationError"]
