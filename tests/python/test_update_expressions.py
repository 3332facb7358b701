"""UpdateExpression: SET, REMOVE, ADD and DELETE on every kind of path."""
import pytest

KEY = {"pk": {"S": "a"}}


@pytest.fixture
def updated(client, table):
    """Applies an expression to an item and returns the item, without its key."""
    def run(expression, before, values=None, names=None):
        client.put_item(TableName=table, Item=KEY | before)
        request = {}
        if values:
            request["ExpressionAttributeValues"] = values
        if names:
            request["ExpressionAttributeNames"] = names
        after = client.update_item(
            TableName=table, Key=KEY, UpdateExpression=expression, ReturnValues="ALL_NEW",
            **request)["Attributes"]
        assert client.get_item(TableName=table, Key=KEY, ConsistentRead=True)["Item"] == after
        return {name: value for name, value in after.items() if name not in KEY}
    return run


N = lambda number: {"N": str(number)}
S = lambda text: {"S": text}
L = lambda *values: {"L": list(values)}
M = lambda **members: {"M": members}


@pytest.mark.parametrize("expression, before, values, after", [
    ("SET a = :v", {}, {":v": S("x")}, {"a": S("x")}),
    ("SET a = b", {"b": N(1)}, None, {"a": N(1), "b": N(1)}),
    ("SET a = b, b = a", {"a": N(1), "b": N(2)}, None, {"a": N(2), "b": N(1)}),
    ("SET a = a + :v", {"a": N(1)}, {":v": N(2)}, {"a": N(3)}),
    ("SET a = a - :v", {"a": N(1)}, {":v": N("2.5")}, {"a": N("-1.5")}),
    ("SET a = :v + b", {"b": N(1)}, {":v": N(2)}, {"a": N(3), "b": N(1)}),
    ("SET a = if_not_exists(a, :v)", {}, {":v": N(7)}, {"a": N(7)}),
    ("SET a = if_not_exists(a, :v)", {"a": N(1)}, {":v": N(7)}, {"a": N(1)}),
    ("SET a = if_not_exists(a, :zero) + :one", {}, {":zero": N(0), ":one": N(1)}, {"a": N(1)}),
    ("SET a = list_append(a, :v)", {"a": L(N(1))}, {":v": L(N(2))}, {"a": L(N(1), N(2))}),
    ("SET a = list_append(:v, a)", {"a": L(N(1))}, {":v": L(N(2))}, {"a": L(N(2), N(1))}),
    ("SET a = list_append(if_not_exists(a, :e), :v)", {}, {":e": L(), ":v": L(N(1))},
     {"a": L(N(1))}),
    ("SET a.b = :v", {"a": M(c=N(1))}, {":v": N(2)}, {"a": M(b=N(2), c=N(1))}),
    ("SET a.b.c = :v", {"a": M(b=M())}, {":v": N(2)}, {"a": M(b=M(c=N(2)))}),
    ("SET a[0] = :v", {"a": L(N(1), N(2))}, {":v": N(9)}, {"a": L(N(9), N(2))}),
    ("SET a[7] = :v", {"a": L(N(1))}, {":v": N(9)}, {"a": L(N(1), N(9))}),
    ("SET a[0].b = :v", {"a": L(M())}, {":v": N(9)}, {"a": L(M(b=N(9)))}),
    ("REMOVE a", {"a": N(1), "b": N(2)}, None, {"b": N(2)}),
    ("REMOVE a, b", {"a": N(1), "b": N(2)}, None, {}),
    ("REMOVE a.b", {"a": M(b=N(1), c=N(2))}, None, {"a": M(c=N(2))}),
    ("REMOVE a[0], a[2]", {"a": L(N(0), N(1), N(2), N(3))}, None, {"a": L(N(1), N(3))}),
    ("REMOVE a[9]", {"a": L(N(0))}, None, {"a": L(N(0))}),
    ("REMOVE absent", {"a": N(1)}, None, {"a": N(1)}),
    ("ADD a :v", {}, {":v": N(5)}, {"a": N(5)}),
    ("ADD a :v", {"a": N(1)}, {":v": N("-5")}, {"a": N(-4)}),
    ("ADD a.b :v", {"a": M(b=N(1))}, {":v": N(5)}, {"a": M(b=N(6))}),
    ("SET a = :v REMOVE b ADD c :v", {"b": N(1), "c": N(1)}, {":v": N(2)}, {"a": N(2), "c": N(3)}),
    ("set a = :v remove b", {"b": N(1)}, {":v": N(2)}, {"a": N(2)}),
])
def test_an_update_gives_the_item(updated, expression, before, values, after):
    assert updated(expression, before, values) == after


@pytest.mark.parametrize("expression, before, value, after", [
    ("ADD a :v", {}, {"SS": ["x"]}, {"x"}),
    ("ADD a :v", {"a": {"SS": ["x", "y"]}}, {"SS": ["y", "z"]}, {"x", "y", "z"}),
    ("DELETE a :v", {"a": {"SS": ["x", "y"]}}, {"SS": ["y", "z"]}, {"x"}),
    ("ADD a :v", {"a": {"NS": ["1"]}}, {"NS": ["1.0", "2"]}, {"1", "2"}),
    ("DELETE a :v", {"a": {"NS": ["1", "2"]}}, {"NS": ["2.00"]}, {"1"}),
    ("ADD a :v", {"a": {"BS": [b"1"]}}, {"BS": [b"2"]}, {b"1", b"2"}),
])
def test_sets_gain_and_lose_members(updated, expression, before, value, after):
    (kind, content), = updated(expression, before, {":v": value})["a"].items()
    assert kind == next(iter(value))
    assert set(content) == after


def test_a_set_without_members_goes_away(updated):
    assert updated("DELETE a :v", {"a": {"SS": ["x"]}}, {":v": {"SS": ["x"]}}) == {}


def test_deleting_from_a_set_that_is_not_there_does_nothing(updated):
    assert updated("DELETE a :v", {}, {":v": {"SS": ["x"]}}) == {}


def test_names_stand_for_parts_of_a_path(updated):
    names = {"#a": "a.b", "#c": "size"}
    assert updated("SET #a.#c = :v", {"a.b": M()}, {":v": N(1)}, names) == {"a.b": M(size=N(1))}


def test_an_update_makes_the_item_that_is_not_there(client, table):
    client.update_item(TableName=table, Key=KEY)
    assert client.get_item(TableName=table, Key=KEY)["Item"] == KEY


def test_an_update_that_fails_changes_nothing(client, table):
    client.put_item(TableName=table, Item=KEY | {"a": N(1), "b": S("text")})
    with pytest.raises(client.exceptions.ClientError) as error:
        client.update_item(
            TableName=table, Key=KEY, UpdateExpression="SET a = a + :v, b = b + :v",
            ExpressionAttributeValues={":v": N(1)})
    assert error.value.response["Error"]["Message"] == (
        "An operand in the update expression has an incorrect data type")
    assert client.get_item(TableName=table, Key=KEY)["Item"]["a"] == N(1)
