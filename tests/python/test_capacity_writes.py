"""Consumed capacity of writes, and of the indexes they touch.

Known from AWS: a write costs a unit for every 1 KB of the larger of old and new item; an index
costs only where its entry changes, and twice where the entry moves; a transaction doubles the
table's part alone.
"""
import pytest

from tables import definitions, index, key_schema


def item_of(size):
    return {"pk": {"S": "a"}, "v": {"S": "x" * (size - len("pk" + "a" + "v"))}}


def units(response):
    return response["ConsumedCapacity"]["CapacityUnits"]


@pytest.mark.parametrize("size, expected",
                         [(100, 1.0), (1024, 1.0), (1025, 2.0), (2048, 2.0), (409_600, 400.0)])
def test_put_item_costs_by_kilobytes(client, table, size, expected):
    assert units(client.put_item(TableName=table, Item=item_of(size),
                                 ReturnConsumedCapacity="TOTAL")) == expected


def test_a_write_costs_the_larger_of_old_and_new(client, table):
    client.put_item(TableName=table, Item=item_of(3000))
    assert units(
        client.put_item(TableName=table, Item=item_of(100), ReturnConsumedCapacity="TOTAL")) == 3.0
    assert units(
        client.put_item(TableName=table, Item=item_of(5000), ReturnConsumedCapacity="TOTAL")) == 5.0


def test_a_delete_costs_what_was_there(client, table):
    client.put_item(TableName=table, Item=item_of(3000))
    delete = lambda: units(
        client.delete_item(TableName=table, Key={"pk": {"S": "a"}}, ReturnConsumedCapacity="TOTAL"))
    assert (delete(), delete()) == (3.0, 1.0)


def test_an_update_costs_the_whole_item(client, table):
    client.put_item(TableName=table, Item=item_of(3000))
    response = client.update_item(
        TableName=table, Key={"pk": {"S": "a"}}, UpdateExpression="SET n = :n",
        ExpressionAttributeValues={":n": {"N": "1"}}, ReturnConsumedCapacity="TOTAL")
    assert response["ConsumedCapacity"] == {"TableName": table, "CapacityUnits": 3.0}


def test_a_batch_adds_up_its_members(client, table):
    response = client.batch_write_item(ReturnConsumedCapacity="TOTAL", RequestItems={table: [
        {"PutRequest": {"Item": item_of(1500)}}, {"PutRequest": {"Item": {"pk": {"S": "b"}}}},
        {"DeleteRequest": {"Key": {"pk": {"S": "absent"}}}}]})
    assert response["ConsumedCapacity"] == [{"TableName": table, "CapacityUnits": 4.0}]


def test_a_transaction_costs_twice_and_reports_writes(client, table):
    client.put_item(TableName=table, Item={"pk": {"S": "check"}})
    response = client.transact_write_items(ReturnConsumedCapacity="TOTAL", TransactItems=[
        {"Put": {"TableName": table, "Item": item_of(1500)}},
        {"ConditionCheck": {"TableName": table, "Key": {"pk": {"S": "check"}},
                            "ConditionExpression": "attribute_exists(pk)"}}])
    assert response["ConsumedCapacity"] == [
        {"TableName": table, "CapacityUnits": 6.0, "WriteCapacityUnits": 6.0}]


@pytest.fixture
def indexed(create):
    return create(
        KeySchema=key_schema("pk", "sk"),
        AttributeDefinitions=definitions(pk="S", sk="S", g="S", r="S"),
        LocalSecondaryIndexes=[index("local", "pk", "r", projection="KEYS_ONLY")],
        GlobalSecondaryIndexes=[index("global", "g", include=["seen"])])


KEY = {"pk": {"S": "a"}, "sk": {"S": "b"}}
ITEM = KEY | {"g": {"S": "x"}, "r": {"S": "1"}, "seen": {"S": "s"}, "hidden": {"S": "h"}}


def put(client, table, item):
    return client.put_item(TableName=table, Item=item,
                           ReturnConsumedCapacity="INDEXES")["ConsumedCapacity"]


def test_each_index_that_holds_the_item_costs_a_unit(client, indexed):
    assert put(client, indexed, ITEM) == {
        "TableName": indexed, "CapacityUnits": 3.0, "Table": {"CapacityUnits": 1.0},
        "LocalSecondaryIndexes": {"local": {"CapacityUnits": 1.0}},
        "GlobalSecondaryIndexes": {"global": {"CapacityUnits": 1.0}}}


def test_an_index_that_does_not_hold_the_item_costs_nothing(client, indexed):
    assert put(client, indexed, KEY) == {
        "TableName": indexed, "CapacityUnits": 1.0, "Table": {"CapacityUnits": 1.0}}


def test_an_entry_that_moves_costs_two_units(client, indexed):
    put(client, indexed, ITEM)
    consumed = put(client, indexed, ITEM | {"g": {"S": "y"}})
    assert consumed["GlobalSecondaryIndexes"] == {"global": {"CapacityUnits": 2.0}}
    assert "LocalSecondaryIndexes" not in consumed
    assert consumed["CapacityUnits"] == 3.0


def test_an_entry_that_changes_in_place_costs_one_unit(client, indexed):
    put(client, indexed, ITEM)
    consumed = put(client, indexed, ITEM | {"seen": {"S": "t"}})
    assert consumed["GlobalSecondaryIndexes"] == {"global": {"CapacityUnits": 1.0}}
    assert "LocalSecondaryIndexes" not in consumed


def test_attributes_that_are_not_projected_do_not_touch_an_index(client, indexed):
    put(client, indexed, ITEM)
    assert put(client, indexed, ITEM | {"hidden": {"S": "i"}}) == {
        "TableName": indexed, "CapacityUnits": 1.0, "Table": {"CapacityUnits": 1.0}}


def test_a_write_that_changes_nothing_does_not_touch_an_index(client, indexed):
    put(client, indexed, ITEM)
    assert put(client, indexed, ITEM) == {
        "TableName": indexed, "CapacityUnits": 1.0, "Table": {"CapacityUnits": 1.0}}


def test_an_entry_that_goes_costs_a_unit(client, indexed):
    put(client, indexed, ITEM)
    response = client.delete_item(TableName=indexed, Key=KEY, ReturnConsumedCapacity="INDEXES")
    assert response["ConsumedCapacity"] == {
        "TableName": indexed, "CapacityUnits": 3.0, "Table": {"CapacityUnits": 1.0},
        "LocalSecondaryIndexes": {"local": {"CapacityUnits": 1.0}},
        "GlobalSecondaryIndexes": {"global": {"CapacityUnits": 1.0}}}


def test_index_units_count_in_the_total(client, indexed):
    response = client.put_item(TableName=indexed, Item=ITEM, ReturnConsumedCapacity="TOTAL")
    assert response["ConsumedCapacity"] == {"TableName": indexed, "CapacityUnits": 3.0}


def test_a_transaction_does_not_double_the_index_units(client, indexed):
    response = client.transact_write_items(
        ReturnConsumedCapacity="INDEXES",
        TransactItems=[{"Put": {"TableName": indexed, "Item": ITEM}}])
    consumed, = response["ConsumedCapacity"]
    assert consumed["CapacityUnits"] == 4.0
    assert consumed["Table"]["CapacityUnits"] == 2.0
    assert consumed["GlobalSecondaryIndexes"]["global"]["CapacityUnits"] == 1.0
    assert consumed["LocalSecondaryIndexes"]["local"]["CapacityUnits"] == 1.0
