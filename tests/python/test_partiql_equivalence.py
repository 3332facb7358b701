"""A statement does what the request with expressions does that says the same.

Random statements run on one table, the requests on another one with the same items. Answers, errors and items must
be the same. A failure names its seed.
"""
import random

import pytest
from boto3.dynamodb.types import TypeDeserializer, TypeSerializer
from botocore.exceptions import ClientError
from tables import number_sorted

PARTITIONS = ["a", "b", "it's"]
SORTS = range(5)
NUMBERS = [-1, 0, 1, 2, 10]
TEXTS = ["", "x", "xy", "y", "it's"]
COMPARATORS = ["=", "<>", "<", "<=", ">", ">="]

serialize = TypeSerializer().serialize
deserialize = TypeDeserializer().deserialize


class Expression:
    """A condition in both languages, with its values."""

    def __init__(self, rng):
        self.rng = rng
        self.values = {}
        self.parameters = []

    def value(self, value):
        """A placeholder for requests; a literal or a parameter for statements."""
        placeholder = f":v{len(self.values)}"
        self.values[placeholder] = serialize(value)
        if self.rng.random() < 0.5:
            self.parameters.append(serialize(value))
            return placeholder, "?"
        if isinstance(value, str):
            return placeholder, "'" + value.replace("'", "''") + "'"
        return placeholder, str(value)

    def compare(self):
        """A condition on attributes outside of the key, as (request, statement)."""
        path, values = self.rng.choice([("n", NUMBERS), ("s", TEXTS), ("m.k", NUMBERS), ("l[0]", TEXTS)])
        kind = self.rng.choice(["compare", "between", "in", "begins", "contains", "missing", "exists"])
        is_quoted = "[" not in path and self.rng.random() < 0.5
        name = ".".join(f'"{part}"' for part in path.split(".")) if is_quoted else path
        pick = lambda: self.value(self.rng.choice(values))
        if kind == "between":
            low, high = sorted([self.rng.choice(values), self.rng.choice(values)])
            (low, low_text), (high, high_text) = self.value(low), self.value(high)
            return f"{path} BETWEEN {low} AND {high}", f"{name} BETWEEN {low_text} AND {high_text}"
        if kind == "in":
            picked = [pick() for _ in range(self.rng.randint(1, 3))]
            listed = lambda side: ", ".join(one[side] for one in picked)
            return f"{path} IN ({listed(0)})", f"{name} IN [{listed(1)}]"
        if kind == "begins":
            value, text = self.value(self.rng.choice(["x", "it"]))
            return f"begins_with({path}, {value})", f"begins_with({name}, {text})"
        if kind == "contains":
            value, text = self.value(self.rng.choice(["x", "y"]))
            return f"contains({path}, {value})", f"contains({name}, {text})"
        if kind == "missing":
            return f"attribute_not_exists({path})", f"{name} IS MISSING"
        if kind == "exists":
            return f"attribute_exists({path})", f"{name} IS NOT MISSING"
        comparator = self.rng.choice(COMPARATORS)
        value, text = pick()
        return f"{path} {comparator} {value}", f"{name} {comparator} {text}"

    def condition(self, depth=0):
        """Conditions with AND, OR and NOT. Values come in the order of the text."""
        kind = self.rng.random()
        if depth == 2 or kind < 0.5:
            return self.compare()
        if kind < 0.6:
            request, statement = self.condition(depth + 1)
            return f"NOT ({request})", f"NOT ({statement})"
        word = self.rng.choice(["AND", "OR"])
        left, right = self.condition(depth + 1), self.condition(depth + 1)
        return f"({left[0]}) {word} ({right[0]})", f"({left[1]}) {word} ({right[1]})"


def random_item(rng, partition, sort):
    item = {"pk": partition, "sk": sort}
    if rng.random() < 0.8:
        item["n"] = rng.choice(NUMBERS)
    if rng.random() < 0.8:
        item["s"] = rng.choice(TEXTS)
    if rng.random() < 0.6:
        item["m"] = {"k": rng.choice(NUMBERS)}
    if rng.random() < 0.6:
        item["l"] = [rng.choice(TEXTS)]
    return {name: serialize(value) for name, value in item.items()}


@pytest.fixture
def tables(create):
    """One table for statements, one for requests."""
    return create(**number_sorted()), create(**number_sorted())


def fill(client, tables, rng):
    for partition in PARTITIONS:
        for sort in rng.sample(SORTS, 3):
            item = random_item(rng, partition, sort)
            for table in tables:
                client.put_item(TableName=table, Item=item)


def outcome(call):
    """The answer, or the name of the error."""
    try:
        return call()
    except ClientError as error:
        return error.response["Error"]["Code"]


def execute(client, statement, parameters):
    request = {"Statement": statement}
    if parameters:
        request["Parameters"] = parameters
    items, token = [], None
    while True:
        answer = client.execute_statement(**request, **({"NextToken": token} if token else {}))
        items += answer["Items"]
        token = answer.get("NextToken")
        if not token:
            return items


def paged(operation, **request):
    items = []
    while True:
        answer = operation(**request)
        items += answer["Items"]
        if "LastEvaluatedKey" not in answer:
            return items
        request["ExclusiveStartKey"] = answer["LastEvaluatedKey"]


def plain(items):
    """Items in the order of their keys."""
    plain = [{name: deserialize(value) for name, value in item.items()} for item in items]
    return sorted(plain, key=lambda item: (item.get("pk", ""), item.get("sk", 0)))


def everything(client, table):
    return plain(paged(client.scan, TableName=table, ConsistentRead=True))


def random_key(rng, expression):
    """What is asked of the key, as (request or None for a scan, statement)."""
    kind = rng.choice(["scan", "partition", "range", "whole"])
    if kind == "scan":
        return None, None
    partition, partition_text = expression.value(rng.choice(PARTITIONS))
    request, statement = f"pk = {partition}", f"pk = {partition_text}"
    if kind == "partition":
        return request, statement
    comparator = "=" if kind == "whole" else rng.choice(["<", "<=", ">", ">="])
    sort, sort_text = expression.value(rng.choice(SORTS))
    return f"{request} AND sk {comparator} {sort}", f"{statement} AND sk {comparator} {sort_text}"


def select_both(client, tables, rng):
    expression = Expression(rng)
    key, key_text = random_key(rng, expression)
    filters = expression.condition() if rng.random() < 0.7 else (None, None)
    where = " AND ".join(text if text == key_text else f"({text})" for text in (key_text, filters[1]) if text)
    statement = f'SELECT * FROM "{tables[0]}"' + (f" WHERE {where}" if where else "")
    request = {"TableName": tables[1]}
    if key:
        request["KeyConditionExpression"] = key
    if filters[0]:
        request["FilterExpression"] = filters[0]
    if expression.values:
        request["ExpressionAttributeValues"] = expression.values
    operation = client.query if key else client.scan
    got = outcome(lambda: plain(execute(client, statement, expression.parameters)))
    assert got == outcome(lambda: plain(paged(operation, **request))), statement


def random_change(rng, expression):
    """A change as (request, statement)."""
    kind = rng.choice(["number", "text", "add", "append", "inside", "remove"])
    if kind == "number":
        value, text = expression.value(rng.choice(NUMBERS))
        return f"SET n = {value}", f"SET n = {text}"
    if kind == "text":
        value, text = expression.value(rng.choice(TEXTS))
        return f"SET s = {value}", f"SET s = {text}"
    if kind == "add":
        value, text = expression.value(rng.choice([1, 2, 10]))
        sign = rng.choice("+-")
        return f"SET n = n {sign} {value}", f"SET n = n {sign} {text}"
    if kind == "append":
        value = rng.choice(["x", "y"])
        expression.values[":list"] = serialize([value])
        return "SET l = list_append(l, :list)", f"SET l = list_append(l, ['{value}'])"
    if kind == "inside":
        value, text = expression.value(rng.choice(NUMBERS))
        return f"SET m.k = {value}", f"SET m.k = {text}"
    path = rng.choice(["n", "s", "m.k", "l[0]"])
    return f"REMOVE {path}", f"REMOVE {path}"


def write_key(rng):
    partition, sort = rng.choice(PARTITIONS), rng.choice(SORTS)
    key = {"pk": serialize(partition), "sk": serialize(sort)}
    partition_text = "'" + partition.replace("'", "''") + "'"
    return key, f"pk = {partition_text} AND sk = {sort}"


def update_both(client, tables, rng):
    expression = Expression(rng)
    change, change_text = random_change(rng, expression)
    key, where = write_key(rng)
    condition = "attribute_exists(pk)"
    if rng.random() < 0.5:
        more, more_text = expression.condition()
        condition, where = f"{condition} AND ({more})", f"{where} AND ({more_text})"
    statement = f'UPDATE "{tables[0]}" {change_text} WHERE {where} RETURNING ALL NEW *'
    request = {
        "TableName": tables[1],
        "Key": key,
        "UpdateExpression": change,
        "ConditionExpression": condition,
        "ReturnValues": "ALL_NEW",
    }
    if expression.values:
        request["ExpressionAttributeValues"] = expression.values
    got = outcome(lambda: plain(execute(client, statement, expression.parameters)))
    assert got == outcome(lambda: plain([client.update_item(**request)["Attributes"]])), statement


def delete_both(client, tables, rng):
    expression = Expression(rng)
    key, where = write_key(rng)
    request = {"TableName": tables[1], "Key": key, "ReturnValues": "ALL_OLD"}
    if rng.random() < 0.5:
        more, more_text = expression.condition()
        # A DELETE that finds no item is done.
        request["ConditionExpression"] = f"attribute_not_exists(pk) OR ({more})"
        request["ExpressionAttributeValues"] = expression.values
        where = f"{where} AND ({more_text})"
    if not expression.values:
        request.pop("ExpressionAttributeValues", None)
    statement = f'DELETE FROM "{tables[0]}" WHERE {where} RETURNING ALL OLD *'
    old = lambda answer: [answer["Attributes"]] if "Attributes" in answer else []
    got = outcome(lambda: plain(execute(client, statement, expression.parameters)))
    assert got == outcome(lambda: plain(old(client.delete_item(**request)))), statement


def insert_both(client, tables, rng):
    item = random_item(rng, rng.choice(PARTITIONS), rng.choice(SORTS))
    attributes = ", ".join(f"'{name}': ?" for name in item)
    statement = f'INSERT INTO "{tables[0]}" VALUE {{{attributes}}}'
    got = outcome(lambda: execute(client, statement, list(item.values())))
    condition = "attribute_not_exists(pk)"
    put = lambda: client.put_item(TableName=tables[1], Item=item, ConditionExpression=condition)
    expected = outcome(put)
    names = {"ConditionalCheckFailedException": "DuplicateItemException"}
    assert got == (names[expected] if isinstance(expected, str) else []), statement


@pytest.mark.parametrize("seed", range(8))
def test_random_statements_do_what_requests_do(client, tables, seed):
    rng = random.Random(seed)
    fill(client, tables, rng)
    for _ in range(60):
        step = rng.choice([select_both, select_both, update_both, delete_both, insert_both])
        step(client, tables, rng)
    assert everything(client, tables[0]) == everything(client, tables[1])
