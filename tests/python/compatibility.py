"""COMPAT.md as data: the rows of its tables of actions and of shapes."""
import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "COMPAT.md"

# What the first cell of a row says, where it is not the names of actions.
SINGLE_WRITES = {"DeleteItem", "PutItem", "UpdateItem"}
PAGES = {"Query", "Scan"}
ALONE = SINGLE_WRITES | PAGES | {"GetItem"}
WRITES = SINGLE_WRITES | {"BatchWriteItem", "TransactWriteItems"}
GROUPS = {
    "all": ALONE | WRITES | {"BatchGetItem", "TransactGetItems"},
    "all on items": ALONE,
    "all single writes": SINGLE_WRITES,
    "all with expressions": ALONE,
    "all writes": WRITES,
    "parameters from before expressions": ALONE,
    "streams": set(),
}


def rows(heading):
    """The rows of the table below a heading: their cells."""
    section = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", PAGE.read_text(),
                        re.M | re.S)
    assert section, f"COMPAT.md has no section {heading}"
    lines = [line for line in section[1].splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    return cells[2:]


def names(cell):
    """The names of members or actions in a cell."""
    return set(re.findall(r"\b[A-Z][A-Za-z0-9]+\b", cell))


def members_by_action():
    """The members that rows name, by action."""
    listed, actions = {}, ""
    for first, parameter, *_ in rows("Actions"):
        actions = first or actions
        for action in GROUPS.get(actions, names(actions)):
            listed.setdefault(action, set()).update(names(parameter))
    return listed


def members_by_shape():
    """The members that rows name, by shape."""
    listed = {}
    for shape, members, *_ in rows("Shapes within requests"):
        listed.setdefault(shape, set()).update(names(members))
    return listed


def differences():
    """How many rows do not plainly say yes."""
    return sum(row[2] != "yes" for heading in ("Actions", "Shapes within requests")
               for row in rows(heading))


def stated_differences():
    """The number that stands at the top."""
    return int(re.search(r"\*\*(\d+) rows\*\*", PAGE.read_text())[1])
