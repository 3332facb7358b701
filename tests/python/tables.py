"""Table requests and waits that the tests share."""
import time


def key_schema(*names):
    """A schema of one partition key, and of a sort key if there is a second name."""
    return [{"AttributeName": name, "KeyType": kind}
            for name, kind in zip(names, ["HASH", "RANGE"])]


def definitions(**types):
    return [{"AttributeName": name, "AttributeType": kind} for name, kind in types.items()]


def index(name, *keys, projection="ALL", include=None):
    """An index of the given keys; `include` names the attributes of an INCLUDE projection."""
    described = {"ProjectionType": "INCLUDE" if include else projection}
    if include:
        described["NonKeyAttributes"] = include
    return {"IndexName": name, "KeySchema": key_schema(*keys), "Projection": described}


def string_sorted():
    return {"KeySchema": key_schema("pk", "sk"),
            "AttributeDefinitions": definitions(pk="S", sk="S")}


def number_sorted():
    return {"KeySchema": key_schema("pk", "sk"),
            "AttributeDefinitions": definitions(pk="S", sk="N")}


def wait_until(done, seconds=60):
    """Asks again and again until `done()` gives something true, and returns that."""
    deadline = time.monotonic() + seconds
    while not (result := done()):
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.02)
    return result


def describe(client, table):
    return client.describe_table(TableName=table)["Table"]


def is_active(client, table):
    description = describe(client, table)
    statuses = {entry["IndexStatus"] for entry in description.get("GlobalSecondaryIndexes", [])}
    return description["TableStatus"] == "ACTIVE" and statuses <= {"ACTIVE"}


def wait_active(client, table):
    wait_until(lambda: is_active(client, table))


def fill(client, table, items):
    """Writes many items of plain strings, numbers and bytes."""
    items = list(items)
    for start in range(0, len(items), 25):
        requests = [{"PutRequest": {"Item": typed(item)}} for item in items[start:start + 25]]
        response = client.batch_write_item(RequestItems={table: requests})
        assert response["UnprocessedItems"] == {}


def typed(item):
    """An item of plain strings, numbers and bytes as attribute values."""
    return {name: attribute_value(value) for name, value in item.items()}


def attribute_value(value):
    if isinstance(value, str):
        return {"S": value}
    if isinstance(value, bytes):
        return {"B": value}
    return {"N": str(value)}


def untyped(item):
    """The opposite of `typed`, for items of strings and whole numbers."""
    convert = {"S": str, "N": int, "B": bytes}
    return {name: convert[kind](content) for name, value in item.items()
            for kind, content in value.items()}


def sort_keys(response):
    """The sort keys of a page, in order."""
    return [untyped({"sk": item["sk"]})["sk"] for item in response["Items"]]


def pages(call, **request):
    """All pages of a Query or Scan, followed by LastEvaluatedKey."""
    found = []
    while True:
        found.append(call(**request))
        if "LastEvaluatedKey" not in found[-1]:
            return found
        request["ExclusiveStartKey"] = found[-1]["LastEvaluatedKey"]
