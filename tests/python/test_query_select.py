"""Select and FilterExpression of Query and Scan: what a page shows and counts."""
import pytest

from tables import definitions, fill, index, key_schema

QUERY = {"KeyConditionExpression": "pk = :a", "ExpressionAttributeValues": {":a": {"S": "a"}}}


@pytest.fixture(scope="module")
def filled(client, create_once):
    table = create_once(
        KeySchema=key_schema("pk", "sk"), AttributeDefinitions=definitions(pk="S", sk="N", g="S"),
        GlobalSecondaryIndexes=[index("by-g", "g", "sk", projection="KEYS_ONLY")])
    fill(client, table, [{"pk": "a", "sk": sk, "g": "g", "v": f"v{sk % 3}"} for sk in range(6)])
    return table


def test_count_returns_no_items(client, filled):
    for response in [client.query(TableName=filled, Select="COUNT", **QUERY),
                     client.scan(TableName=filled, Select="COUNT")]:
        assert (response["Count"], response["ScannedCount"]) == (6, 6)
        assert "Items" not in response


def test_count_with_a_filter_counts_what_passes(client, filled):
    response = client.scan(
        TableName=filled, Select="COUNT", FilterExpression="v = :v",
        ExpressionAttributeValues={":v": {"S": "v1"}})
    assert (response["Count"], response["ScannedCount"]) == (2, 6)


def test_specific_attributes_go_with_a_projection(client, filled):
    response = client.query(TableName=filled, Select="SPECIFIC_ATTRIBUTES",
                            ProjectionExpression="v", Limit=1, **QUERY)
    assert response["Items"] == [{"v": {"S": "v0"}}]


def test_all_attributes_is_the_default_on_a_table(client, filled):
    whole = client.query(TableName=filled, Select="ALL_ATTRIBUTES", Limit=1, **QUERY)["Items"]
    assert whole == client.query(TableName=filled, Limit=1, **QUERY)["Items"]
    assert whole == [{"pk": {"S": "a"}, "sk": {"N": "0"}, "g": {"S": "g"}, "v": {"S": "v0"}}]


def test_all_projected_attributes_is_the_default_on_an_index(client, filled):
    request = {"IndexName": "by-g", "KeyConditionExpression": "g = :g",
               "ExpressionAttributeValues": {":g": {"S": "g"}},
               "Limit": 1}
    projected = client.query(TableName=filled, Select="ALL_PROJECTED_ATTRIBUTES",
                             **request)["Items"]
    assert projected == client.query(TableName=filled, **request)["Items"]
    assert projected == [{"pk": {"S": "a"}, "sk": {"N": "0"}, "g": {"S": "g"}}]


def test_a_filter_sees_attributes_that_the_projection_drops(client, filled):
    response = client.query(
        TableName=filled, FilterExpression="v = :v", ProjectionExpression="sk",
        KeyConditionExpression="pk = :a",
        ExpressionAttributeValues={":a": {"S": "a"}, ":v": {"S": "v2"}})
    assert response["Items"] == [{"sk": {"N": "2"}}, {"sk": {"N": "5"}}]


def test_a_filter_that_nothing_passes_gives_an_empty_page(client, filled):
    response = client.scan(
        TableName=filled, FilterExpression="attribute_exists(absent) OR v > :v",
        ExpressionAttributeValues={":v": {"S": "z"}})
    assert (response["Items"], response["Count"], response["ScannedCount"]) == ([], 0, 6)
