"""Scan: every item once, by pages and by segments."""
import pytest

from tables import fill, number_sorted, pages, untyped


@pytest.fixture(scope="module")
def filled(client, create_once):
    table = create_once(**number_sorted())
    fill(client, table, [{"pk": f"p{pk}", "sk": sk} for pk in range(20) for sk in range(5)])
    return table


EVERYTHING = sorted((f"p{pk}", sk) for pk in range(20) for sk in range(5))


def keys(found):
    items = [untyped(item) for page in found for item in page["Items"]]
    return [(item["pk"], item["sk"]) for item in items]


def test_a_scan_finds_every_item(client, filled):
    response = client.scan(TableName=filled)
    assert sorted(keys([response])) == EVERYTHING
    assert response["Count"] == response["ScannedCount"] == 100
    assert "LastEvaluatedKey" not in response


@pytest.mark.parametrize("limit", [1, 7, 100, 101])
def test_pages_hold_every_item_once(client, filled, limit):
    found = pages(client.scan, TableName=filled, Limit=limit)
    assert sorted(keys(found)) == EVERYTHING
    assert all(page["Count"] <= limit for page in found)


def test_a_scan_keeps_the_items_of_a_partition_together_and_in_order(client, filled):
    found = keys([client.scan(TableName=filled)])
    partitions = [found[start:start + 5] for start in range(0, 100, 5)]
    assert all([sk for _, sk in partition] == list(range(5)) for partition in partitions)
    assert all(len({pk for pk, _ in partition}) == 1 for partition in partitions)


def test_the_last_key_is_that_of_the_last_item(client, filled):
    response = client.scan(TableName=filled, Limit=13)
    last = response["Items"][-1]
    assert response["LastEvaluatedKey"] == {"pk": last["pk"], "sk": last["sk"]}


@pytest.mark.parametrize("total", [1, 2, 3, 8, 50])
def test_segments_hold_every_item_once(client, filled, total):
    found = [
        keys(pages(client.scan, TableName=filled, Segment=segment, TotalSegments=total, Limit=9))
             for segment in range(total)]
    assert sorted(key for segment in found for key in segment) == EVERYTHING


def test_the_segments_of_a_large_table_are_of_like_size(client, filled):
    sizes = [client.scan(TableName=filled, Segment=segment, TotalSegments=2)["Count"]
             for segment in range(2)]
    assert min(sizes) >= 10


def test_a_filter_applies_to_each_page(client, filled):
    found = pages(client.scan, TableName=filled, Limit=10, FilterExpression="sk = :v",
                  ExpressionAttributeValues={":v": {"N": "3"}})
    assert sorted(keys(found)) == [key for key in EVERYTHING if key[1] == 3]
    assert sum(page["ScannedCount"] for page in found) == 100


def test_the_paginator_and_the_resource_scan(client, resource, filled):
    paginator = client.get_paginator("scan").paginate(
        TableName=filled, PaginationConfig={"PageSize": 30})
    assert sorted(keys(paginator)) == EVERYTHING
    assert resource.Table(filled).scan(ConsistentRead=True)["Count"] == 100
