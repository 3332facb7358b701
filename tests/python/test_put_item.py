"""PutItem and GetItem: every type comes back as it went in."""
from decimal import Decimal

import pytest
from boto3.dynamodb.types import Binary

EVERY_TYPE = {
    "pk": {"S": "every type"},
    "string": {"S": "Grüße, 世界 🎉"},
    "empty string": {"S": ""},
    "number": {"N": "-12.5"},
    "binary": {"B": b"\x00\xff\x10"},
    "empty binary": {"B": b""},
    "true": {"BOOL": True},
    "false": {"BOOL": False},
    "null": {"NULL": True},
    "strings": {"SS": ["a", "b", ""]},
    "numbers": {"NS": ["-1", "0", "2.5"]},
    "binaries": {"BS": [b"", b"\x01"]},
    "list": {"L": [{"S": "a"}, {"N": "1"}, {"L": []}, {"M": {}}]},
    "map": {"M": {"a": {"M": {"b": {"L": [{"NULL": True}]}}}}},
}


def sorted_sets(item):
    return {name: {kind: sorted(content) if kind in ("SS", "NS", "BS") else content
                   for kind, content in value.items()}
            for name, value in item.items()}


def test_every_type_is_read_back_as_it_was_written(client, table):
    client.put_item(TableName=table, Item=EVERY_TYPE)
    found = client.get_item(TableName=table, Key={"pk": EVERY_TYPE["pk"]})["Item"]
    assert sorted_sets(found) == sorted_sets(EVERY_TYPE)


def test_a_put_replaces_the_whole_item(client, table):
    client.put_item(TableName=table, Item={"pk": {"S": "a"}, "old": {"S": "x"}})
    client.put_item(TableName=table, Item={"pk": {"S": "a"}, "new": {"S": "y"}})
    found = client.get_item(TableName=table, Key={"pk": {"S": "a"}})["Item"]
    assert found == {"pk": {"S": "a"}, "new": {"S": "y"}}


def test_an_item_that_is_not_there_has_no_item_member(client, table):
    assert "Item" not in client.get_item(TableName=table, Key={"pk": {"S": "a"}})


@pytest.mark.parametrize("consistent", [True, False])
def test_a_write_is_seen_at_once(client, table, consistent):
    client.put_item(TableName=table, Item={"pk": {"S": "a"}})
    assert "Item" in client.get_item(TableName=table, Key={"pk": {"S": "a"}},
                                     ConsistentRead=consistent)


def test_the_resource_writes_and_reads_python_values(resource, table):
    table = resource.Table(table)
    item = {
        "pk": "a", "number": Decimal("1.5"), "set": {"x", "y"}, "numbers": {Decimal(1), Decimal(2)},
        "binary": Binary(b"\x01"), "list": [Decimal(1), "two", None, True],
        "map": {"nested": {"deep": Decimal(-3)}},
    }
    table.put_item(Item=item)
    assert table.get_item(Key={"pk": "a"})["Item"] == item


@pytest.mark.parametrize(
    "kind, key", [("S", {"S": "ключ"}), ("N", {"N": "-1.5"}), ("B", {"B": b"\x00\x01\xff"})])
def test_keys_of_each_type_find_their_item(client, create, kind, key):
    table = create(
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": kind}])
    client.put_item(TableName=table, Item={"pk": key, "found": {"BOOL": True}})
    assert client.get_item(TableName=table, Key={"pk": key})["Item"]["found"] == {"BOOL": True}


def test_a_number_key_is_one_key_in_every_spelling(client, create):
    table = create(
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "N"}])
    for spelling in ["100", "1e2", "0100.0", "+100"]:
        client.put_item(TableName=table, Item={"pk": {"N": spelling}})
    assert client.scan(TableName=table)["Items"] == [{"pk": {"N": "100"}}]
