"""The parameters from before expressions: Expected, AttributeUpdates, KeyConditions, filters and
AttributesToGet."""
import pytest

from tables import fill, number_sorted, sort_keys

KEY = {"pk": {"S": "a"}, "sk": {"N": "1"}}


def condition(operator, *values):
    return {"ComparisonOperator": operator, "AttributeValueList": list(values)}


@pytest.fixture
def filled(client, create):
    table = create(**number_sorted())
    fill(client, table, [{"pk": "a", "sk": sk, "n": sk * 10, "s": f"text{sk}"} for sk in range(5)])
    return table


@pytest.mark.parametrize("expected", [
    {"n": {"Value": {"N": "10"}}},
    {"absent": {"Exists": False}},
    {"n": condition("EQ", {"N": "10"})},
    {"n": condition("NE", {"N": "11"})},
    {"n": condition("GT", {"N": "9"}), "s": condition("BEGINS_WITH", {"S": "text"})},
    {"n": condition("BETWEEN", {"N": "1"}, {"N": "10"})},
    {"n": condition("IN", {"N": "1"}, {"N": "10"})},
    {"s": condition("CONTAINS", {"S": "xt"})},
    {"s": condition("NOT_CONTAINS", {"S": "zz"})},
    {"absent": {"ComparisonOperator": "NULL"}, "n": {"ComparisonOperator": "NOT_NULL"}},
])
def test_what_is_expected_lets_the_write_through(client, filled, expected):
    client.put_item(TableName=filled, Item=KEY, Expected=expected)


@pytest.mark.parametrize("expected", [
    {"n": {"Value": {"N": "11"}}}, {"n": {"Exists": False}}, {"n": condition("LT", {"N": "10"})},
    {"n": condition("EQ", {"N": "10"}), "s": condition("EQ", {"S": "other"})},
])
def test_what_is_not_expected_stops_the_write(client, filled, expected):
    with pytest.raises(client.exceptions.ConditionalCheckFailedException):
        client.delete_item(TableName=filled, Key=KEY, Expected=expected)


def test_one_of_several_expectations_is_enough_with_or(client, filled):
    expected = {"n": condition("EQ", {"N": "99"}), "s": condition("EQ", {"S": "text1"})}
    with pytest.raises(client.exceptions.ConditionalCheckFailedException):
        client.put_item(TableName=filled, Item=KEY, Expected=expected, ConditionalOperator="AND")
    client.put_item(TableName=filled, Item=KEY, Expected=expected, ConditionalOperator="OR")


def test_attribute_updates_put_add_and_delete(client, filled):
    response = client.update_item(TableName=filled, Key=KEY, ReturnValues="ALL_NEW",
                                  AttributeUpdates={
        "n": {"Action": "ADD", "Value": {"N": "5"}},
        "s": {"Action": "DELETE"},
        "new": {"Action": "PUT", "Value": {"S": "x"}},
        "set": {"Action": "ADD", "Value": {"SS": ["y"]}},
    })
    assert response["Attributes"] == KEY | {"n": {"N": "15"}, "new": {"S": "x"},
                                            "set": {"SS": ["y"]}}


@pytest.mark.parametrize("operator, values, expected", [
    ("EQ", [2], [2]), ("LT", [2], [0, 1]), ("LE", [2], [0, 1, 2]), ("GT", [3], [4]),
    ("GE", [3], [3, 4]),
    ("BETWEEN", [1, 3], [1, 2, 3]),
])
def test_key_conditions_select_a_range(client, filled, operator, values, expected):
    response = client.query(TableName=filled, KeyConditions={
        "pk": condition("EQ", {"S": "a"}),
        "sk": condition(operator, *({"N": str(value)} for value in values))})
    assert sort_keys(response) == expected


def test_filters_of_query_and_scan_drop_items(client, filled):
    keep = {"n": condition("GE", {"N": "20"}), "s": condition("NE", {"S": "text4"})}
    query = client.query(TableName=filled, KeyConditions={"pk": condition("EQ", {"S": "a"})},
                         QueryFilter=keep)
    scan = client.scan(TableName=filled, ScanFilter=keep)
    assert sort_keys(query) == sort_keys(scan) == [2, 3]
    assert query["ScannedCount"] == scan["ScannedCount"] == 5
    either = client.scan(TableName=filled, ScanFilter=keep, ConditionalOperator="OR")
    assert either["Count"] == 5


def test_attributes_to_get_are_the_only_ones_returned(client, filled):
    wanted = {"AttributesToGet": ["n", "absent"]}
    assert client.get_item(TableName=filled, Key=KEY, **wanted)["Item"] == {"n": {"N": "10"}}
    assert client.scan(TableName=filled, Limit=1, **wanted)["Items"] == [{"n": {"N": "0"}}]
    batch = client.batch_get_item(RequestItems={filled: {"Keys": [KEY], **wanted}})
    assert batch["Responses"][filled] == [{"n": {"N": "10"}}]
