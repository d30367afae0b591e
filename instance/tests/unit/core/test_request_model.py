"""A refused body says line by line what is wrong with it."""

from datetime import UTC, datetime
from typing import Annotated, Literal

import pytest
from pydantic import Field
from seqfacility_instance.core.request_model import (
    FilledLine,
    Line,
    Nullable,
    RequestModel,
    Text,
    Timestamp,
)
from seqfacility_instance.core.vocabulary.people import Role
from seqfacility_wire.errors import ValidationFailed


class Part(RequestModel):
    tax_id: str | None = None


class Body(RequestModel):
    full_name: FilledLine = "somebody"
    remark: Text | None = None
    place: Annotated[Line | None, Nullable()] = "here"
    count: int | None = Field(default=None, ge=1, le=9)
    share: float | None = None
    is_on: bool | None = None
    role: Role | None = Field(default=None, strict=False)
    kind: Literal["a", "b"] | None = None
    at: Timestamp | None = None
    parts: list[Part] = Field(default=[], max_length=2)


class Demanding(RequestModel):
    name: str


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ({"fullName": 7}, "fullName: must be a string"),
        ({"fullName": "  "}, "fullName: must not be empty"),
        ({"fullName": "a\0b"}, "fullName: must not contain a NUL character"),
        ({"fullName": "x" * 256}, "fullName: must have at most 255 characters"),
        ({"remark": "x" * 20_001}, "remark: must have at most 20000 characters"),
        ({"count": "7"}, "count: must be an integer"),
        ({"count": 1.5}, "count: must be an integer"),
        ({"count": True}, "count: must be an integer"),
        ({"count": 0}, "count: must be at least 1"),
        ({"count": 10}, "count: must be at most 9"),
        ({"share": "much"}, "share: must be a number"),
        ({"isOn": "true"}, "isOn: must be true or false"),
        ({"role": "KING"}, "role: must be one of: RESEARCHER, FACILITY_ADMIN"),
        ({"kind": "c"}, "kind: must be one of: a, b"),
        ({"at": "noon"}, "at: must be an ISO 8601 timestamp"),
        ({"at": 5}, "at: must be a string"),
        ({"parts": {}}, "parts: must be an array"),
        ({"parts": [{}, {}, {}]}, "parts: must have at most 2 entries"),
        ({"parts": [{}, {"taxId": 5}]}, "parts[1].taxId: must be a string"),
        ({"parts": [5]}, "parts[0]: must be an object"),
    ],
)
def test_a_cause_is_named_by_its_key_path(body: dict[str, object], line: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        Body.read(body)

    assert refused.value.details == [line]


def test_every_cause_has_a_line() -> None:
    with pytest.raises(ValidationFailed) as refused:
        Body.read({"fullName": 7, "count": 0})

    assert refused.value.details == ["fullName: must be a string", "count: must be at least 1"]


def test_a_missing_key_is_required_and_null_is_as_good_as_missing() -> None:
    for body in ({}, {"name": None}):
        with pytest.raises(ValidationFailed) as refused:
            Demanding.read(body)
        assert refused.value.details == ["name: is required"]


def test_what_is_no_object_is_said_of_the_body() -> None:
    with pytest.raises(ValidationFailed) as refused:
        Demanding.read([])

    assert refused.value.details == ["body: must be an object"]


def test_null_means_left_out_unless_it_clears() -> None:
    body = Body.read({"fullName": None, "remark": None, "place": None})

    assert (body.full_name, body.remark, body.place) == ("somebody", None, None)
    assert body.model_fields_set == {"place"}


def test_texts_are_trimmed_and_moments_become_utc() -> None:
    body = Body.read({"fullName": "  Ada ", "at": "2031-05-04T11:08:07+02:00"})

    assert body.full_name == "Ada"
    assert body.at == datetime(2031, 5, 4, 9, 8, 7, tzinfo=UTC)


def test_unknown_keys_are_ignored_and_python_names_are_unknown() -> None:
    body = Body.read({"full_name": "Ada", "whatever": [1]})

    assert body.full_name == "somebody"
