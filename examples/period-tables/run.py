"""The model of a table for each month is consistent, written as `monotable model fmt` writes it,
and its tests pass."""

import subprocess
from pathlib import Path

EVENTS = Path(__file__).parent / "events.toml"


def model(*arguments):
    command = ["monotable", "model", *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


assert "in the table of each {at:month}" in model("check", EVENTS)
model("fmt", "--check", EVENTS)
passed = model("test", EVENTS)
print(passed)
assert passed.endswith("3 passed, 0 failed\n")
