"""Query pages: Limit, order, LastEvaluatedKey and ExclusiveStartKey."""
import pytest

from tables import fill, number_sorted, pages, sort_keys

QUERY = {"KeyConditionExpression": "pk = :a", "ExpressionAttributeValues": {":a": {"S": "a"}}}


@pytest.fixture(scope="module")
def filled(client, create_once):
    table = create_once(**number_sorted())
    fill(client, table, [{"pk": pk, "sk": sk, "even": "yes" if sk % 2 == 0 else "no"}
                         for pk in "ab" for sk in range(10)])
    return table


def test_a_backward_query_is_in_descending_order(client, filled):
    assert sort_keys(client.query(TableName=filled, ScanIndexForward=False, **QUERY)) == list(
        range(9, -1, -1))


@pytest.mark.parametrize("forward", [True, False])
@pytest.mark.parametrize("limit", [1, 3, 10, 11])
def test_pages_hold_every_item_once_and_in_order(client, filled, forward, limit):
    found = pages(client.query, TableName=filled, Limit=limit, ScanIndexForward=forward, **QUERY)
    keys = [key for page in found for key in sort_keys(page)]
    assert keys == (list(range(10)) if forward else list(range(9, -1, -1)))
    assert all(page["Count"] <= limit for page in found)


def test_the_last_key_is_that_of_the_last_item(client, filled):
    response = client.query(TableName=filled, Limit=4, **QUERY)
    assert response["LastEvaluatedKey"] == {"pk": {"S": "a"}, "sk": {"N": "3"}}


def test_a_page_that_is_full_with_the_last_item_still_has_a_key(client, filled):
    response = client.query(TableName=filled, Limit=10, **QUERY)
    assert response["LastEvaluatedKey"] == {"pk": {"S": "a"}, "sk": {"N": "9"}}
    after = client.query(TableName=filled, Limit=10,
                         ExclusiveStartKey=response["LastEvaluatedKey"], **QUERY)
    assert after["Items"] == []
    assert "LastEvaluatedKey" not in after


def test_the_limit_counts_items_before_the_filter(client, filled):
    response = client.query(
        TableName=filled, Limit=4, FilterExpression="even = :no", KeyConditionExpression="pk = :a",
        ExpressionAttributeValues={":a": {"S": "a"}, ":no": {"S": "no"}})
    assert sort_keys(response) == [1, 3]
    assert (response["Count"], response["ScannedCount"]) == (2, 4)
    assert response["LastEvaluatedKey"]["sk"] == {"N": "3"}


def test_a_start_key_need_not_belong_to_an_item(client, filled):
    response = client.query(TableName=filled,
                            ExclusiveStartKey={"pk": {"S": "a"}, "sk": {"N": "6.5"}}, **QUERY)
    assert sort_keys(response) == [7, 8, 9]


def test_paging_within_a_range_stays_within_it(client, filled):
    request = {"KeyConditionExpression": "pk = :a AND sk BETWEEN :2 AND :7",
               "ExpressionAttributeValues": {":a": {"S": "a"}, ":2": {"N": "2"}, ":7": {"N": "7"}}}
    for forward in [True, False]:
        found = pages(client.query, TableName=filled, Limit=4, ScanIndexForward=forward, **request)
        keys = [key for page in found for key in sort_keys(page)]
        assert sorted(keys) == [2, 3, 4, 5, 6, 7]


def test_the_paginator_follows_the_pages(client, filled):
    paginator = client.get_paginator("query").paginate(
        TableName=filled, PaginationConfig={"PageSize": 3}, **QUERY)
    found = list(paginator)
    assert len(found) == 4
    assert [key for page in found for key in sort_keys(page)] == list(range(10))


def test_a_page_follows_a_key_whose_item_is_gone(client, number_table):
    fill(client, number_table, [{"pk": "a", "sk": sk} for sk in range(6)])
    first = client.query(TableName=number_table, Limit=3, **QUERY)
    client.delete_item(TableName=number_table, Key=first["LastEvaluatedKey"])
    second = client.query(TableName=number_table, ExclusiveStartKey=first["LastEvaluatedKey"],
                          **QUERY)
    assert sort_keys(second) == [3, 4, 5]
