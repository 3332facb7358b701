"""ProjectionExpression: top-level names, nested paths and list elements."""
import pytest

from tables import string_sorted

ITEM = {
    "pk": {"S": "a"}, "sk": {"S": "b"}, "n": {"N": "1"},
    "doc": {"M": {"x": {"N": "1"}, "y": {"M": {"z": {"N": "2"}, "w": {"N": "3"}}}}},
    "elems": {"L": [{"N": "0"}, {"M": {"x": {"N": "1"}, "y": {"N": "2"}}}, {"N": "2"}]},
}
KEY = {"pk": ITEM["pk"], "sk": ITEM["sk"]}
CASES = [
    ("n", {"n": {"N": "1"}}),
    ("pk, n", {"pk": {"S": "a"}, "n": {"N": "1"}}),
    ("doc.x", {"doc": {"M": {"x": {"N": "1"}}}}),
    ("doc.x, doc.y.z", {"doc": {"M": {"x": {"N": "1"}, "y": {"M": {"z": {"N": "2"}}}}}}),
    ("elems[0], elems[2]", {"elems": {"L": [{"N": "0"}, {"N": "2"}]}}),
    ("elems[1].x", {"elems": {"L": [{"M": {"x": {"N": "1"}}}]}}),
    ("absent", {}),
    ("doc.absent", {}),
    ("n.x", {}),
]


@pytest.fixture(scope="module")
def filled(client, create_once):
    table = create_once(**string_sorted())
    client.put_item(TableName=table, Item=ITEM)
    return table


@pytest.mark.parametrize("expression, expected", CASES)
def test_get_item_returns_the_projected_parts(client, filled, expression, expected):
    response = client.get_item(TableName=filled, Key=KEY, ProjectionExpression=expression)
    assert response["Item"] == expected


@pytest.mark.parametrize("expression, expected", CASES)
def test_query_scan_and_batch_get_return_the_projected_parts(client, filled, expression, expected):
    query = client.query(
        TableName=filled, KeyConditionExpression="pk = :a",
        ExpressionAttributeValues={":a": {"S": "a"}},
        ProjectionExpression=expression)
    scan = client.scan(TableName=filled, ProjectionExpression=expression)
    batch = client.batch_get_item(
        RequestItems={filled: {"Keys": [KEY], "ProjectionExpression": expression}})
    assert query["Items"] == scan["Items"] == batch["Responses"][filled] == [expected]


def test_names_stand_for_reserved_words(client, filled):
    response = client.get_item(
        TableName=filled, Key=KEY, ProjectionExpression="#m.#x, #l[0]",
        ExpressionAttributeNames={"#m": "doc", "#x": "x", "#l": "elems"})
    assert response["Item"] == {"doc": {"M": {"x": {"N": "1"}}}, "elems": {"L": [{"N": "0"}]}}


def test_a_transaction_projects_each_item(client, filled):
    response = client.transact_get_items(TransactItems=[
        {"Get": {"TableName": filled, "Key": KEY, "ProjectionExpression": "n"}}])
    assert response["Responses"] == [{"Item": {"n": {"N": "1"}}}]
