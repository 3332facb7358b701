"""The steps of the worked models, by the functions of generated code."""
import time

import pytest

from expectation import difference, plain
from models import NAMES, arguments, conformance, keys_of_batch, model, steps, typed

# Steps that are no requests: they look at streams, and merge answers.
WATCHING = {"ReadStream", "MergeSorted"}


def expire(client, table, table_keys, keys):
    """Does what the table's time to live does at a later moment."""
    for key in keys:
        names = table_keys[table]
        client.delete_item(TableName=table, Key={name: typed(one) for name, one in zip(names, key)})


def call_raw(client, operation, params):
    method = getattr(client, "".join("_" + c.lower() if c.isupper() else c for c in operation)[1:])
    try:
        method(**params)
    except client.exceptions.ClientError:
        pass  # Some steps expect to fail; the conformance suite checks how.
    if operation == "UpdateTable":
        wait_for_indexes(client, params["TableName"])


def wait_for_indexes(client, table, seconds=30):
    """A new index is filled in the background, and nobody may ask it before that is done."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        described = client.describe_table(TableName=table)["Table"]
        indexes = described.get("GlobalSecondaryIndexes", [])
        if all(index["IndexStatus"] == "ACTIVE" for index in indexes):
            return
        time.sleep(0.02)
    raise AssertionError(f"the indexes of {table} are not active after {seconds} s")


@pytest.fixture
def tables(client, no_tables):
    """Makes the tables of a model and loads its items."""
    made = {}

    def make(description):
        first = description.get("initialTable", description["table"])
        for table in [first, *description.get("moreTables", [])]:
            client.create_table(**{k: v for k, v in table.items() if k != "TimeToLiveSpecification"})
            made[table["TableName"]] = [key["AttributeName"] for key in table["KeySchema"]]
            client.get_waiter("table_exists").wait(TableName=table["TableName"])
        for entry in description.get("fixture", []):
            client.put_item(TableName=entry.get("table", first["TableName"]), Item=entry["item"])
        return made

    return make


def page_of(entry, params):
    page = {}
    kept = {name: params[name] for name in entry.get("keep", []) if name in params}
    if "Limit" in kept:
        page["limit"] = kept.pop("Limit")
    if "ScanIndexForward" in entry.get("keep", []):
        page["descending"] = not kept.pop("ScanIndexForward", True)
    if "request" in entry:
        page["request"] = entry["request"] - 1
    if "ExclusiveStartKey" in kept:
        page["key"] = kept.pop("ExclusiveStartKey")
    return page, kept


def are_of(rows, items):
    """Whether the rows are some of the items, in their order and with their values."""
    left = iter([{plain(value) for value in item.values()} for item in items])
    wanted = ({plain(value) for value in row.values()} for row in rows)
    return all(any(row <= item for item in left) for row in wanted)


@pytest.mark.parametrize("name", NAMES)
def test_steps_get_what_they_expect(language, client, tables, name):
    of, description, entries = model(name), conformance(name), steps(name)
    table_keys = tables(description)
    wrong, uncovered = [], []
    for step in description["scenario"]:
        entry, params, operation = entries[step["step"]], step["params"], step["operation"]
        answer = None
        if "run" in entry:
            found = arguments(of, entry, params)
            pattern = of["patterns"][entry["run"]]
            if pattern["operation"] == "batch-get":
                found = keys_of_batch(pattern, found)
            page, kept = page_of(entry, params)
            answer = language.call(name, entry["run"], found, page, kept)
            if answer.get("missing"):
                uncovered.append(entry["run"])
                answer = None
        if answer is None:
            if operation == "TtlSweep":
                expire(client, params["TableName"], table_keys, step["expect"]["keys"])
            elif operation not in WATCHING:
                call_raw(client, operation, params)
            continue
        if "failure" in answer:
            wrong.append(f"{step['step']} {entry['run']}: {answer['failure']}")
            continue
        calls = [call for call in answer["calls"] if call["operation"] == operation]
        if not calls:
            wrong.append(f"{step['step']} {entry['run']}: no {operation} in {answer}")
            continue
        raw = calls[0]["answer"]
        table = params.get("TableName", "")
        problems = difference(step["expect"], table, raw, answer.get("error"), table_keys)
        if "Items" in raw and not are_of(answer["result"], raw["Items"]):
            problems.append(f"rows {answer['result']} of {raw['Items']}")
        wrong += [f"{step['step']} {entry['run']}: {problem}" for problem in problems]
    assert wrong == []
    assert uncovered == []
