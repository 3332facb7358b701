"""BatchWriteItem: up to 25 puts and deletes, each on its own."""
import pytest

from tables import definitions, fill, index, key_schema


def test_puts_and_deletes_go_in_one_batch(client, table):
    fill(client, table, [{"pk": "old"}])
    response = client.batch_write_item(RequestItems={table: [
        {"PutRequest": {"Item": {"pk": {"S": "new"}, "v": {"N": "1"}}}},
        {"DeleteRequest": {"Key": {"pk": {"S": "old"}}}},
        {"DeleteRequest": {"Key": {"pk": {"S": "absent"}}}},
    ]})
    assert response["UnprocessedItems"] == {}
    assert client.scan(TableName=table)["Items"] == [{"pk": {"S": "new"}, "v": {"N": "1"}}]


def test_one_batch_writes_several_tables(client, table, string_table):
    client.batch_write_item(RequestItems={
        table: [{"PutRequest": {"Item": {"pk": {"S": "a"}}}}],
        string_table: [{"PutRequest": {"Item": {"pk": {"S": "a"}, "sk": {"S": "b"}}}}]})
    assert client.scan(TableName=table)["Count"] == client.scan(
        TableName=string_table)["Count"] == 1


def test_25_items_are_written_at_once(client, table):
    fill(client, table, [{"pk": f"k{number}"} for number in range(25)])
    assert client.scan(TableName=table)["Count"] == 25


def test_a_batch_keeps_indexes(client, create):
    table = create(
        KeySchema=key_schema("pk"), AttributeDefinitions=definitions(pk="S", g="S"),
        GlobalSecondaryIndexes=[index("by-g", "g")])
    fill(client, table, [{"pk": f"k{number}", "g": "x"} for number in range(3)])
    client.batch_write_item(RequestItems={table: [
        {"PutRequest": {"Item": {"pk": {"S": "k0"}, "g": {"S": "y"}}}},
        {"DeleteRequest": {"Key": {"pk": {"S": "k1"}}}}]})
    entries = {(item["g"]["S"], item["pk"]["S"])
               for item in client.scan(TableName=table, IndexName="by-g")["Items"]}
    assert entries == {("y", "k0"), ("x", "k2")}


def test_a_batch_with_an_invalid_member_writes_nothing(client, table):
    with pytest.raises(client.exceptions.ClientError) as error:
        client.batch_write_item(RequestItems={table: [
            {"PutRequest": {"Item": {"pk": {"S": "a"}}}},
            {"PutRequest": {"Item": {"pk": {"N": "1"}}}}]})
    assert error.value.response["Error"]["Code"] == "ValidationException"
    assert client.scan(TableName=table)["Items"] == []


def test_the_batch_writer_of_the_resource_writes_many_items(resource, table):
    table = resource.Table(table)
    with table.batch_writer(overwrite_by_pkeys=["pk"]) as batch:
        for number in range(60):
            batch.put_item(Item={"pk": f"k{number % 50}", "n": number})
        batch.delete_item(Key={"pk": "k7"})
    items = {item["pk"]: item["n"] for item in table.scan()["Items"]}
    assert len(items) == 49
    assert items["k9"] == 59
