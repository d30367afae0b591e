"""Which answers are stored, and with which an order is submitted."""

from typing import Any

import pytest
from seqfacility_instance.core.patterns import PatternChecks
from seqfacility_instance.core.vocabulary.forms import FieldType
from seqfacility_instance.forms.form import FormField
from seqfacility_instance.forms.values import WrongValue, draft_value, is_empty, value_problem


def field(kind: str, **more: Any) -> FormField:
    return FormField.model_validate({"id": "f", "name": "f", "type": kind, "label": "F", "order": 0, **more})


@pytest.mark.parametrize(
    ("kind", "answer", "stored"),
    [
        ("text", "  a  ", "a"),
        ("textarea", "a\nb", "a\nb"),
        ("select", "not an option yet", "not an option yet"),
        ("multiselect", ["a", " b "], ["a", "b"]),
        ("checkbox", False, False),
        ("number", 1.5, 1.5),
        ("date", "2031-05-04", "2031-05-04"),
        ("barcode", "BC1", "barcode01"),
        ("barcode", "barcode012", "barcode12"),
        ("barcode", "7", "barcode07"),
        ("barcode", "Lane A", "lane a"),
        ("barcode", " ", ""),
        ("mixs", {"checklist": "ERC000022", "more": 1}, {"checklist": "ERC000022"}),
        ("funding", [{"funder": "X", "grantNumber": "1", "y": 2}], [{"funder": "X", "grantNumber": "1"}]),
        ("billing", {"projectCode": "P"}, {"projectCode": "P"}),
        ("sequencing-tech", {"technologyId": "t", "kitId": None}, {"technologyId": "t"}),
    ],
)
def test_an_answer_of_the_right_type_is_stored(kind: str, answer: object, stored: object) -> None:
    assert draft_value(field(kind), answer) == stored


@pytest.mark.parametrize(
    ("kind", "answer", "reason"),
    [
        ("text", 1, "must be a string"),
        ("text", "x" * 256, "must have at most 255 characters"),
        ("textarea", "x" * 20_001, "must have at most 20000 characters"),
        ("text", "a\0b", "must not contain a NUL character"),
        ("select", ["a"], "must be a string"),
        ("multiselect", "a", "must be an array of strings"),
        ("multiselect", [1], "must be an array of strings"),
        ("checkbox", "true", "must be true or false"),
        ("number", True, "must be a number"),
        ("number", "1", "must be a number"),
        ("date", "4.5.2031", "must be a date like 2031-05-04"),
        ("date", "2031-02-30", "must be a date like 2031-05-04"),
        ("date", 2031, "must be a string"),
        ("barcode", 1, "must be a string"),
        ("mixs", "ERC000022", "must be an object"),
        ("mixs", {"checklist": 1}, "checklist must be a string"),
        ("funding", {"funder": "X"}, "must be an array of objects"),
        ("funding", ["X"], "must be an object"),
        ("billing", {"costCenter": 5}, "costCenter must be a string"),
        ("sequencing-tech", {"softwareIds": "s"}, "must be an array of strings"),
    ],
)
def test_an_answer_of_the_wrong_type_says_what_it_must_be(kind: str, answer: object, reason: str) -> None:
    with pytest.raises(WrongValue, match=f"^{reason}$"):
        draft_value(field(kind), answer)


@pytest.mark.parametrize("value", [None, "", [], {}, {"checklist": ""}, {"a": None, "b": []}])
def test_an_empty_answer_says_nothing(value: object) -> None:
    assert is_empty(value)
    assert value_problem(field("text"), value, PatternChecks()) is None
    assert value_problem(field("text", required=True), value, PatternChecks()) == "is required"


@pytest.mark.parametrize("value", [False, 0, 0.0, "no"])
def test_no_and_nothing_are_different(value: object) -> None:
    assert not is_empty(value)


@pytest.mark.parametrize(
    ("more", "answer", "problem"),
    [
        ({"type": "select", "options": ["a"]}, "a", None),
        ({"type": "select", "options": ["a"]}, "b", "is not one of the options"),
        ({"type": "multiselect", "options": ["a", "b"]}, ["b", "a"], None),
        ({"type": "multiselect", "options": ["a"]}, ["a", "b"], "is not one of the options"),
        ({"type": "number", "validation": {"min": 1, "max": 2}}, 1, None),
        ({"type": "number", "validation": {"min": 1, "max": 2}}, 2, None),
        ({"type": "number", "validation": {"min": 1}}, 0.9, "must be at least 1"),
        ({"type": "number", "validation": {"max": 2}}, 2.1, "must be at most 2"),
        ({"type": "text", "validation": {"minLength": 2}}, "ab", None),
        ({"type": "text", "validation": {"minLength": 2}}, "a", "must have at least 2 characters"),
        ({"type": "text", "validation": {"maxLength": 1}}, "ab", "must have at most 1 character"),
        ({"type": "text", "validation": {"maxLength": 2}}, "abc", "must have at most 2 characters"),
        ({"type": "text", "validation": {"pattern": "[A-Z]+"}}, "AB", None),
        ({"type": "text", "validation": {"pattern": "[A-Z]+"}}, "ABc", "must match [A-Z]+"),
        (
            {"type": "text", "validation": {"pattern": "[A-Z]+", "patternMessage": "shout"}},
            "abc",
            "shout",
        ),
        ({"type": "mixs"}, {"checklist": "ERC000022"}, None),
        ({"type": "funding"}, [{"funder": "X"}], "grantNumber is required"),
        ({"type": "sequencing-tech"}, {"deviceId": "d"}, "technologyId is required"),
        ({"type": "date"}, "soon", "must be a date like 2031-05-04"),
    ],
)
def test_a_submitted_answer_keeps_the_bounds_of_its_field(
    more: dict[str, Any], answer: object, problem: str | None
) -> None:
    assert value_problem(field(more.pop("type"), **more), answer, PatternChecks()) == problem


def test_every_type_can_be_read() -> None:
    for kind in FieldType:
        with pytest.raises(WrongValue):
            draft_value(field(kind.value), object())
