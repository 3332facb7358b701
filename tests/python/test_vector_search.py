"""Vector indexes and SearchVectors, as boto3 sees them.

The facts were recorded on AWS in August and October 2026 by public test suites. botocore sends
SearchVectors to an endpoint of its own, unless a client is told which endpoint to use, as here.
"""
import pytest
from botocore.exceptions import ClientError
from tables import wait_until


def vector(*numbers):
    return [{"N": str(number)} for number in numbers]


def index(name="vix", **changes):
    return {
        "IndexName": name,
        "VectorAttribute": {"AttributeName": "embedding"},
        "Dimensions": 3,
        "DistanceFunction": "COSINE",
        "Projection": {"ProjectionType": "ALL"},
        **changes,
    }


def search_schema(**roles):
    return [{"AttributeName": name, "SearchSchemaElementType": role}
            for name, role in roles.items()]


def create(client, name, *indexes, attributes=("pk",)):
    client.create_table(
        TableName=name,
        AttributeDefinitions=[{"AttributeName": a, "AttributeType": "S"} for a in attributes],
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        BillingMode="PAY_PER_REQUEST",
        **({"VectorIndexes": list(indexes)} if indexes else {}),
    )
    client.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1})


@pytest.fixture
def docs(client, name):
    """A table with an index for each distance function and four items far from one another."""
    functions = {"cosine": "COSINE", "euclidean": "EUCLIDEAN", "dot": "DOT_PRODUCT"}
    create(client, name, *[index(n, DistanceFunction=f) for n, f in functions.items()])
    for pk, numbers in {"a": (1, 0, 0), "b": (0, 1, 0), "c": (-1, 0, 0),
                        "d": (0.6, 0.8, 0)}.items():
        item = {"pk": {"S": pk}, "label": {"S": f"item-{pk}"}, "embedding": {"L": vector(*numbers)}}
        client.put_item(TableName=name, Item=item)
    yield name
    client.delete_table(TableName=name)


@pytest.fixture
def tenants(client, name):
    """A table whose index has partitions and a filter."""
    schema = search_schema(tenant="HASH", category="INLINE_FILTER")
    create(client, name, index(SearchSchema=schema), attributes=("pk", "tenant", "category"))
    for pk, tenant, category in [("a", "t1", "x"), ("b", "t1", "y"), ("c", "t2", "x")]:
        item = {"pk": {"S": pk}, "tenant": {"S": tenant}, "category": {"S": category}}
        client.put_item(TableName=name, Item={**item, "embedding": {"L": vector(1, 0, 0)}})
    yield name
    client.delete_table(TableName=name)


def search(client, table, index="vix", numbers=(1, 0, 0), top_k=10, **more):
    answer = client.search_vectors(
        TableName=table, IndexName=index, SearchVector=vector(*numbers), TopK=top_k, **more
    )
    return answer["SearchResults"]


def keys(results):
    return [result["Item"]["pk"]["S"] for result in results]


@pytest.mark.parametrize(
    "index_name, scores",
    [
        ("cosine", [("a", 0), ("d", 0.4), ("b", 1), ("c", 2)]),
        ("euclidean", [("a", 0), ("d", 0.8**0.5), ("b", 2**0.5), ("c", 2)]),
        ("dot", [("a", 1), ("d", 0.6), ("b", 0), ("c", -1)]),
    ],
)
def test_the_nearest_come_first_with_their_scores(client, docs, index_name, scores):
    results = search(client, docs, index_name, top_k=100)
    assert keys(results) == [pk for pk, _ in scores]
    assert [result["Score"] for result in results] == pytest.approx([score for _, score in scores])


def test_top_k_is_the_most_that_is_returned(client, docs):
    assert keys(search(client, docs, "cosine", top_k=1)) == ["a"]


def test_the_vector_is_returned_only_when_asked_for(client, docs):
    [result] = search(client, docs, "cosine", top_k=1)
    assert sorted(result["Item"]) == ["label", "pk"]
    [result] = search(client, docs, "cosine", top_k=1, ProjectionExpression="pk, embedding")
    assert [float(n["N"]) for n in result["Item"]["embedding"]["L"]] == [1, 0, 0]


def test_a_search_is_of_one_partition_and_can_be_filtered(client, tenants):
    def found(expression, **values):
        values = {f":{name}": {"S": value} for name, value in values.items()}
        more = {"SearchConditionExpression": expression, "ExpressionAttributeValues": values}
        return sorted(keys(search(client, tenants, **more)))

    assert found("tenant = :t", t="t1") == ["a", "b"]
    assert found("tenant = :t AND category = :c", t="t1", c="y") == ["b"]
    assert found("tenant = :t", t="other") == []


def test_an_item_without_its_partition_is_stored_but_not_found(client, tenants):
    client.put_item(TableName=tenants, Item={"pk": {"S": "d"}, "embedding": {"L": vector(1, 0, 0)}})
    assert "Item" in client.get_item(TableName=tenants, Key={"pk": {"S": "d"}})
    values = {":t": {"S": "t1"}}
    found = search(client, tenants, SearchConditionExpression="tenant = :t",
                   ExpressionAttributeValues=values)
    assert sorted(keys(found)) == ["a", "b"]


def test_every_kind_of_write_keeps_the_index(client, docs):
    def nearest():
        return keys(search(client, docs, "euclidean", (5, 5, 5), top_k=1))

    key, near = {"pk": {"S": "b"}}, {"L": vector(5, 5, 5)}
    client.update_item(TableName=docs, Key=key, UpdateExpression="SET embedding = :v",
                       ExpressionAttributeValues={":v": near})
    assert nearest() == ["b"]
    client.update_item(TableName=docs, Key=key, UpdateExpression="REMOVE embedding")
    assert "b" not in keys(search(client, docs, "euclidean"))
    client.batch_write_item(
        RequestItems={docs: [{"PutRequest": {"Item": {"pk": {"S": "e"}, "embedding": near}}}]})
    assert nearest() == ["e"]
    client.transact_write_items(
        TransactItems=[{"Delete": {"TableName": docs, "Key": {"pk": {"S": "e"}}}}])
    assert "e" not in keys(search(client, docs, "euclidean"))


def test_a_vector_of_other_dimensions_is_refused(client, docs):
    item = {"pk": {"S": "x"}, "embedding": {"L": vector(1, 0)}}
    with pytest.raises(ClientError, match="Expected: 3, Actual: 2 IndexName: cosine"):
        client.put_item(TableName=docs, Item=item)
    assert "Item" not in client.get_item(TableName=docs, Key={"pk": {"S": "x"}})


def test_an_index_that_is_added_is_filled_and_can_be_removed(client, name):
    create(client, name)
    for number in range(5):
        item = {"pk": {"S": f"item-{number}"}, "embedding": {"L": vector(number, 1, 0)}}
        client.put_item(TableName=name, Item=item)
    client.update_table(TableName=name, VectorIndexUpdates=[{"Create": index()}])

    def described():
        return client.describe_table(TableName=name)["Table"].get("VectorIndexes", [])

    wait_until(
        lambda: all(i["IndexStatus"] == "ACTIVE" and not i.get("Backfilling") for i in described()))
    assert len(search(client, name, numbers=(1, 1, 0))) == 5
    assert described()[0]["ItemCount"] == 5
    client.update_table(TableName=name, VectorIndexUpdates=[{"Delete": {"IndexName": "vix"}}])
    wait_until(lambda: not described())
    client.delete_table(TableName=name)


def test_capacity_is_in_bytes(client, docs):
    answer = client.search_vectors(
        TableName=docs, IndexName="cosine", SearchVector=vector(1, 0, 0), TopK=1,
        ReturnConsumedCapacity="TOTAL"
    )
    assert list(answer["ConsumedCapacity"]) == ["VectorSearchRequestBytes"]
    item = {"pk": {"S": "new"}, "embedding": {"L": vector(0, 1, 0)}}
    answer = client.put_item(TableName=docs, Item=item, ReturnConsumedCapacity="INDEXES")
    assert answer["ConsumedCapacity"]["VectorIndexes"]["cosine"] == {
        "VectorWriteRequestBytes": 1024.0}
    answer = client.put_item(TableName=docs, Item=item, ReturnConsumedCapacity="INDEXES")
    assert "VectorIndexes" not in answer["ConsumedCapacity"]
