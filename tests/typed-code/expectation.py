"""What a step expects of its answer. `crates/conformance/src/models/expectation.rs` has the meanings."""
from decimal import Decimal


def plain(value):
    """A comparable form of a value: exact numbers, and sets without order."""
    ((kind, content),) = value.items()
    if kind == "N":
        return (kind, Decimal(content))
    if kind == "L":
        return (kind, tuple(plain(one) for one in content))
    if kind == "M":
        return (kind, frozenset((name, plain(one)) for name, one in content.items()))
    if kind == "NS":
        return (kind, frozenset(Decimal(number) for number in content))
    if kind in ("SS", "BS"):
        return (kind, frozenset(content))
    return (kind, content)


def plain_item(item):
    return {name: plain(value) for name, value in (item or {}).items()}


def key_value(value):
    return ("S", value) if isinstance(value, str) else ("N", Decimal(str(value)))


def items_of(table, answer):
    """The items of an answer with their tables."""
    items = [(table, answer["Item"])] if "Item" in answer else []
    items += [(table, item) for item in answer.get("Items", [])]
    responses = answer.get("Responses", {})
    if isinstance(responses, dict):
        for name, found in responses.items():
            items += [(name, item) for item in found]
    return items


def difference(expect, table, answer, error, table_keys):
    """What differs between an expectation and an answer."""
    if error is not None or "error" in expect:
        code = None if error is None else error["code"]
        if expect.get("error") != code:
            return [f"{expect.get('error')} is not {error}"]
        reasons = expect.get("reasons", error["reasons"])
        return [] if reasons == error["reasons"] else [f"{reasons} is not {error['reasons']}"]
    items = items_of(table, answer)
    found = Found(answer, items, table_keys)
    wrong = [name for name, wanted in expect.items() if not found.agrees(name, wanted, expect)]
    return [f"{name}: {expect[name]} of {answer}" for name in wrong]


class Found:
    """An answer in comparable form."""

    def __init__(self, answer, items, table_keys):
        self.answer = answer
        self.items = [plain_item(item) for _, item in items]
        self.keys = [
            [plain(item[name]) for name in table_keys[table] if name in item] for table, item in items
        ]

    def agrees(self, name, wanted, expect):
        if name in ("ok", "unordered", "exact"):
            return not self.answer.get("UnprocessedItems")
        if name == "keys":
            keys = [[key_value(value) for value in key] for key in wanted]
            order = sorted if "unordered" in expect else list
            return order(self.keys) == order(keys)
        if name == "count":
            return self.answer.get("Count", len(self.items)) == wanted
        if name == "scannedCount":
            return self.answer.get("ScannedCount") == wanted
        if name == "lastEvaluatedKey":
            return plain_item(self.answer.get("LastEvaluatedKey")) == plain_item(wanted)
        if name == "item":
            covers = all(plain_item(wanted).items() <= item.items() for item in self.items)
            return (not self.items) == (wanted is None) and covers
        if name == "absent":
            return not any(one in item for one in wanted for item in self.items)
        if name == "attributes":
            found, wanted = plain_item(self.answer.get("Attributes")), plain_item(wanted)
            return wanted.items() <= found.items() and (expect.get("exact") is False or found == wanted)
        if name == "attributeNames":
            return all(set(item) == set(wanted) for item in self.items)
        if name == "sum":
            attribute, total = wanted
            return sum(item[attribute][1] for item in self.items) == Decimal(str(total))
        raise ValueError(f"{name} cannot be expected")
