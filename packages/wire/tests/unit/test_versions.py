"""Versions, compared by number."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from seqfacility_wire.versions import Version, is_newer

NUMBERS = st.tuples(*[st.integers(0, 200)] * 3)


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("1.1.10", "1.1.9"),
        ("1.2.0", "1.2.0-beta.1"),
        ("1.2.0-beta.2", "1.2.0-beta.1"),
        ("1.2.0-beta.11", "1.2.0-beta.2"),
        ("1.2.0-beta", "1.2.0-11"),
        ("1.2.0-rc.1", "1.2.0-beta.9"),
        ("2", "1.99.99"),
    ],
)
def test_order_is_that_of_semantic_versioning(newer: str, older: str) -> None:
    assert is_newer(newer, older)
    assert not is_newer(older, newer)


@pytest.mark.parametrize("text", ["", "one", "1.x", "1..2", "1.2.3\n", "1.2.3-", "-1"])
def test_what_is_no_version_is_never_newer(text: str) -> None:
    assert Version.parse(text) is None
    assert not is_newer(text, "0.0.1")
    assert not is_newer("9.9.9", text)


@given(NUMBERS, NUMBERS)
def test_numbers_decide_as_tuples_do(left: tuple[int, ...], right: tuple[int, ...]) -> None:
    assert is_newer(".".join(map(str, left)), ".".join(map(str, right))) == (left > right)
