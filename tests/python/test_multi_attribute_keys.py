"""Index keys of up to four partition and four sort attributes."""
import pytest

from tables import definitions, describe, fill, key_schema, pages

SORT = ["yr", "mon", "dom"]
EVERYTHING = [(yr, mon, dom) for yr in [2024, 2025] for mon in [2, 11] for dom in [1, 10]]


def multi(name, partition, sort):
    elements = [{"AttributeName": key, "KeyType": "HASH"} for key in partition]
    elements += [{"AttributeName": key, "KeyType": "RANGE"} for key in sort]
    return {"IndexName": name, "KeySchema": elements, "Projection": {"ProjectionType": "ALL"}}


INDEX = multi("by-place", ["country", "city"], SORT)


@pytest.fixture(scope="module")
def indexed(client, create_once):
    table = create_once(
        KeySchema=key_schema("pk"), GlobalSecondaryIndexes=[INDEX],
        AttributeDefinitions=definitions(pk="S", country="S", city="S", yr="N", mon="N", dom="N"))
    fill(client, table, [
        {"pk": f"{city}-{yr}-{mon}-{dom}", "country": "uk", "city": city, "yr": yr,
         "mon": mon, "dom": dom}
        for city in ["leeds", "york"] for yr, mon, dom in EVERYTHING])
    fill(client, table, [{"pk": "sparse", "country": "uk", "city": "york", "yr": 2024, "mon": 2}])
    return table


def query(client, table, condition="", **more):
    numbers = more.pop("numbers", {})
    values = {":country": {"S": "uk"}, ":city": {"S": "york"}}
    values |= {f":{name}": {"N": str(number)} for name, number in numbers.items()}
    found = pages(
        client.query, TableName=table, IndexName="by-place", ExpressionAttributeValues=values,
        KeyConditionExpression="country = :country AND city = :city" + condition, **more)
    return [tuple(int(item[name]["N"]) for name in SORT) for page in found
            for item in page["Items"]]


def test_the_schema_is_described_in_order(client, indexed):
    described, = describe(client, indexed)["GlobalSecondaryIndexes"]
    assert described["KeySchema"] == INDEX["KeySchema"]


def test_items_are_sorted_by_one_attribute_after_the_other(client, indexed):
    assert query(client, indexed) == EVERYTHING
    assert query(client, indexed, ScanIndexForward=False) == EVERYTHING[::-1]


@pytest.mark.parametrize("condition, numbers, expected", [
    (" AND yr = :y", {"y": 2024}, EVERYTHING[:4]),
    (" AND yr > :y", {"y": 2024}, EVERYTHING[4:]),
    (" AND yr = :y AND mon = :m", {"y": 2024, "m": 11}, EVERYTHING[2:4]),
    (" AND yr = :y AND mon < :m", {"y": 2025, "m": 11}, EVERYTHING[4:6]),
    (" AND yr = :y AND mon = :m AND dom >= :d", {"y": 2024, "m": 2, "d": 5}, [(2024, 2, 10)]),
    (" AND yr = :y AND mon BETWEEN :m AND :n", {"y": 2024, "m": 1, "n": 5}, EVERYTHING[:2]),
])
def test_conditions_narrow_the_sort_key_from_the_left(client, indexed, condition,
                                                      numbers, expected):
    assert query(client, indexed, condition, numbers=numbers) == expected
    assert query(client, indexed, condition, numbers=numbers,
                 ScanIndexForward=False) == expected[::-1]


@pytest.mark.parametrize("limit", [1, 3])
@pytest.mark.parametrize("forward", [True, False])
def test_pages_hold_every_item_once(client, indexed, limit, forward):
    expected = EVERYTHING if forward else EVERYTHING[::-1]
    assert query(client, indexed, Limit=limit, ScanIndexForward=forward) == expected


def test_the_page_key_holds_all_key_attributes(client, indexed):
    response = client.query(
        TableName=indexed, IndexName="by-place", Limit=1,
        KeyConditionExpression="country = :a AND city = :b",
        ExpressionAttributeValues={":a": {"S": "uk"}, ":b": {"S": "leeds"}})
    assert set(response["LastEvaluatedKey"]) == {"pk", "country", "city", *SORT}


def test_an_item_that_lacks_one_key_attribute_is_not_in_the_index(client, indexed):
    names = [item["pk"]["S"]
             for item in client.scan(TableName=indexed, IndexName="by-place")["Items"]]
    assert len(names) == 16
    assert "sparse" not in names


def test_four_and_four_attributes_are_the_most(client, create):
    table = create(
        KeySchema=key_schema("pk"),
        AttributeDefinitions=definitions(pk="S", **{letter: "S" for letter in "abcdefgh"}),
        GlobalSecondaryIndexes=[multi("wide", "abcd", "efgh")])
    fill(client, table, [{"pk": "x", **{letter: letter for letter in "abcdefgh"}}])
    response = client.query(
        TableName=table, IndexName="wide",
        KeyConditionExpression=" AND ".join(f"{letter} = :{letter}" for letter in "abcdefgh"),
        ExpressionAttributeValues={f":{letter}": {"S": letter} for letter in "abcdefgh"})
    assert response["Count"] == 1


def test_a_gap_in_the_sort_conditions_is_refused(client, indexed):
    with pytest.raises(client.exceptions.ClientError) as error:
        query(client, indexed, " AND yr = :y AND dom = :d", numbers={"y": 2024, "d": 1})
    assert error.value.response["Error"]["Message"].endswith(
        "RANGE key attributes mon must have equality conditions specified in the query "
        "because a condition is present on key attribute dom")


def test_every_partition_attribute_needs_a_condition(client, indexed):
    with pytest.raises(client.exceptions.ClientError) as error:
        client.query(
            TableName=indexed, IndexName="by-place", KeyConditionExpression="country = :a",
            ExpressionAttributeValues={":a": {"S": "uk"}})
    assert error.value.response["Error"]["Message"] == (
        "Query condition missed key schema element: city")
