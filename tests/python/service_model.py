"""The service model of the installed botocore: its actions, the members of their requests and
answers, and constraints.

Shapes are those of the model as JSON. A path leads from a request to a value in it: names of
members, `[]` for the element of a list and `{}` for the value of a map.
"""
import re
from dataclasses import dataclass

from botocore.loaders import Loader

SERVICES = {"dynamodb": "DynamoDB_20120810", "dynamodbstreams": "DynamoDBStreams_20120810"}
MODELS = {service: Loader().load_service_model(service, "service-2", "2012-08-10")
          for service in SERVICES}
ACTIONS = {action: service for service, model in MODELS.items() for action in model["operations"]}

# What an attribute value may be is the matter of other tests.
OPAQUE = {"AttributeValue"}


def target(action):
    """The value of `X-Amz-Target`."""
    return f"{SERVICES[ACTIONS[action]]}.{action}"


def shape_of(action, name):
    return MODELS[ACTIONS[action]]["shapes"][name]


def input_of(action):
    return MODELS[ACTIONS[action]]["operations"][action]["input"]["shape"]


def output_of(action):
    """The name of the shape of the answer."""
    return MODELS[ACTIONS[action]]["operations"][action].get("output", {}).get("shape")


@dataclass(frozen=True)
class Place:
    """A value that a request can have."""
    action: str
    path: tuple
    shape_name: str
    owner: str
    required: bool

    @property
    def shape(self):
        return shape_of(self.action, self.shape_name)

    @property
    def name(self):
        """The member that the value belongs to."""
        return [part for part in self.path if part not in ("[]", "{}")][-1]

    @property
    def text(self):
        return ".".join(self.path)


def places(action):
    """Every value that a request of an action can have, each shape once on a path."""
    yield from _members(action, (), input_of(action), ())


def _members(action, path, name, above):
    shape = shape_of(action, name)
    if name in above or name in OPAQUE:
        return
    above += (name,)
    for member, value in shape.get("members", {}).items():
        place = Place(action, path + (member,), value["shape"], name,
                      member in shape.get("required", []))
        yield from _within(place, above)


def _within(place, above):
    yield place
    shape = place.shape
    for part, key in (("[]", "member"), ("{}", "value")):
        if key in shape:
            inner = Place(place.action, place.path + (part,), shape[key]["shape"],
                          place.owner, False)
            yield from _within(inner, above)
    if shape["type"] == "structure":
        yield from _members(place.action, place.path, place.shape_name, above)


def request_members():
    """The members of requests: the action and the name."""
    return [(action, member) for action in ACTIONS
            for member in shape_of(action, input_of(action)).get("members", {})]


def nested_shapes():
    """The shapes within requests, with their members; attribute values aside."""
    found = {}
    for action in ACTIONS:
        for place in places(action):
            if place.owner != input_of(action):
                found.setdefault(place.owner, set()).add(place.path[-1])
    return {name: members - {"[]", "{}"} for name, members in found.items()}


def seen_members(action, answer):
    """The members that an answer has, as pairs of a shape and a member."""
    seen = set()
    if output_of(action):
        _see(action, output_of(action), answer, seen)
    return seen


def _see(action, name, value, seen):
    shape = shape_of(action, name)
    if name in OPAQUE:
        return
    if shape["type"] == "list":
        for element in value:
            _see(action, shape["member"]["shape"], element, seen)
    if shape["type"] == "map":
        for element in value.values():
            _see(action, shape["value"]["shape"], element, seen)
    if shape["type"] == "structure":
        for member, element in value.items():
            if member in shape["members"]:
                seen.add((name, member))
                _see(action, shape["members"][member]["shape"], element, seen)


def answer_members(action):
    """The members that an answer of an action can have, as pairs of a shape and a member."""
    found = set()
    if output_of(action):
        _collect(action, output_of(action), found)
    return found


def _collect(action, name, found):
    shape = shape_of(action, name)
    if name in OPAQUE:
        return
    for key in ("member", "value"):
        if key in shape:
            _collect(action, shape[key]["shape"], found)
    for member, value in shape.get("members", {}).items():
        if (name, member) not in found:
            found.add((name, member))
            _collect(action, value["shape"], found)


@dataclass(frozen=True)
class Violation:
    """A value that violates a constraint, the kind of constraint, and what AWS says of it."""
    kind: str
    value: object
    says: str


@dataclass(frozen=True)
class LegalValue:
    """A value that a constraint just allows, and the kind of constraint."""
    kind: str
    value: object


MISSING = object()
NO_SUCH_VALUE = "NO_SUCH_VALUE"
# The longest texts and lists that are sent.
LENGTH_MAX = {"string": 300_000, "list": 5_000, "map": 5_000}


def violations(place, example):
    """Values for a place that violate its constraints, one by one; `example` makes valid ones."""
    shape, kind = place.shape, place.shape["type"]
    if place.required:
        yield Violation("required", MISSING, "Member must not be null")
    if "enum" in shape:
        yield Violation("enum", NO_SUCH_VALUE, "Member must satisfy enum value set: [")
    if "pattern" in shape:
        yield Violation("pattern", _mismatch(shape),
                        f"Member must satisfy regular expression pattern: {shape['pattern']}")
    if kind in MEASURES:
        yield from _bounds(shape, MEASURES[kind], lambda size: _of_size(place, example, size))


def legal_values(place, example):
    """Every value of an enumeration, and the least and the greatest sizes, for a place."""
    shape, kind = place.shape, place.shape["type"]
    for value in shape.get("enum", []):
        yield LegalValue("enum", value)
    if kind not in MEASURES or "enum" in shape or "pattern" in shape:
        return
    for bound in ("min", "max"):
        if 0 < shape.get(bound, 0) <= LENGTH_MAX.get(kind, shape.get(bound, 0)):
            yield LegalValue(bound, _of_size(place, example, shape[bound]))


# What is bounded of a value of each type.
MEASURES = {"integer": "value", "long": "value", "string": "length", "list": "length",
            "map": "length"}


def _of_size(place, example, size):
    """A value or a text of a size, or a list or map of as many examples."""
    shape, kind = place.shape, place.shape["type"]
    if kind == "string":
        return "x" * size
    if kind == "list":
        return [example(place.action, shape["member"]["shape"])] * size
    if kind == "map":
        return {f"name-{number}": example(place.action, shape["value"]["shape"])
                for number in range(size)}
    return size


def _bounds(shape, what, make):
    if shape.get("min", 0) > 0 or (what == "value" and "min" in shape):
        yield Violation("min", make(shape["min"] - 1),
                        f"Member must have {what} greater than or equal to {shape['min']}")
    if "max" in shape:
        yield Violation("max", make(shape["max"] + 1),
                        f"Member must have {what} less than or equal to {shape['max']}")


def _mismatch(shape):
    """A text that is as long as it may be and not of the pattern."""
    pattern = shape["pattern"].replace(r"\p{Print}", r"[\x20-\x7e]")
    length = max(shape.get("min", 1), 1)
    # The pattern of a role's ARN has surrogates, which Python takes for what they are not.
    candidates = [character * length for character in ("!", "$", "\"", "\x01")]
    if "uD800" in pattern:
        return candidates[-1]
    return next(text for text in candidates if not re.fullmatch(pattern, text))
