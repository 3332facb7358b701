"""Consumed capacity of reads, to the half unit.

Known from AWS: a read costs a unit for every 4 KB, half of that if it is eventually consistent,
twice that in a transaction; Query and Scan add up the sizes of all items they evaluate and round
once.
"""
import pytest

from tables import definitions, fill, index, key_schema, number_sorted


def item_of(size, pk="a"):
    return {"pk": {"S": pk}, "v": {"S": "x" * (size - len("pk" + pk + "v"))}}


def units(response):
    return response["ConsumedCapacity"]["CapacityUnits"]


@pytest.mark.parametrize("size, eventual, consistent", [
    (100, 0.5, 1.0), (4096, 0.5, 1.0), (4097, 1.0, 2.0), (8192, 1.0, 2.0), (8193, 1.5, 3.0),
    (409_600, 50.0, 100.0),
])
def test_get_item_costs_by_4_kilobytes(client, table, size, eventual, consistent):
    client.put_item(TableName=table, Item=item_of(size))
    get = lambda **more: units(client.get_item(
        TableName=table, Key={"pk": {"S": "a"}}, ReturnConsumedCapacity="TOTAL", **more))
    assert (get(), get(ConsistentRead=True)) == (eventual, consistent)
    assert get(ProjectionExpression="pk") == eventual


def test_an_absent_item_costs_as_a_small_one(client, table):
    get = lambda **more: units(client.get_item(
        TableName=table, Key={"pk": {"S": "a"}}, ReturnConsumedCapacity="TOTAL", **more))
    assert (get(), get(ConsistentRead=True)) == (0.5, 1.0)


def test_get_item_reports_the_total_only(client, table):
    response = client.get_item(TableName=table, Key={"pk": {"S": "a"}},
                               ReturnConsumedCapacity="TOTAL")
    assert response["ConsumedCapacity"] == {"TableName": table, "CapacityUnits": 0.5}
    response = client.get_item(TableName=table, Key={"pk": {"S": "a"}},
                               ReturnConsumedCapacity="INDEXES")
    assert response["ConsumedCapacity"] == {"TableName": table, "CapacityUnits": 0.5,
                                            "Table": {"CapacityUnits": 0.5}}


def test_nothing_is_reported_unless_asked(client, table):
    assert "ConsumedCapacity" not in client.get_item(TableName=table, Key={"pk": {"S": "a"}})
    assert "ConsumedCapacity" not in client.get_item(
        TableName=table, Key={"pk": {"S": "a"}}, ReturnConsumedCapacity="NONE")


@pytest.fixture(scope="module")
def filled(client, create_once):
    table = create_once(**number_sorted())
    overhead = len("pk" + "a" + "sk" + "v") + 2
    fill(client, table,
         [{"pk": "a", "sk": sk, "v": "x" * (1000 - overhead)} for sk in range(1, 10)])
    return table


QUERY = {"KeyConditionExpression": "pk = :a", "ExpressionAttributeValues": {":a": {"S": "a"}},
         "ReturnConsumedCapacity": "TOTAL"}


# Nine items of 1,000 bytes are three times 4 KB.
def test_a_query_adds_up_its_items_before_it_rounds(client, filled):
    assert units(client.query(TableName=filled, **QUERY)) == 1.5
    assert units(client.query(TableName=filled, ConsistentRead=True, **QUERY)) == 3.0
    assert units(client.query(TableName=filled, Limit=4, **QUERY)) == 0.5
    assert units(client.query(TableName=filled, Limit=5, **QUERY)) == 1.0


def test_neither_filter_nor_projection_nor_count_makes_a_read_cheaper(client, filled):
    assert units(
        client.query(TableName=filled, FilterExpression="attribute_not_exists(v)", **QUERY)) == 1.5
    assert units(client.query(TableName=filled, ProjectionExpression="sk", **QUERY)) == 1.5
    assert units(client.query(TableName=filled, Select="COUNT", **QUERY)) == 1.5


def test_a_scan_costs_what_it_reads(client, filled):
    scan = lambda **more: units(
        client.scan(TableName=filled, ReturnConsumedCapacity="TOTAL", **more))
    assert (scan(), scan(ConsistentRead=True)) == (1.5, 3.0)


def test_a_query_that_finds_nothing_costs_the_least(client, filled):
    request = QUERY | {"ExpressionAttributeValues": {":a": {"S": "nothing"}}}
    assert units(client.query(TableName=filled, **request)) == 0.5
    assert units(client.query(TableName=filled, ConsistentRead=True, **request)) == 1.0


def test_a_batch_rounds_each_item(client, table):
    for name, size in [("a", 100), ("b", 4097)]:
        client.put_item(TableName=table, Item=item_of(size, name))
    keys = [{"pk": {"S": name}} for name in ["a", "b", "absent"]]
    get = lambda **more: client.batch_get_item(
        RequestItems={table: {"Keys": keys, **more}},
        ReturnConsumedCapacity="TOTAL")["ConsumedCapacity"]
    assert get() == [{"TableName": table, "CapacityUnits": 2.0}]
    assert get(ConsistentRead=True) == [{"TableName": table, "CapacityUnits": 4.0}]


def test_a_transaction_costs_twice_and_reports_reads(client, table):
    for name, size in [("a", 100), ("b", 4097)]:
        client.put_item(TableName=table, Item=item_of(size, name))
    response = client.transact_get_items(ReturnConsumedCapacity="TOTAL", TransactItems=[
        {"Get": {"TableName": table, "Key": {"pk": {"S": name}}}} for name in ["a", "b", "absent"]])
    assert response["ConsumedCapacity"] == [
        {"TableName": table, "CapacityUnits": 8.0, "ReadCapacityUnits": 8.0}]


@pytest.fixture
def indexed(client, create):
    table = create(
        KeySchema=key_schema("pk", "sk"), AttributeDefinitions=definitions(pk="S", sk="S", g="S"),
        LocalSecondaryIndexes=[index("local", "pk", "g", projection="KEYS_ONLY")],
        GlobalSecondaryIndexes=[index("global", "g", projection="KEYS_ONLY")])
    fill(client, table,
         [{"pk": "a", "sk": f"s{number}", "g": "x", "v": "x" * 3000} for number in range(2)])
    return table


def test_an_index_is_charged_for_what_it_projects(client, indexed):
    response = client.query(
        TableName=indexed, IndexName="global", KeyConditionExpression="g = :x",
        ExpressionAttributeValues={":x": {"S": "x"}}, ReturnConsumedCapacity="INDEXES")
    assert response["ConsumedCapacity"] == {
        "TableName": indexed, "CapacityUnits": 0.5, "Table": {"CapacityUnits": 0.0},
        "GlobalSecondaryIndexes": {"global": {"CapacityUnits": 0.5}}}


def test_items_fetched_for_a_local_index_are_charged_to_the_table(client, indexed):
    response = client.query(
        TableName=indexed, IndexName="local", KeyConditionExpression="pk = :a",
        Select="ALL_ATTRIBUTES",
        ExpressionAttributeValues={":a": {"S": "a"}}, ReturnConsumedCapacity="INDEXES")
    assert response["ConsumedCapacity"] == {
        "TableName": indexed, "CapacityUnits": 1.5, "Table": {"CapacityUnits": 1.0},
        "LocalSecondaryIndexes": {"local": {"CapacityUnits": 0.5}}}
