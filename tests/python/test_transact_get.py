"""TransactGetItems: one moment of up to 100 items."""
import pytest

from tables import fill


def get(table, name, **more):
    return {"Get": {"TableName": table, "Key": {"pk": {"S": name}}, **more}}


def test_responses_are_in_the_order_of_the_request(client, table):
    fill(client, table, [{"pk": "a", "n": 1}, {"pk": "b", "n": 2}])
    response = client.transact_get_items(
        TransactItems=[get(table, "b"), get(table, "absent"), get(table, "a")])
    assert [found.get("Item", {}).get("n") for found in response["Responses"]] == [
        {"N": "2"}, None, {"N": "1"}]
    assert response["Responses"][1] == {}


def test_several_tables_are_read_at_once(client, table, string_table):
    fill(client, table, [{"pk": "a"}])
    fill(client, string_table, [{"pk": "a", "sk": "b"}])
    response = client.transact_get_items(TransactItems=[
        get(table, "a"),
        {"Get": {"TableName": string_table, "Key": {"pk": {"S": "a"}, "sk": {"S": "b"}}}}])
    assert all("Item" in found for found in response["Responses"])


def test_100_items_are_read_at_once(client, table):
    fill(client, table, [{"pk": f"k{number}"} for number in range(100)])
    response = client.transact_get_items(
        TransactItems=[get(table, f"k{number}") for number in range(100)])
    assert len(response["Responses"]) == 100


def test_a_missing_table_is_not_found(client, table, name):
    with pytest.raises(client.exceptions.ResourceNotFoundException):
        client.transact_get_items(TransactItems=[get(table, "a"), get(name, "a")])
