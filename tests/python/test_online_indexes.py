"""Indexes added to and removed from a table with data, while it is written."""
import threading

import pytest

from tables import definitions, describe, fill, index, pages, wait_active, wait_until


def add(client, table, new, **types):
    return client.update_table(
        TableName=table, AttributeDefinitions=definitions(**types),
        GlobalSecondaryIndexUpdates=[{"Create": new}])


def entries(client, table, name):
    found = pages(client.scan, TableName=table, IndexName=name)
    return {(item["g"]["S"], item["pk"]["S"]) for page in found for item in page["Items"]}


def contents(client, table):
    found = pages(client.scan, TableName=table, ConsistentRead=True)
    return {(item["g"]["S"], item["pk"]["S"]) for page in found for item in page["Items"]
            if "g" in item}


def test_a_new_index_holds_the_items_that_were_there(client, table):
    fill(client, table,
         [{"pk": f"k{number}", "g": f"g{number % 3}"} for number in range(50)] + [{"pk": "sparse"}])
    response = add(client, table, index("by-g", "g"), pk="S", g="S")["TableDescription"]
    assert response["TableStatus"] == "UPDATING"
    created, = response["GlobalSecondaryIndexes"]
    assert created["IndexStatus"] == "CREATING"
    wait_active(client, table)
    assert entries(client, table, "by-g") == contents(client, table)
    assert len(entries(client, table, "by-g")) == 50
    assert "Backfilling" not in describe(client, table)["GlobalSecondaryIndexes"][0]


def test_writes_during_the_backfill_are_not_missed(client, table):
    fill(client, table, [{"pk": f"k{number}", "g": "old"} for number in range(500)])
    stop = threading.Event()

    def write(worker):
        number = worker
        while not stop.is_set():
            key = {"pk": {"S": f"k{number % 600}"}}
            if number % 5 == 0:
                client.delete_item(TableName=table, Key=key)
            else:
                client.put_item(TableName=table, Item=key | {"g": {"S": f"new{number % 7}"}})
            number += 4

    writers = [threading.Thread(target=write, args=(worker,)) for worker in range(4)]
    for writer in writers:
        writer.start()
    try:
        add(client, table, index("by-g", "g"), pk="S", g="S")
        wait_active(client, table)
    finally:
        stop.set()
        for writer in writers:
            writer.join()
    assert entries(client, table, "by-g") == contents(client, table)


def test_an_index_is_removed_and_its_definition_with_it(client, table):
    add(client, table, index("by-g", "g"), pk="S", g="S")
    wait_active(client, table)
    client.update_table(TableName=table,
                        GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "by-g"}}])
    wait_until(lambda: "GlobalSecondaryIndexes" not in describe(client, table))
    wait_active(client, table)
    assert describe(client, table)["AttributeDefinitions"] == definitions(pk="S")
    with pytest.raises(client.exceptions.ClientError) as error:
        client.scan(TableName=table, IndexName="by-g")
    assert error.value.response["Error"]["Message"] == (
        "The table does not have the specified index: by-g")


def test_an_index_made_again_under_the_name_holds_no_old_entries(client, table):
    fill(client, table, [{"pk": "a", "g": "x"}])
    add(client, table, index("by-g", "g"), pk="S", g="S")
    wait_active(client, table)
    client.update_table(TableName=table,
                        GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "by-g"}}])
    wait_until(lambda: "GlobalSecondaryIndexes" not in describe(client, table))
    wait_active(client, table)
    client.delete_item(TableName=table, Key={"pk": {"S": "a"}})
    add(client, table, index("by-g", "g"), pk="S", g="S")
    wait_active(client, table)
    assert entries(client, table, "by-g") == set()


def test_definitions_of_an_added_index_join_the_stored_ones(client, table):
    add(client, table, index("by-g", "g"), pk="S", g="S", unused="N")
    wait_active(client, table)
    assert sorted(describe(client, table)["AttributeDefinitions"],
                  key=lambda entry: entry["AttributeName"]) == definitions(g="S", pk="S")


def test_items_whose_attribute_has_another_type_are_left_out_of_a_new_index(client, table):
    client.put_item(TableName=table, Item={"pk": {"S": "number"}, "g": {"N": "1"}})
    fill(client, table, [{"pk": "string", "g": "x"}])
    add(client, table, index("by-g", "g"), pk="S", g="S")
    wait_active(client, table)
    assert entries(client, table, "by-g") == {("x", "string")}


def test_a_definition_that_contradicts_the_stored_one_is_passed_over(client, table):
    add(client, table, index("by-g", "g"), pk="N", g="S")
    wait_active(client, table)
    assert sorted(describe(client, table)["AttributeDefinitions"],
                  key=lambda entry: entry["AttributeName"]) == definitions(g="S", pk="S")


def test_a_definition_that_another_index_needs_stays(client, table):
    for name in ["first", "second"]:
        add(client, table, index(name, "g"), pk="S", g="S")
        wait_active(client, table)
    client.update_table(TableName=table,
                        GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "first"}}])
    wait_until(lambda: len(describe(client, table)["GlobalSecondaryIndexes"]) == 1)
    names = {entry["AttributeName"] for entry in describe(client, table)["AttributeDefinitions"]}
    assert names == {"pk", "g"}
