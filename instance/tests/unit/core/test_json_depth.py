"""How deep a JSON value goes."""

import pytest
from seqfacility_instance.core.json_text import is_deeper_than


def nested(levels: int) -> object:
    value: object = 1
    for level in range(levels):
        value = [value] if level % 2 else {"a": value}
    return value


@pytest.mark.parametrize("levels", [0, 1, 5])
def test_a_value_is_as_deep_as_it_is(levels: int) -> None:
    assert not is_deeper_than(nested(levels), levels)
    assert levels == 0 or is_deeper_than(nested(levels), levels - 1)


def test_depth_is_found_without_going_there() -> None:
    assert is_deeper_than(nested(100_000), 16)
