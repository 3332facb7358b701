"""Operations on items, by generated code: what is stored is what the model builds."""
import json
import subprocess
from decimal import Decimal
from typing import get_args, get_type_hints

import pytest

from expectation import plain_item
from languages import load
from models import FIXTURES, NAMES, file_of, model, shown_items, typed

SAMPLED = [*NAMES, *FIXTURES]


class Store:
    """The tables of a model, by a generated module and by the client itself."""

    def __init__(self, language, client, name):
        self.language, self.client, self.name = language, client, name

    def do(self, *actions):
        """Does something with one item, or several things in a transaction."""
        named = [dict(zip(("entity", "operation", "given"), (*one[:2], list(one[2:])))) for one in actions]
        return self.language.perform(self.name, named)

    def stored(self, shown):
        """The item that is stored with the key of another."""
        described = self.client.describe_table(TableName=shown["table"])["Table"]
        key = {part["AttributeName"]: shown["item"][part["AttributeName"]] for part in described["KeySchema"]}
        answer = self.client.get_item(TableName=shown["table"], Key=key)
        return plain_item(answer.get("Item"))


@pytest.fixture
def store(language, client, binary, endpoint, no_tables):
    def make(name):
        command = [binary, "model", "apply", str(file_of(name)), "--endpoint", endpoint, "--yes"]
        subprocess.run(command, check=True, capture_output=True)
        return Store(language, client, name)

    return make


def failed(answer):
    return answer.get("error", {}).get("code") or answer.get("failure")


def samples(binary, name):
    """Some items of each entity."""
    flags = ["--samples"] if name in FIXTURES else []
    by_entity = {}
    for shown in shown_items(binary, file_of(name), *flags):
        by_entity.setdefault(shown["entity"], []).append(shown)
    return {entity: shown[:4] for entity, shown in by_entity.items()}


def built(binary, folder, name, attributes):
    """What the model builds from attributes: entities with lists of them."""
    if not attributes:
        return {}
    file = folder / "model.json"
    file.write_text(json.dumps({**model(name), "samples": attributes}, default=str))
    found = {}
    for shown in shown_items(binary, file, "--samples"):
        found.setdefault(shown["entity"], []).append(shown)
    return found


class Shape:
    """What the types of a module say of an entity."""

    def __init__(self, module, entity):
        names = {name.lower().replace("_", ""): name for name in vars(module)}
        self.name = names[f"{entity}Entity".lower()].removesuffix("Entity")
        self.module = module

    def members(self, end):
        of = getattr(self.module, f"{self.name}{end}", None)
        return {} if of is None else get_type_hints(of, vars(self.module))

    def key(self, attributes):
        return {"M": {name: attributes[name] for name in self.members("Key") if name in attributes}}

    def changes(self, attributes, others):
        """Patches, each with what the item has afterwards."""
        for field, kind in self.members("Patch").items():
            group = get_type_hints(kind, vars(self.module)) if hasattr(kind, "__total__") else None
            members = {field: kind} if group is None else group
            for other in others:
                values = {name: other.get(name) for name in members}
                yield from self.change(attributes, field, group, members, values)
            for name in members:
                values = {**{one: attributes.get(one) for one in members}, name: None}
                yield from self.change(attributes, field, group, members, values)

    def change(self, attributes, field, group, members, values):
        is_removed = [name for name, value in values.items() if value is None]
        if any(type(None) not in get_args(members[name]) for name in is_removed):
            return
        after = {name: value for name, value in {**attributes, **values}.items() if value is not None}
        given = {name: {"NULL": True} if value is None else value for name, value in values.items()}
        yield {field: {"M": given}} if group is not None else given, after


@pytest.mark.parametrize("name", SAMPLED)
def test_items_are_created_once_read_and_deleted(store, modules, binary, name):
    store, module = store(name), load(modules, name)
    for entity, shown in samples(binary, name).items():
        one = shown[0]
        given, key = {"M": one["attributes"]}, Shape(module, entity).key(one["attributes"])
        assert failed(store.do((entity, "create", given))) is None
        assert store.stored(one) == plain_item(one["item"])
        assert failed(store.do((entity, "create", given))) == "ConditionalCheckFailedException"
        found = store.do((entity, "get", key, {"BOOL": True}))
        assert [plain_item(row) for row in found["result"]] == [plain_item(one["attributes"])]
        assert failed(store.do((entity, "delete", key))) is None
        assert store.stored(one) == {}
        assert store.do((entity, "get", key))["result"] == []
        assert failed(store.do((entity, "put", given))) is None
        assert failed(store.do((entity, "put", given))) is None
        assert store.stored(one) == plain_item(one["item"])


@pytest.mark.parametrize("name", SAMPLED)
def test_a_patch_leaves_what_the_model_builds(store, modules, binary, tmp_path, name):
    store, module = store(name), load(modules, name)
    locks = {entity: one.get("lock") for entity, one in model(name)["entities"].items()}
    cases = []
    for entity, shown in samples(binary, name).items():
        attributes, shape = shown[0]["attributes"], Shape(module, entity)
        for change, after in shape.changes(attributes, [one["attributes"] for one in shown[1:]]):
            read = attributes.get(locks[entity])
            if read is not None:
                after = {**after, locks[entity]: {"N": str(int(read["N"]) + 1)}}
            cases.append((entity, shown[0], shape.key(attributes), change, read, after))
    wanted = {}
    for entity, *_, after in cases:
        wanted.setdefault(entity, []).append(after)
    expected = built(binary, tmp_path, name, wanted)
    for entity, before, key, change, read, _ in cases:
        assert failed(store.do((entity, "put", {"M": before["attributes"]}))) is None
        lock = [] if read is None else [read]
        assert failed(store.do((entity, "patch", key, {"M": change}, *lock))) is None, (entity, change)
        item = expected[entity].pop(0)["item"]
        assert store.stored(before) == plain_item(item), (entity, change)


def test_a_patch_of_an_older_state_is_refused(store, binary):
    store = store("operations")
    task = samples(binary, "operations")["Task"][0]
    store.do(("Task", "create", {"M": task["attributes"]}))
    patch = ("Task", "patch", {"M": {"id": typed("1")}}, {"M": {"note": typed("c")}})
    assert failed(store.do((*patch, typed(1)))) is None
    assert failed(store.do((*patch, typed(1)))) == "ConditionalCheckFailedException"
    assert failed(store.do((*patch, typed(2)))) is None
    missing = ("Task", "patch", {"M": {"id": typed("none")}}, {"M": {"note": typed("c")}}, typed(1))
    assert failed(store.do(missing)) == "ConditionalCheckFailedException"


def test_writes_of_a_transaction_are_made_together(store, binary):
    store = store("operations")
    first, second = samples(binary, "operations")["Task"]
    create = [("Task", "creating", {"M": one["attributes"]}) for one in (first, second)]
    key = {"M": {"id": typed("1")}}
    assert failed(store.do(*create)) is None
    assert [store.stored(one) for one in (first, second)] == [plain_item(first["item"]), plain_item(second["item"])]
    refused = store.do(("Task", "deleting", key), create[1])
    assert failed(refused) == "TransactionCanceledException"
    assert refused["error"]["reasons"] == ["None", "ConditionalCheckFailed"]
    assert store.stored(first) == plain_item(first["item"])
    patch = ("Task", "patching", {"M": {"id": typed("2")}}, {"M": {"note": {"NULL": True}}}, typed(4))
    assert failed(store.do(("Task", "deleting", key), patch)) is None
    assert store.stored(first) == {}
    assert "note" not in store.stored(second)


DAYS = [
    ("a", "2026-01-30T09:00:00.000Z"),
    ("b", "2026-01-30T21:00:00.000Z"),
    ("c", "2026-01-31T00:00:00.000Z"),
    ("d", "2026-02-02T12:00:00.000Z"),
    ("e", "2026-02-02T13:00:00.000Z"),
    ("f", "2026-02-03T05:00:00.000Z"),
]


@pytest.mark.parametrize(
    "pattern, page, is_newest_first",
    [
        ("newest events", {}, True),
        ("newest events", {"limit": 1}, True),
        ("newest events", {"descending": False}, False),
        ("oldest events", {}, False),
        ("oldest events", {"descending": True, "limit": 1}, True),
    ],
)
def test_days_come_in_the_order_of_their_rows(store, pattern, page, is_newest_first):
    store = store("operations")
    for name, at in DAYS:
        event = {"M": {"id": typed(name), "at": typed(at)}}
        assert failed(store.do(("Event", "put", event))) is None
    arguments = {"from": typed("2026-01-30T12:00:00Z"), "to": typed("2026-02-03T12:00:00Z")}
    answer = store.language.every(store.name, pattern, arguments, page)
    ids = [row["id"]["S"] for row in answer["result"]]
    assert ids == (list("fedcb") if is_newest_first else list("bcdef"))


ADA = {"id": typed("1"), "email": typed("ada@example.com")}


def test_an_attribute_that_is_a_key_has_the_form_of_its_template(store):
    store = store("encodings")
    upper, key = typed("Ada@Example.com"), {"M": {"id": typed("1")}}
    for operation in ("create", "put"):
        refused = store.do(("Account", operation, {"M": {**ADA, "email": upper}}))
        assert "ada@example.com" in refused["failure"]
    assert failed(store.do(("Account", "create", {"M": ADA}))) is None
    assert "ada@example.com" in store.do(("Account", "patch", key, {"M": {"email": upper}}))["failure"]
    change = lambda email: store.language.call(  # noqa: E731
        store.name, "change email", {"id": typed("1"), "email": email}, {}, {}
    )
    assert "ada@example.com" in change(upper)["failure"]
    found = store.language.call(store.name, "account by email", {"email": upper}, {}, {})
    assert [row["id"] for row in found["result"]] == [typed("1")]
    assert failed(change(typed("bob@example.com"))) is None
    removed = store.do(("Account", "patch", key, {"M": {"email": {"NULL": True}}}))
    assert failed(removed) is None
    assert store.do(("Account", "get", key))["result"] == [{"id": typed("1")}]


def test_a_number_is_in_an_index_whatever_its_python_type(modules):
    module = load(modules, "operations")
    task = {"id": "1", "state": "open", "due": "2026-01-03T10:00:00Z", "rank": 7, "version": 1}
    stored = [module.TaskEntity.item({**task, "level": level}) for level in (1, Decimal("1.0"), Decimal(2), True)]
    assert ["state_key" in item for item in stored] == [True, True, False, False]
