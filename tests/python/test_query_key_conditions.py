"""KeyConditionExpression: every operator on sort keys of each type."""
import pytest
from boto3.dynamodb.conditions import Key

from tables import definitions, fill, key_schema, sort_keys, string_sorted


@pytest.fixture(scope="module")
def numbers(client, create_once):
    table = create_once(KeySchema=key_schema("pk", "sk"),
                        AttributeDefinitions=definitions(pk="S", sk="N"))
    fill(client, table, [{"pk": pk, "sk": sk} for pk in "ab" for sk in range(10)])
    return table


@pytest.fixture(scope="module")
def strings(client, create_once):
    table = create_once(**string_sorted())
    fill(client, table,
         [{"pk": "a", "sk": sk} for sk in ["", "a", "aa", "ab", "abc", "b", "é", "世", "🎉"] if sk])
    return table


@pytest.mark.parametrize("condition, expected", [
    ("pk = :a", list(range(10))),
    ("pk = :a AND sk = :3", [3]),
    ("pk = :a AND sk < :3", [0, 1, 2]),
    ("pk = :a AND sk <= :3", [0, 1, 2, 3]),
    ("pk = :a AND sk > :7", [8, 9]),
    ("pk = :a AND sk >= :7", [7, 8, 9]),
    ("pk = :a AND sk BETWEEN :3 AND :7", [3, 4, 5, 6, 7]),
    ("sk BETWEEN :3 AND :7 AND pk = :a", [3, 4, 5, 6, 7]),
    ("(pk = :a) AND (sk > :7)", [8, 9]),
    ("pk = :a AND :3 = sk", [3]),
    ("pk = :z", []),
    ("pk = :a AND sk = :99", []),
])
def test_a_condition_on_a_number_selects_a_range(client, numbers, condition, expected):
    values = {":a": {"S": "a"}, ":z": {"S": "z"}, ":3": {"N": "3"}, ":7": {"N": "7"},
              ":99": {"N": "99"}}
    response = client.query(
        TableName=numbers, KeyConditionExpression=condition,
        ExpressionAttributeValues={name: value for name, value in values.items()
                                   if name in condition})
    assert sort_keys(response) == expected
    assert response["Count"] == response["ScannedCount"] == len(expected)
    assert "LastEvaluatedKey" not in response


@pytest.mark.parametrize("condition, value, expected", [
    ("begins_with(sk, :v)", "a", ["a", "aa", "ab", "abc"]),
    ("begins_with(sk, :v)", "ab", ["ab", "abc"]),
    ("begins_with(sk, :v)", "x", []),
    ("begins_with(sk, :v)", "é", ["é"]),
    ("sk > :v", "b", ["é", "世", "🎉"]),
    ("sk <= :v", "ab", ["a", "aa", "ab"]),
])
def test_strings_compare_by_their_utf_8_bytes(client, strings, condition, value, expected):
    response = client.query(
        TableName=strings, KeyConditionExpression=f"pk = :a AND {condition}",
        ExpressionAttributeValues={":a": {"S": "a"}, ":v": {"S": value}})
    assert sort_keys(response) == expected


def test_binary_sort_keys_compare_by_unsigned_bytes(client, create):
    table = create(KeySchema=key_schema("pk", "sk"),
                   AttributeDefinitions=definitions(pk="S", sk="B"))
    keys = [b"\x00", b"\x00\x00", b"\x00\xff", b"\x7f", b"\x80", b"\xff"]
    fill(client, table, [{"pk": "a", "sk": key} for key in reversed(keys)])
    query = lambda condition, value: [item["sk"]["B"] for item in client.query(
        TableName=table, KeyConditionExpression=f"pk = :a AND {condition}",
        ExpressionAttributeValues={":a": {"S": "a"}, ":v": {"B": value}})["Items"]]
    assert query("sk >= :v", b"\x00") == keys
    assert query("begins_with(sk, :v)", b"\x00") == keys[:3]
    assert query("sk > :v", b"\x7f") == keys[4:]


def test_names_stand_for_key_attributes(client, numbers):
    response = client.query(
        TableName=numbers, KeyConditionExpression="#p = :a AND #s > :7",
        ExpressionAttributeNames={"#p": "pk", "#s": "sk"},
        ExpressionAttributeValues={":a": {"S": "a"}, ":7": {"N": "7"}})
    assert sort_keys(response) == [8, 9]


@pytest.mark.parametrize("condition, expected", [
    (Key("sk").eq(3), [3]), (Key("sk").lt(2), [0, 1]), (Key("sk").lte(1), [0, 1]),
    (Key("sk").gt(8), [9]),
    (Key("sk").gte(8), [8, 9]), (Key("sk").between(2, 4), [2, 3, 4]),
])
def test_the_resource_builds_key_conditions(resource, numbers, condition, expected):
    response = resource.Table(numbers).query(KeyConditionExpression=Key("pk").eq("a") & condition)
    assert [item["sk"] for item in response["Items"]] == expected
