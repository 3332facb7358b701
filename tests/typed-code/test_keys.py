"""Items that the model built are the same after generated code has read and built them again."""
import json
import subprocess
from pathlib import Path

import pytest

from models import MODELS, NAMES

ENCODINGS = Path(__file__).parent / "encodings.toml"


def items(binary, file, *flags):
    command = [binary, "model", "seed", str(file), "--dry-run", "--output", "json", *flags]
    shown = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return [{"entity": one["entity"], "item": one["item"]} for one in shown["items"]]


@pytest.mark.parametrize("name", NAMES)
def test_seeded_items_are_built_alike(language, binary, name):
    seeded = items(binary, MODELS / f"{name}.toml")
    assert seeded
    assert language.rebuilt(name, seeded) == []


def test_every_encoding_is_built_alike(language, binary):
    samples = items(binary, ENCODINGS, "--samples")
    assert samples
    assert language.rebuilt("encodings", samples) == []
