"""BatchGetItem: up to 100 keys of several tables, and 16 MB."""
import pytest

from tables import fill, untyped


def test_items_that_are_there_come_back_and_the_others_do_not(client, table):
    fill(client, table, [{"pk": f"k{number}"} for number in range(3)])
    keys = [{"pk": {"S": name}} for name in ["k0", "absent", "k2"]]
    response = client.batch_get_item(RequestItems={table: {"Keys": keys}})
    assert sorted(item["pk"]["S"] for item in response["Responses"][table]) == ["k0", "k2"]
    assert response["UnprocessedKeys"] == {}


def test_a_table_without_found_items_has_an_empty_list(client, table):
    response = client.batch_get_item(RequestItems={table: {"Keys": [{"pk": {"S": "absent"}}]}})
    assert response["Responses"] == {table: []}


def test_one_batch_reads_several_tables_with_their_own_settings(client, table, string_table):
    client.put_item(TableName=table, Item={"pk": {"S": "a"}, "v": {"S": "1"}})
    client.put_item(TableName=string_table,
                    Item={"pk": {"S": "a"}, "sk": {"S": "b"}, "v": {"S": "2"}})
    response = client.batch_get_item(RequestItems={
        table: {"Keys": [{"pk": {"S": "a"}}], "ConsistentRead": True, "ProjectionExpression": "v"},
        string_table: {"Keys": [{"pk": {"S": "a"}, "sk": {"S": "b"}}],
                       "ProjectionExpression": "#v, sk",
                       "ExpressionAttributeNames": {"#v": "v"}},
    })
    assert response["Responses"] == {
        table: [{"v": {"S": "1"}}], string_table: [{"sk": {"S": "b"}, "v": {"S": "2"}}]}


def test_100_keys_are_read_at_once(client, table):
    fill(client, table, [{"pk": f"k{number}"} for number in range(100)])
    keys = [{"pk": {"S": f"k{number}"}} for number in range(100)]
    response = client.batch_get_item(RequestItems={table: {"Keys": keys}})
    assert len(response["Responses"][table]) == 100


def test_what_does_not_fit_16_megabytes_is_left_unprocessed(client, number_table):
    size = 390_000
    for sk in range(50):
        fill(client, number_table, [{"pk": "a", "sk": sk, "v": "x" * size}])
    keys = [{"pk": {"S": "a"}, "sk": {"N": str(sk)}} for sk in range(50)]
    found, rounds = [], 0
    while keys:
        response = client.batch_get_item(RequestItems={number_table: {"Keys": keys}})
        page = response["Responses"][number_table]
        assert len(page) * size <= 16 * 1024 * 1024 + size
        found += [untyped({"sk": item["sk"]})["sk"] for item in page]
        keys = response["UnprocessedKeys"].get(number_table, {}).get("Keys", [])
        rounds += 1
    assert sorted(found) == list(range(50))
    assert rounds == 2


def test_the_resource_reads_batches(resource, client, table):
    fill(client, table, [{"pk": "a"}, {"pk": "b"}])
    response = resource.batch_get_item(RequestItems={table: {"Keys": [{"pk": "a"}, {"pk": "b"}]}})
    assert sorted(item["pk"] for item in response["Responses"][table]) == ["a", "b"]


def test_a_batch_that_names_a_missing_table_reads_nothing(client, table, name):
    with pytest.raises(client.exceptions.ResourceNotFoundException):
        client.batch_get_item(RequestItems={
            table: {"Keys": [{"pk": {"S": "a"}}]}, name: {"Keys": [{"pk": {"S": "a"}}]}})
