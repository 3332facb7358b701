"""Global secondary indexes: other keys, three projections, sparse entries."""
import pytest

from tables import definitions, fill, index, key_schema, pages, untyped


@pytest.fixture
def indexed(client, create):
    return create(
        KeySchema=key_schema("pk"), AttributeDefinitions=definitions(pk="S", g="S", score="N"),
        GlobalSecondaryIndexes=[
            index("all", "g", "score"),
            index("keys", "g", projection="KEYS_ONLY"),
            index("some", "g", "score", include=["a"]),
        ])


def query(client, table, name, condition="g = :g", values=None, **more):
    values = {":g": {"S": "x"}} | (values or {})
    return client.query(
        TableName=table, IndexName=name, KeyConditionExpression=condition,
        ExpressionAttributeValues=values, **more)


def names(response):
    return [item["pk"]["S"] for item in response["Items"]]


def put(client, table, **item):
    fill(client, table, [item])


def test_items_are_found_by_the_index_key_in_its_order(client, indexed):
    for pk, score in [("a", 3), ("b", 1), ("c", 2)]:
        put(client, indexed, pk=pk, g="x", score=score)
    put(client, indexed, pk="d", g="y", score=0)
    assert names(query(client, indexed, "all")) == ["b", "c", "a"]
    assert names(query(client, indexed, "all", ScanIndexForward=False)) == ["a", "c", "b"]
    assert names(query(client, indexed, "all", "g = :g AND score >= :r", {":r": {"N": "2"}})) == [
        "c", "a"]


@pytest.mark.parametrize("name, attributes", [
    ("all", {"pk", "g", "score", "a", "b"}), ("keys", {"pk", "g"}),
    ("some", {"pk", "g", "score", "a"}),
])
def test_the_projection_decides_what_is_returned(client, indexed, name, attributes):
    put(client, indexed, pk="a", g="x", score=1, a="a", b="b")
    assert set(query(client, indexed, name)["Items"][0]) == attributes
    assert set(client.scan(TableName=indexed, IndexName=name)["Items"][0]) == attributes


def test_items_without_all_index_keys_are_not_in_the_index(client, indexed):
    put(client, indexed, pk="whole", g="x", score=1)
    put(client, indexed, pk="no score", g="x")
    put(client, indexed, pk="no g", score=1)
    assert names(query(client, indexed, "all")) == ["whole"]
    assert sorted(names(query(client, indexed, "keys"))) == ["no score", "whole"]
    assert client.scan(TableName=indexed, IndexName="all")["Count"] == 1


def test_an_entry_follows_its_item(client, indexed):
    put(client, indexed, pk="a", g="x", score=1)
    client.update_item(
        TableName=indexed, Key={"pk": {"S": "a"}}, UpdateExpression="SET g = :y",
        ExpressionAttributeValues={":y": {"S": "y"}})
    assert names(query(client, indexed, "all")) == []
    assert names(query(client, indexed, "all", values={":g": {"S": "y"}})) == ["a"]
    client.update_item(TableName=indexed, Key={"pk": {"S": "a"}}, UpdateExpression="REMOVE score")
    assert names(query(client, indexed, "all", values={":g": {"S": "y"}})) == []
    assert names(query(client, indexed, "keys", values={":g": {"S": "y"}})) == ["a"]
    client.delete_item(TableName=indexed, Key={"pk": {"S": "a"}})
    assert client.scan(TableName=indexed, IndexName="keys")["Count"] == 0


def test_projected_attributes_follow_their_item(client, indexed):
    put(client, indexed, pk="a", g="x", score=1, a="before")
    client.update_item(
        TableName=indexed, Key={"pk": {"S": "a"}}, UpdateExpression="SET a = :v, b = :v",
        ExpressionAttributeValues={":v": {"S": "after"}})
    assert untyped(query(client, indexed, "some")["Items"][0]) == {
        "pk": "a", "g": "x", "score": 1, "a": "after"}


@pytest.mark.parametrize("forward", [True, False])
@pytest.mark.parametrize("limit", [1, 3, 7])
def test_equal_index_keys_are_paged_without_loss(client, indexed, forward, limit):
    fill(client, indexed, [{"pk": f"k{number}", "g": "x", "score": 5} for number in range(10)])
    fill(client, indexed,
         [{"pk": "first", "g": "x", "score": 1}, {"pk": "last", "g": "x", "score": 9}])
    found = pages(
        client.query, TableName=indexed, IndexName="all", KeyConditionExpression="g = :g",
        Limit=limit,
        ExpressionAttributeValues={":g": {"S": "x"}}, ScanIndexForward=forward)
    keys = [key for page in found for key in names(page)]
    assert sorted(keys) == sorted([f"k{number}" for number in range(10)] + ["first", "last"])
    assert keys[0] == ("first" if forward else "last")
    assert keys[-1] == ("last" if forward else "first")


def test_backward_is_the_exact_opposite_of_forward(client, indexed):
    fill(client, indexed,
         [{"pk": f"k{number}", "g": "x", "score": number % 3} for number in range(12)])
    assert names(query(client, indexed, "all")) == names(
        query(client, indexed, "all", ScanIndexForward=False))[::-1]


def test_the_page_key_holds_index_key_and_table_key(client, indexed):
    put(client, indexed, pk="a", g="x", score=1)
    assert query(client, indexed, "all", Limit=1)["LastEvaluatedKey"] == {
        "g": {"S": "x"}, "score": {"N": "1"}, "pk": {"S": "a"}}
    assert query(client, indexed, "keys", Limit=1)["LastEvaluatedKey"] == {
        "g": {"S": "x"}, "pk": {"S": "a"}}


def test_a_scan_of_an_index_is_paged_and_segmented(client, indexed):
    fill(client, indexed,
         [{"pk": f"k{number}", "g": f"g{number % 4}", "score": number % 2} for number in range(20)])
    everything = sorted(f"k{number}" for number in range(20))
    paged = pages(client.scan, TableName=indexed, IndexName="all", Limit=3)
    assert sorted(key for page in paged for key in names(page)) == everything
    segments = [pages(client.scan, TableName=indexed, IndexName="all", Segment=segment,
                      TotalSegments=3) for segment in range(3)]
    assert sorted(key for found in segments for page in found for key in names(page)) == everything


def test_consistent_reads_are_refused(client, indexed):
    for call in [lambda: query(client, indexed, "all", ConsistentRead=True),
                 lambda: client.scan(TableName=indexed, IndexName="all", ConsistentRead=True)]:
        with pytest.raises(client.exceptions.ClientError) as error:
            call()
        assert error.value.response["Error"]["Message"] == (
            "Consistent reads are not supported on global secondary indexes")


def test_the_resource_queries_an_index(resource, client, indexed):
    put(client, indexed, pk="a", g="x", score=1)
    response = resource.Table(indexed).query(
        IndexName="all", KeyConditionExpression="g = :g", ExpressionAttributeValues={":g": "x"})
    assert response["Items"] == [{"pk": "a", "g": "x", "score": 1}]
