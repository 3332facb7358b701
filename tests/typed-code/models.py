"""The worked models: their files, their steps, and which access pattern a step is."""
import json
import subprocess
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT / "examples" / "models"
NAMES = sorted(file.stem for file in MODELS.glob("*.toml"))
# Models that only these tests have.
FIXTURES = ["encodings", "operations"]


def file_of(name):
    return (Path(__file__).parent if name in FIXTURES else MODELS) / f"{name}.toml"


def model(name):
    return tomllib.loads(file_of(name).read_text())


def shown_items(binary, file, *flags):
    """Items as the model builds them, with the attributes that they are built from."""
    command = [binary, "model", "seed", str(file), "--dry-run", "--output", "json", *flags]
    shown = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(shown.stdout)["items"]


def conformance(name):
    """Tables, items to load, and steps with what they expect."""
    return json.loads((ROOT / "crates" / "conformance" / "models" / f"{name}.json").read_text())


def steps(name):
    """Which access pattern each step is, and with which values."""
    return tomllib.loads((ROOT / "crates/cli/tests/steps/models" / f"{name}.toml").read_text())


def at(document, pointer):
    """What lies at a JSON pointer."""
    for part in pointer.split("/")[1:]:
        document = document[int(part)] if isinstance(document, list) else document[part]
    return document


def arguments(of, entry, params):
    """The values of a step's parameters, in the service's JSON."""
    found = {name: typed(value) for name, value in entry.get("with", {}).items()}
    for pointer in entry.get("items", []):
        found.update(attributes(of, at(params, pointer)))
    outer = dict(found)
    for name, elements in entry.get("lists", {}).items():
        members = [element(of, params, one) for one in listed(params, elements)]
        found[name] = {"L": [whole(of, entry, name, one, outer) for one in members]}
    return found


def whole(of, entry, name, one, outer):
    """An element with all that its action needs: the planner also looks beside the list."""
    if "M" in one:
        return {"M": {**outer, **one["M"]}}
    actions = of["patterns"][entry["run"]]["actions"]
    key = next(action["by"] for action in actions if action.get("each") == name)
    return {"M": {**outer, key[0]: one}}


def listed(params, elements):
    """The elements of a list: as they are, or the puts that a pointer leads to."""
    if not isinstance(elements, str):
        return elements
    return [f"{elements}/{place}/PutRequest/Item" for place in range(len(at(params, elements)))]


def element(of, params, one):
    is_pointer = isinstance(one, str) and one.startswith("/")
    return {"M": attributes(of, at(params, one))} if is_pointer else typed(one)


def attributes(of, item):
    """The attributes of an item by the names that any entity of the model has for them."""
    found = {}
    for entity in of["entities"].values():
        for name, attribute in entity.get("attributes", {}).items():
            stored = attribute.get("name", name) if isinstance(attribute, dict) else name
            if stored in item:
                found[name] = item[stored]
    return found


def typed(value):
    """A plain value in the service's JSON."""
    if isinstance(value, bool):
        return {"BOOL": value}
    if isinstance(value, (int, float)):
        return {"N": str(value)}
    if isinstance(value, str):
        return {"S": value}
    if isinstance(value, list):
        return {"L": [typed(one) for one in value]}
    if set(value) == {"SS"}:
        return value
    return {"M": {name: typed(one) for name, one in value.items()}}


def keys_of_batch(pattern, found):
    """A read of many items takes a list of keys in place of a list for each attribute."""
    names = pattern["by"]
    if len(names) == 1:
        return found
    lists = {name: found[name]["L"] for name in names if "L" in found[name]}
    count = max(len(elements) for elements in lists.values())
    keys = [
        {name: lists[name][place] if name in lists else found[name] for name in names}
        for place in range(count)
    ]
    return {"keys": {"L": [{"M": key} for key in keys]}}
