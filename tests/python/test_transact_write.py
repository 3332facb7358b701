"""TransactWriteItems: all four kinds of action, all of them or none."""
import pytest

from tables import definitions, fill, index, key_schema, untyped

KEY = lambda name: {"pk": {"S": name}}


def test_all_four_kinds_work_together(client, table, string_table):
    fill(client, table, [{"pk": "update", "n": 1}, {"pk": "delete"}, {"pk": "check", "n": 5}])
    client.transact_write_items(TransactItems=[
        {"Put": {"TableName": string_table, "Item": {"pk": {"S": "a"}, "sk": {"S": "b"}}}},
        {"Update": {"TableName": table, "Key": KEY("update"),
                    "UpdateExpression": "SET n = n + :one",
                    "ExpressionAttributeValues": {":one": {"N": "1"}}}},
        {"Delete": {"TableName": table, "Key": KEY("delete")}},
        {"ConditionCheck": {"TableName": table, "Key": KEY("check"),
                            "ConditionExpression": "n = :five",
                            "ExpressionAttributeValues": {":five": {"N": "5"}}}},
    ])
    items = {item["pk"]["S"]: untyped(item) for item in client.scan(TableName=table)["Items"]}
    assert items == {"update": {"pk": "update", "n": 2}, "check": {"pk": "check", "n": 5}}
    assert client.scan(TableName=string_table)["Count"] == 1


def test_a_failed_condition_undoes_everything(client, table):
    fill(client, table, [{"pk": "a", "n": 1}])
    with pytest.raises(client.exceptions.TransactionCanceledException):
        client.transact_write_items(TransactItems=[
            {"Put": {"TableName": table, "Item": KEY("new")}},
            {"Update": {"TableName": table, "Key": KEY("a"), "UpdateExpression": "SET n = :n",
                        "ExpressionAttributeValues": {":n": {"N": "2"}}}},
            {"Put": {"TableName": table, "Item": KEY("other"),
                     "ConditionExpression": "attribute_exists(pk)"}},
        ])
    assert [untyped(item) for item in client.scan(TableName=table)["Items"]] == [
        {"pk": "a", "n": 1}]


def test_100_actions_are_one_transaction(client, table):
    client.transact_write_items(TransactItems=[
        {"Put": {"TableName": table, "Item": KEY(f"k{number}")}} for number in range(100)])
    assert client.scan(TableName=table)["Count"] == 100


def test_indexes_change_with_the_transaction(client, create):
    table = create(
        KeySchema=key_schema("pk"), AttributeDefinitions=definitions(pk="S", g="S"),
        GlobalSecondaryIndexes=[index("by-g", "g")])
    fill(client, table, [{"pk": "a", "g": "x"}, {"pk": "b", "g": "x"}])
    move = {"Update": {"TableName": table, "Key": KEY("a"), "UpdateExpression": "SET g = :y",
                       "ExpressionAttributeValues": {":y": {"S": "y"}}}}
    entries = lambda: {(item["g"]["S"], item["pk"]["S"])
                       for item in client.scan(TableName=table, IndexName="by-g")["Items"]}
    with pytest.raises(client.exceptions.TransactionCanceledException):
        client.transact_write_items(TransactItems=[
            move, {"Delete": {"TableName": table, "Key": KEY("b"), "ConditionExpression": "g = :z",
                              "ExpressionAttributeValues": {":z": {"S": "z"}}}}])
    assert entries() == {("x", "a"), ("x", "b")}
    client.transact_write_items(
        TransactItems=[move, {"Delete": {"TableName": table, "Key": KEY("b")}}])
    assert entries() == {("y", "a")}


def test_an_update_in_a_transaction_makes_the_item(client, table):
    client.transact_write_items(TransactItems=[{"Update": {
        "TableName": table, "Key": KEY("a"),
        "UpdateExpression": "ADD n :n SET #s = if_not_exists(#s, :s)",
        "ExpressionAttributeNames": {"#s": "state"},
        "ExpressionAttributeValues": {":n": {"N": "3"}, ":s": {"S": "new"}}}}])
    assert client.get_item(TableName=table, Key=KEY("a"))["Item"] == KEY("a") | {
        "n": {"N": "3"}, "state": {"S": "new"}}


def test_a_transaction_over_4_megabytes_is_refused(client, table):
    actions = [
        {"Put": {"TableName": table, "Item": KEY(f"k{number}") | {"v": {"S": "x" * 400_000}}}}
        for number in range(11)]
    with pytest.raises(client.exceptions.ClientError) as error:
        client.transact_write_items(TransactItems=actions)
    assert error.value.response["Error"]["Code"] == "ValidationException"
    client.transact_write_items(TransactItems=actions[:10])
    assert client.scan(TableName=table, Select="COUNT")["Count"] >= 2


def test_the_client_of_a_resource_transacts_with_python_values(resource, table):
    client = resource.meta.client
    client.transact_write_items(TransactItems=[
        {"Put": {"TableName": table, "Item": {"pk": "a", "n": 1}}},
        {"Put": {"TableName": table, "Item": {"pk": "b", "n": 2}}}])
    response = client.transact_get_items(TransactItems=[
        {"Get": {"TableName": table, "Key": {"pk": "a"}}},
        {"Get": {"TableName": table, "Key": {"pk": "b"}}}])
    assert [found["Item"]["n"] for found in response["Responses"]] == [1, 2]
