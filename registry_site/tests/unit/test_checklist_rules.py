"""A set of checklists that miscounts, repeats itself or checks nonsense is not published."""

import copy
from collections.abc import Callable
from typing import Any

import pytest
from seqfacility_registry.checklists.editions import Edition
from seqfacility_registry.checklists.publishing_checks import check, check_history, check_illustrations
from seqfacility_schemas.checklist_rules import LONGEST_PATTERN, checklist_findings

FIELD: dict[str, Any] = {
    "name": "depth",
    "label": "depth",
    "type": "number",
    "required": True,
    "level": "mandatory",
    "section": "Environment",
    "units": ["m"],
    "options": [],
    "pattern": None,
    "helpText": None,
    "example": "1.5",
    "order": 0,
}
CHECKLIST: dict[str, Any] = {
    "accession": "ERC000022",
    "name": "Soil",
    "description": "Soil samples.",
    "checklistVersion": None,
    "source": None,
    "deprecated": False,
    "fieldCount": 1,
    "mandatoryCount": 1,
    "fields": [FIELD],
}


def _document(change: Callable[[dict[str, Any]], object]) -> Any:
    checklist = copy.deepcopy(CHECKLIST)
    change(checklist)
    return {"version": 1, "checklists": [checklist]}


def _field(**changes: object) -> Any:
    return _document(lambda checklist: checklist["fields"][0].update(changes))


def test_a_sound_checklist_has_no_problems() -> None:
    assert check(_document(lambda _: None)) == []


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"required": False, "level": "mandatory"}, "required and level disagree"),
        ({"options": ["a"]}, "options belong to a select field"),
        ({"type": "select", "example": None}, "options belong to a select field"),
        ({"units": ["m", "m"]}, "unit 'm' stands twice"),
        ({"pattern": "("}, "pattern does not compile"),
        ({"pattern": ".*", "type": "text"}, "pattern accepts anything"),
        ({"example": "deep"}, "the example is not an allowed answer"),
        ({"pattern": "[0-9]{9}"}, "the example is not an allowed answer"),
    ],
)
def test_a_field_that_contradicts_itself_is_found(changes: dict[str, object], reason: str) -> None:
    assert any(f"ERC000022.depth: {reason}" in problem for problem in check(_field(**changes)))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("name", "Water depth"),
        ("name", "depth\n"),
        ("name", "d" * 65),
        ("pattern", "a" * (LONGEST_PATTERN + 1)),
    ],
)
def test_what_no_form_would_take_does_not_have_the_shape_of_a_checklist(key: str, value: str) -> None:
    (problem,) = check(_field(**{key: value, "type": "text", "example": None}))

    assert problem.startswith(f"checklists[0].fields[0].{key}: ")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda it: it.update(fieldCount=2), "fieldCount is 2"),
        (lambda it: it.update(mandatoryCount=0), "mandatoryCount is 0"),
        (lambda it: it.update(accession="ERC22"), "an archive accession is ERC and six digits"),
        (lambda it: it["fields"][0].update(order=1), "order does not count"),
        (lambda it: it["fields"].append(it["fields"][0]), "two fields are called depth"),
    ],
)
def test_a_checklist_that_miscounts_is_found(change: Callable[[dict[str, Any]], object], reason: str) -> None:
    assert any(reason in problem for problem in check(_document(change)))


def test_two_checklists_never_have_the_same_name() -> None:
    other = {**CHECKLIST, "accession": "ERC000023", "name": "SOIL."}

    assert check({"version": 1, "checklists": [CHECKLIST, other]}) == [  # type: ignore[typeddict-item]  # bad on purpose
        "checklists: two have the name 'soil'"
    ]


def test_checklists_are_sorted_and_listed_once() -> None:
    first = {**CHECKLIST, "accession": "ERC000099"}
    document: Any = {"version": 1, "checklists": [first, CHECKLIST, CHECKLIST]}
    problems = check(document)

    assert "checklists: not sorted by accession" in problems
    assert "ERC000022: listed twice" in problems


def _edition(version: int, day: str, checklist: dict[str, Any] = CHECKLIST) -> Edition:
    return Edition(version, day, (), (checklist,))  # type: ignore[arg-type]  # a plain dictionary stands for it


def test_versions_that_count_up_and_each_change_something_are_a_sound_history() -> None:
    other = {**CHECKLIST, "name": "Water"}

    assert check_history([_edition(1, "2031-01-01"), _edition(2, "2031-01-01", other)]) == []


def test_a_gap_a_step_back_and_an_empty_version_are_found_in_the_history() -> None:
    history = [_edition(1, "2031-02-01"), _edition(3, "2031-01-01")]

    assert check_history(history) == [
        "versions/2.json: says version 3",
        "versions/3.json: published before version 1",
        "versions/3.json: equal to version 1",
    ]


def test_an_illustration_of_no_checklist_is_found() -> None:
    assert check_illustrations({"ERC000001": "/images/x.svg"}, ["ERC000022"]) == [
        "illustrations.json: ERC000001: unknown accession"
    ]


def test_a_pattern_longer_than_any_form_takes_harms_nobody() -> None:
    checklist = {**CHECKLIST, "fields": [{**FIELD, "pattern": "a" * (LONGEST_PATTERN + 1)}]}

    (finding,) = checklist_findings(checklist)

    assert (finding.reason, finding.is_harmful) == (
        f"pattern is longer than {LONGEST_PATTERN} characters",
        False,
    )
