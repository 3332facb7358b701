"""ReturnItemCollectionMetrics: the size of the item collection, on tables with local indexes."""
import pytest

from tables import definitions, index, key_schema

ITEM = {"pk": {"S": "a"}, "sk": {"S": "b"}}
METRICS = {"ItemCollectionKey": {"pk": {"S": "a"}}, "SizeEstimateRangeGB": [0.0, 1.0]}


@pytest.fixture
def indexed(create):
    return create(
        KeySchema=key_schema("pk", "sk"), AttributeDefinitions=definitions(pk="S", sk="S", r="S"),
        LocalSecondaryIndexes=[index("local", "pk", "r")])


def test_every_single_write_reports_its_collection(client, indexed):
    size = {"TableName": indexed, "ReturnItemCollectionMetrics": "SIZE"}
    assert client.put_item(Item=ITEM, **size)["ItemCollectionMetrics"] == METRICS
    assert client.update_item(Key=ITEM, **size)["ItemCollectionMetrics"] == METRICS
    assert client.delete_item(Key=ITEM, **size)["ItemCollectionMetrics"] == METRICS


def test_batches_and_transactions_report_collections_by_table(client, indexed):
    response = client.batch_write_item(
        RequestItems={indexed: [{"PutRequest": {"Item": ITEM}}]},
        ReturnItemCollectionMetrics="SIZE")
    assert response["ItemCollectionMetrics"] == {indexed: [METRICS]}
    response = client.transact_write_items(
        TransactItems=[{"Put": {"TableName": indexed, "Item": ITEM}}],
        ReturnItemCollectionMetrics="SIZE")
    assert response["ItemCollectionMetrics"] == {indexed: [METRICS]}


def test_nothing_is_reported_unless_asked(client, indexed):
    for more in [{}, {"ReturnItemCollectionMetrics": "NONE"}]:
        assert "ItemCollectionMetrics" not in client.put_item(TableName=indexed, Item=ITEM, **more)


def test_a_table_without_local_indexes_has_no_collections(client, string_table):
    response = client.put_item(TableName=string_table, Item=ITEM,
                               ReturnItemCollectionMetrics="SIZE")
    assert "ItemCollectionMetrics" not in response
