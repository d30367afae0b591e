"""The fast validator passes nothing that the reference implementation would not."""

import copy
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from seqfacility_schemas import schema_names
from seqfacility_schemas.checking import is_surely_valid, validator
from seqfacility_schemas.examples import valid_examples

STRANGE: list[Any] = [
    *(None, True, False, 0, -1, 1.0, 1.5, 2**63, 10**30),
    *("", "x", "a\n", "\u00e9", "2026-02-30", [], [None], {}, {"": 0}),
]


@dataclass(frozen=True)
class Damaged:
    """A document for a schema; too long to be shown by Hypothesis at each attempt."""

    name: str
    document: Any = field(repr=False)


@cache
def examples() -> list[tuple[str, Any]]:
    return [(name, document) for name in schema_names() for document in valid_examples(name).values()]


def places(document: Any) -> Iterator[tuple[Any, Any]]:
    """Name every place of a document: what holds it, and under which key."""
    if isinstance(document, dict | list):
        for key in document if isinstance(document, dict) else range(len(document)):
            yield document, key
            yield from places(document[key])


@st.composite
def damaged_documents(draw: st.DrawFn) -> Damaged:
    name, sound = draw(st.sampled_from(examples()))
    document = copy.deepcopy(sound)
    for _damage in range(draw(st.integers(1, 3))):
        holder, key = draw(st.sampled_from([*places(document), ([document], 0)]))
        act = draw(st.sampled_from(["replace", "remove", "add", "lengthen"]))
        if act == "replace":
            holder[key] = copy.deepcopy(draw(st.sampled_from(STRANGE)))
        elif act == "remove":
            del holder[key]
        elif act == "add" and isinstance(holder, dict):
            holder["unknownKey"] = copy.deepcopy(draw(st.sampled_from(STRANGE)))
        elif isinstance(holder, list):
            holder.extend(copy.deepcopy(holder[:2]) * 600)
        elif isinstance(holder[key], str):
            holder[key] = holder[key] * 30 + draw(st.sampled_from(["", "\n", " ", "\u0000", "\U0001f9ec"]))
    return Damaged(name, document)


@pytest.mark.parametrize("name", sorted({name for name, _document in examples()}))
def test_the_examples_are_passed_at_once(name: str) -> None:
    assert [
        document for document in valid_examples(name).values() if not is_surely_valid(name, document)
    ] == []


@given(damaged_documents())
def test_nothing_is_passed_that_the_reference_refuses(case: Damaged) -> None:
    assert not is_surely_valid(case.name, case.document) or validator(case.name).is_valid(case.document), (
        case.document
    )


def test_what_is_nested_too_deep_is_left_to_the_reference() -> None:
    document: Any = "end"
    for _level in range(400):
        document = [document]

    assert not is_surely_valid("instance/error", document)
    assert not is_surely_valid("instance/error", {"error": "x", 1: "no key of JSON"})
