"""Local secondary indexes: the partition in another order, with consistent reads."""
import pytest

from tables import definitions, fill, index, key_schema, pages, sort_keys, untyped


@pytest.fixture
def indexed(client, create):
    table = create(
        KeySchema=key_schema("pk", "sk"),
        AttributeDefinitions=definitions(pk="S", sk="N", score="N"),
        LocalSecondaryIndexes=[
            index("all", "pk", "score"),
            index("keys", "pk", "score", projection="KEYS_ONLY"),
            index("some", "pk", "score", include=["a"]),
        ])
    fill(client, table, [{"pk": "p", "sk": sk, "score": 100 - sk, "a": f"a{sk}", "b": f"b{sk}"}
                         for sk in range(5)])
    return table


def query(client, table, name, condition="pk = :p", values=None, **more):
    values = {":p": {"S": "p"}} | (values or {})
    return client.query(
        TableName=table, IndexName=name, KeyConditionExpression=condition,
        ExpressionAttributeValues=values, **more)


def test_items_are_in_the_order_of_the_index(client, indexed):
    assert sort_keys(query(client, indexed, "all")) == [4, 3, 2, 1, 0]
    assert sort_keys(query(client, indexed, "all", ScanIndexForward=False)) == [0, 1, 2, 3, 4]


def test_key_conditions_apply_to_the_index_key(client, indexed):
    response = query(client, indexed, "all", "pk = :p AND score > :r", {":r": {"N": "98"}})
    assert sort_keys(response) == [1, 0]


def test_local_indexes_take_consistent_reads(client, indexed):
    client.put_item(TableName=indexed,
                    Item={"pk": {"S": "p"}, "sk": {"N": "9"}, "score": {"N": "1"}})
    assert sort_keys(query(client, indexed, "keys", ConsistentRead=True))[0] == 9


@pytest.mark.parametrize("name, attributes", [
    ("all", {"pk", "sk", "score", "a", "b"}), ("keys", {"pk", "sk", "score"}),
    ("some", {"pk", "sk", "score", "a"}),
])
def test_the_projection_decides_what_a_query_returns(client, indexed, name, attributes):
    assert all(set(item) == attributes for item in query(client, indexed, name)["Items"])


def test_attributes_that_are_not_projected_are_fetched_from_the_table(client, indexed):
    response = query(client, indexed, "keys", ProjectionExpression="a, b")
    assert [untyped(item) for item in response["Items"]][0] == {"a": "a4", "b": "b4"}
    whole = query(client, indexed, "keys", Select="ALL_ATTRIBUTES")
    assert all(set(item) == {"pk", "sk", "score", "a", "b"} for item in whole["Items"])


def test_a_filter_does_not_see_attributes_that_are_not_fetched(client, indexed):
    response = query(
        client, indexed, "keys", values={":b": {"S": "b1"}}, FilterExpression="b = :b",
        Select="ALL_ATTRIBUTES")
    assert sort_keys(response) == [1]


def test_items_without_the_index_key_are_not_in_the_index(client, indexed):
    fill(client, indexed, [{"pk": "p", "sk": 50}])
    assert 50 not in sort_keys(query(client, indexed, "all"))
    assert client.scan(TableName=indexed, IndexName="all")["Count"] == 5


def test_the_page_key_holds_index_key_and_table_key(client, indexed):
    response = query(client, indexed, "all", Limit=2)
    assert response["LastEvaluatedKey"] == {"pk": {"S": "p"}, "score": {"N": "97"},
                                            "sk": {"N": "3"}}


def test_equal_index_keys_are_paged_without_loss(client, indexed):
    fill(client, indexed, [{"pk": "same", "sk": sk, "score": 7} for sk in range(10)])
    keys = {}
    for forward in [True, False]:
        found = pages(
            client.query, TableName=indexed, IndexName="all", KeyConditionExpression="pk = :p",
            Limit=3,
            ExpressionAttributeValues={":p": {"S": "same"}}, ScanIndexForward=forward)
        keys[forward] = [key for page in found for key in sort_keys(page)]
    assert sorted(keys[True]) == list(range(10))
    assert keys[False] == keys[True][::-1]
