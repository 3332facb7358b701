"""ListTables: names in order, page by page."""
import pytest

from tables import definitions, key_schema


@pytest.fixture
def names(create, name):
    schema = {"KeySchema": key_schema("pk"), "AttributeDefinitions": definitions(pk="S")}
    return [create(TableName=f"{name}-{letter}", **schema) for letter in "cab"]


def test_tables_are_listed_in_the_order_of_their_names(client, names):
    listed = client.list_tables()["TableNames"]
    assert [found for found in listed if found in names] == sorted(names)


def test_a_page_of_limit_tables_ends_with_the_last_name(client, names):
    before = sorted(names)[0][:-1]
    first = client.list_tables(ExclusiveStartTableName=before, Limit=2)
    assert first["TableNames"] == sorted(names)[:2]
    assert first["LastEvaluatedTableName"] == sorted(names)[1]
    second = client.list_tables(ExclusiveStartTableName=first["LastEvaluatedTableName"], Limit=1)
    assert second["TableNames"] == sorted(names)[2:]


def test_the_last_page_has_no_last_name(client, names):
    assert "LastEvaluatedTableName" not in client.list_tables(
        ExclusiveStartTableName=sorted(names)[-1], Limit=100)


def test_the_paginator_finds_every_table_once(client, names):
    pages = client.get_paginator("list_tables").paginate(PaginationConfig={"PageSize": 1})
    listed = [found for page in pages for found in page["TableNames"]]
    assert [found for found in listed if found in names] == sorted(names)
    assert len(listed) == len(set(listed))


def test_the_resource_lists_tables(resource, names):
    assert set(names) <= {table.name for table in resource.tables.all()}
