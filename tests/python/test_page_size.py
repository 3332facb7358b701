"""A page of Query or Scan ends at 1 MB, counted before the filter."""
import pytest

from tables import fill, number_sorted, pages

MEGABYTE = 1024 * 1024
ITEM = 100_000
QUERY = {"KeyConditionExpression": "pk = :a", "ExpressionAttributeValues": {":a": {"S": "a"}}}


@pytest.fixture(scope="module")
def filled(client, create_once):
    table = create_once(**number_sorted())
    overhead = len("pk" + "a" + "sk" + "v") + 2
    for sk in range(1, 26):
        fill(client, table, [{"pk": "a", "sk": sk, "v": "x" * (ITEM - overhead)}])
    return table


@pytest.mark.parametrize("forward", [True, False])
def test_a_query_page_holds_a_megabyte(client, filled, forward):
    found = pages(client.query, TableName=filled, ScanIndexForward=forward, **QUERY)
    assert [item["sk"]["N"] for page in found for item in page["Items"]] == [
        str(number) for number in (range(1, 26) if forward else range(25, 0, -1))]
    check_sizes(found)


def test_a_scan_page_holds_a_megabyte(client, filled):
    check_sizes(pages(client.scan, TableName=filled))


def test_a_page_without_items_still_ends_at_a_megabyte(client, filled):
    found = pages(client.scan, TableName=filled, FilterExpression="attribute_not_exists(v)")
    assert [page["Count"] for page in found] == [0] * len(found)
    assert len(found) == 3
    assert sum(page["ScannedCount"] for page in found) == 25


def test_a_projection_does_not_make_pages_longer(client, filled):
    found = pages(client.scan, TableName=filled, ProjectionExpression="sk")
    assert len(found) == 3


def test_a_count_ends_at_a_megabyte_too(client, filled):
    found = pages(client.query, TableName=filled, Select="COUNT", **QUERY)
    assert len(found) == 3
    assert sum(page["Count"] for page in found) == 25


# AWS says that a page ends once it has reached 1 MB, so a page may be longer than that by part of
# an item.
def check_sizes(found):
    for page in found[:-1]:
        assert abs(page["Count"] * ITEM - MEGABYTE) < ITEM
        last = page["Items"][-1]
        assert page["LastEvaluatedKey"] == {"pk": last["pk"], "sk": last["sk"]}
    assert sum(page["Count"] for page in found) == 25
