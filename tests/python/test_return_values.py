"""ReturnValues: what each write gives back, in all modes."""
import pytest

KEY = {"pk": {"S": "a"}}
OLD = KEY | {"n": {"N": "1"}, "kept": {"S": "k"}, "gone": {"S": "g"},
             "doc": {"M": {"x": {"N": "1"}, "y": {"N": "2"}}},
             "elems": {"L": [{"N": "0"}, {"N": "1"}, {"N": "2"}]}}


@pytest.fixture
def update(client, table):
    def run(expression, returns, values=None):
        client.put_item(TableName=table, Item=OLD)
        request = {"ExpressionAttributeValues": values} if values else {}
        return client.update_item(
            TableName=table, Key=KEY, UpdateExpression=expression, ReturnValues=returns,
            **request).get("Attributes")
    return run


def test_put_returns_nothing_unless_asked(client, table):
    client.put_item(TableName=table, Item=OLD)
    for more in [{}, {"ReturnValues": "NONE"}]:
        assert "Attributes" not in client.put_item(TableName=table, Item=OLD, **more)


def test_put_returns_the_item_it_replaces(client, table):
    assert "Attributes" not in client.put_item(TableName=table, Item=OLD, ReturnValues="ALL_OLD")
    assert client.put_item(TableName=table, Item=KEY, ReturnValues="ALL_OLD")["Attributes"] == OLD


def test_delete_returns_the_item_it_removes(client, table):
    client.put_item(TableName=table, Item=OLD)
    assert client.delete_item(TableName=table, Key=KEY, ReturnValues="ALL_OLD")["Attributes"] == OLD
    assert "Attributes" not in client.delete_item(TableName=table, Key=KEY, ReturnValues="ALL_OLD")
    assert "Attributes" not in client.delete_item(TableName=table, Key=KEY)


def test_update_none_returns_nothing(update):
    assert update("SET n = :n", "NONE", {":n": {"N": "2"}}) is None


def test_update_all_old_returns_the_item_before(update):
    assert update("SET n = :n REMOVE gone", "ALL_OLD", {":n": {"N": "2"}}) == OLD


def test_update_all_new_returns_the_item_after(update):
    expected = {name: value for name, value in OLD.items() if name != "gone"} | {"n": {"N": "2"}}
    assert update("SET n = :n REMOVE gone", "ALL_NEW", {":n": {"N": "2"}}) == expected


def test_update_updated_old_returns_the_touched_attributes_before(update):
    values = {":n": {"N": "2"}, ":new": {"S": "new"}}
    assert update("SET n = :n, fresh = :new REMOVE gone", "UPDATED_OLD", values) == {
        "n": {"N": "1"}, "gone": {"S": "g"}}


def test_update_updated_new_returns_the_touched_attributes_after(update):
    values = {":n": {"N": "2"}, ":new": {"S": "new"}}
    assert update("SET n = :n, fresh = :new REMOVE gone", "UPDATED_NEW", values) == {
        "n": {"N": "2"}, "fresh": {"S": "new"}}


def test_updated_modes_return_only_the_leaf_of_a_nested_path(update):
    assert update("SET doc.x = :n", "UPDATED_NEW", {":n": {"N": "9"}}) == {
        "doc": {"M": {"x": {"N": "9"}}}}
    assert update("SET doc.x = :n", "UPDATED_OLD", {":n": {"N": "9"}}) == {
        "doc": {"M": {"x": {"N": "1"}}}}


def test_updated_modes_return_only_the_touched_elements_of_a_list(update):
    assert update("SET elems[1] = :n", "UPDATED_NEW", {":n": {"N": "9"}}) == {
        "elems": {"L": [{"N": "9"}]}}
    assert update("SET elems[1] = :n", "UPDATED_OLD", {":n": {"N": "9"}}) == {
        "elems": {"L": [{"N": "1"}]}}


def test_an_update_without_effect_returns_no_updated_attributes(update):
    assert update("REMOVE absent", "UPDATED_NEW") is None
    assert update("REMOVE absent", "UPDATED_OLD") is None


def test_an_update_that_makes_the_item_has_nothing_old(client, table):
    for returns in ["ALL_OLD", "UPDATED_OLD"]:
        key = {"pk": {"S": returns}}
        response = client.update_item(
            TableName=table, Key=key, UpdateExpression="SET n = :n",
            ExpressionAttributeValues={":n": {"N": "1"}},
            ReturnValues=returns)
        assert "Attributes" not in response


def test_an_update_that_makes_the_item_returns_it(client, table):
    response = client.update_item(
        TableName=table, Key=KEY, UpdateExpression="SET n = :n",
        ExpressionAttributeValues={":n": {"N": "1"}},
        ReturnValues="ALL_NEW")
    assert response["Attributes"] == KEY | {"n": {"N": "1"}}


def test_the_resource_returns_python_values(resource, table):
    table = resource.Table(table)
    table.put_item(Item={"pk": "a", "n": 1})
    response = table.update_item(
        Key={"pk": "a"}, UpdateExpression="SET n = n + :n", ExpressionAttributeValues={":n": 2},
        ReturnValues="UPDATED_NEW")
    assert response["Attributes"] == {"n": 3}
