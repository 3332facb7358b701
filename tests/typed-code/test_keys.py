"""Items that the model built are the same after generated code has read and built them again."""
import pytest

from models import NAMES, file_of, shown_items


def items(binary, name, *flags):
    shown = shown_items(binary, file_of(name), *flags)
    return [{"entity": one["entity"], "item": one["item"]} for one in shown]


@pytest.mark.parametrize("name", NAMES)
def test_seeded_items_are_built_alike(language, binary, name):
    seeded = items(binary, name)
    assert seeded
    assert language.rebuilt(name, seeded) == []


def test_every_encoding_is_built_alike(language, binary):
    samples = items(binary, "encodings", "--samples")
    assert samples
    assert language.rebuilt("encodings", samples) == []
