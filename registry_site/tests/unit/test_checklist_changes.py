"""What a version of the checklists changed, as it is published."""

import copy
from typing import Any

from seqfacility_registry.checklists.changes import changes_between
from seqfacility_registry.checklists.editions import Edition, EditionSource
from seqfacility_registry.checklists.fields import Checklist, ChecklistField
from seqfacility_schemas import problems

SOURCE: EditionSource = {
    "name": "GSC MIxS",
    "release": "7.0.1",
    "date": "2031-05-04",
    "licence": "CC0 1.0",
    "address": "https://mixs.example",
}


def field(name: str, **other: Any) -> ChecklistField:
    made: dict[str, Any] = {
        "name": name,
        "label": name.upper(),
        "type": "text",
        "required": False,
        "level": "optional",
        "section": "Sample",
        "units": [],
        "options": [],
        "pattern": None,
        "helpText": None,
        "example": None,
        "order": 0,
    }
    return made | other  # type: ignore[return-value]  # the keys are those of the type


def checklist(accession: str, *fields: ChecklistField) -> Checklist:
    return {
        "accession": accession,
        "name": f"List {accession}",
        "description": "",
        "checklistVersion": None,
        "source": None,
        "deprecated": False,
        "fieldCount": len(fields),
        "mandatoryCount": 0,
        "fields": list(fields),
    }


def edition(version: int, *checklists: Checklist) -> Edition:
    return Edition(version, f"2031-05-0{version}", (SOURCE,), checklists)


def test_the_first_version_has_changed_nothing() -> None:
    (only,) = changes_between([edition(1, checklist("A", field("depth")))])

    assert (only["version"], only["checklists"]) == (1, [])
    assert only["sources"] == [{"name": "GSC MIxS", "release": "7.0.1"}]


def test_versions_are_told_newest_first_each_against_the_one_before() -> None:
    found = changes_between([edition(1), edition(2, checklist("A")), edition(3)])

    assert [(one["version"], [row["change"] for row in one["checklists"]]) for one in found] == [
        (3, ["removed"]),
        (2, ["added"]),
        (1, []),
    ]
    assert problems("registry/mixs-changes", {"version": 3, "editions": found}) == []


def test_fields_that_came_went_and_changed_are_named() -> None:
    before = checklist("A", field("depth", units=["m", "cm"], required=False), field("gone"))
    after = checklist("A", field("depth", units=["m", "km"], required=True), field("new"))

    (row,) = changes_between([edition(1, before), edition(2, after)])[0]["checklists"]

    assert (row["added"], row["removed"]) == (["NEW"], ["GONE"])
    assert row["changed"] == [
        {
            "name": "depth",
            "label": "DEPTH",
            "properties": [
                {"name": "required", "before": False, "after": True},
                {"name": "units", "before": ["cm"], "after": ["km"]},
            ],
        }
    ]


def test_properties_of_the_checklist_are_compared() -> None:
    before = checklist("A")
    after = copy.deepcopy(before)
    after["deprecated"], after["checklistVersion"] = True, "2"

    (row,) = changes_between([edition(1, before), edition(2, after)])[0]["checklists"]

    assert row["properties"] == [
        {"name": "checklistVersion", "before": None, "after": "2"},
        {"name": "deprecated", "before": False, "after": True},
    ]


def test_another_order_of_fields_is_no_change() -> None:
    before = checklist("A", field("depth", order=0), field("ph", order=1))
    after = checklist("A", field("ph", order=0), field("depth", order=1))

    assert changes_between([edition(1, before), edition(2, after)])[0]["checklists"] == []
