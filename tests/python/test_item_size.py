"""Items of up to 409,600 bytes, counted to the byte."""
import pytest

LIMIT = 409_600


def item_of(size, **more):
    """An item with the key `a` whose size is exactly `size` bytes."""
    item = {"pk": {"S": "a"}, **more}
    return item | {"v": {"S": "x" * (size - len("pk" + "a" + "v"))}}


def refused(client, call, text):
    with pytest.raises(client.exceptions.ClientError) as error:
        call()
    assert error.value.response["Error"]["Code"] == "ValidationException"
    assert error.value.response["Error"]["Message"].endswith(text)


def test_put_item_takes_the_limit_and_not_a_byte_more(client, table):
    client.put_item(TableName=table, Item=item_of(LIMIT))
    refused(client, lambda: client.put_item(TableName=table, Item=item_of(LIMIT + 1)),
            "Item size has exceeded the maximum allowed size")


def test_batch_write_item_takes_the_limit_and_not_a_byte_more(client, table):
    def write(size):
        client.batch_write_item(RequestItems={table: [{"PutRequest": {"Item": item_of(size)}}]})
    write(LIMIT)
    refused(client, lambda: write(LIMIT + 1), "Item size has exceeded the maximum allowed size")


def test_a_transacted_put_over_the_limit_is_refused_at_the_top(client, table):
    def write(size):
        client.transact_write_items(
            TransactItems=[{"Put": {"TableName": table, "Item": item_of(size)}}])
    write(LIMIT)
    refused(client, lambda: write(LIMIT + 1), "Item size has exceeded the maximum allowed size")


def test_an_update_that_grows_the_item_over_the_limit_is_refused(client, table):
    client.put_item(TableName=table, Item=item_of(LIMIT - 10))
    def grow(count):
        client.update_item(
            TableName=table, Key={"pk": {"S": "a"}}, UpdateExpression="SET g = :g",
            ExpressionAttributeValues={":g": {"S": "y" * count}})
    grow(9)
    refused(client, lambda: grow(10), "Item size to update has exceeded the maximum allowed size")


def test_a_transacted_update_over_the_limit_cancels_the_transaction(client, table):
    client.put_item(TableName=table, Item=item_of(LIMIT - 10))
    with pytest.raises(client.exceptions.TransactionCanceledException) as error:
        client.transact_write_items(TransactItems=[{"Update": {
            "TableName": table, "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET g = :g",
            "ExpressionAttributeValues": {":g": {"S": "y" * 10}}}}])
    reason, = error.value.response["CancellationReasons"]
    assert reason == {
        "Code": "ValidationError",
        "Message": "Item size to update has exceeded the maximum allowed size"}


# An update costs 3, and each of its actions what it targets and writes beside: 19 for SET and ADD,
# 1 for REMOVE and DELETE, and 4 for each further step of a path.
@pytest.mark.parametrize("actions, cost", [
    ("", 0),
    (" REMOVE x", 1 + len("x")),
    (" ADD n :n", 19 + len("n") + 2),
    (", doc.w = :n", 19 + len("doc") + 4 + len("w") + 2),
    (" DELETE labels :s", 1 + len("labels")),
], ids=["set", "remove", "add", "nested", "delete"])
def test_what_an_update_writes_is_limited_with_its_action_cost(client, table, actions, cost):
    values = {":n": {"N": "1"}, ":s": {"SS": ["x"]}}
    client.put_item(TableName=table, Item={"pk": {"S": "a"}, "doc": {"M": {}}})

    def write(count):
        client.update_item(
            TableName=table, Key={"pk": {"S": "a"}}, UpdateExpression="SET v = :v" + actions,
            ExpressionAttributeValues={":v": {"S": "x" * count}} | {
                name: value for name, value in values.items() if name in actions})
    most = LIMIT - 3 - 19 - len("v") - cost
    write(most)
    refused(client, lambda: write(most + 1),
            "Item size to update has exceeded the maximum allowed size")


def test_the_size_of_an_update_comes_before_its_condition(client, table):
    refused(client, lambda: client.update_item(
        TableName=table, Key={"pk": {"S": "a"}}, UpdateExpression="SET v = :v",
        ConditionExpression="attribute_exists(pk)",
        ExpressionAttributeValues={":v": {"S": "x" * LIMIT}}),
        "Item size to update has exceeded the maximum allowed size")


@pytest.mark.parametrize("number, size", [
    ("0", 1), ("1", 2), ("-1", 3), ("10", 2), ("100", 2), ("12", 2), ("123", 3), ("123456", 4),
    ("3.14159", 5), ("1E125", 2), ("0.001", 2), ("-0.5", 3), ("1.5", 3),
])
def test_the_size_of_a_number_follows_its_digits(client, table, number, size):
    rest = LIMIT - len("n") - size
    client.put_item(TableName=table, Item=item_of(rest, n={"N": number}))
    refused(client,
            lambda: client.put_item(TableName=table, Item=item_of(rest + 1, n={"N": number})),
            "Item size has exceeded the maximum allowed size")


@pytest.mark.parametrize("value, size", [
    ({"BOOL": True}, 1), ({"NULL": True}, 1), ({"B": b"abc"}, 3), ({"S": "é"}, 2),
    ({"L": []}, 3), ({"M": {}}, 3), ({"L": [{"S": "ab"}]}, 3 + 1 + 2),
    ({"M": {"k": {"S": "ab"}}}, 3 + 1 + 1 + 2),
    ({"SS": ["a", "bc"]}, 3), ({"BS": [b"a", b"bc"]}, 3), ({"NS": ["1", "22"]}, 4),
], ids=["bool", "null", "binary", "string", "empty list", "empty map", "list", "map",
        "strings", "binaries", "numbers"])
def test_the_size_of_each_type_is_exact(client, table, value, size):
    rest = LIMIT - len("t") - size
    client.put_item(TableName=table, Item=item_of(rest, t=value))
    refused(client, lambda: client.put_item(TableName=table, Item=item_of(rest + 1, t=value)),
            "Item size has exceeded the maximum allowed size")
