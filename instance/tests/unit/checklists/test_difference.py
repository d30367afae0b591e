"""How two versions of the checklists differ, and what becomes active."""

from seqfacility_instance.checklists.definition import Checklist, ChecklistField
from seqfacility_instance.checklists.differences import ValueChange, difference
from seqfacility_instance.checklists.rules import (
    merged_set,
    template_field,
    with_absolute_images,
)
from seqfacility_instance.core.vocabulary.forms import ChecklistFieldType, ChecklistLevel


def term(
    name: str, *, required: bool = False, kind: ChecklistFieldType = ChecklistFieldType.TEXT
) -> ChecklistField:
    return ChecklistField(
        name=name,
        label=name,
        type=kind,
        required=required,
        level=ChecklistLevel.MANDATORY if required else ChecklistLevel.OPTIONAL,
        section="Sample",
        units=["m"],
        options=[],
        order=3,
    )


def checklist(accession: str, *fields: ChecklistField, deprecated: bool = False) -> Checklist:
    return Checklist(accession=accession, name=accession, fields=list(fields), deprecated=deprecated)


def test_a_difference_names_what_comes_goes_and_changes() -> None:
    here = [checklist("A", term("x"), term("y")), checklist("B"), checklist("C", term("z"))]
    there = [
        checklist("A", term("x", required=True), term("w", required=True)),
        checklist("C", term("z")),
        checklist("D"),
    ]

    found = difference(here, there)

    assert found.added == ("D",)
    assert found.removed == ("B",)
    (changed,) = found.changed
    assert (changed.new_fields, changed.removed_fields) == (("w",), ("y",))
    assert changed.newly_required == ("x", "w")
    assert changed.labels == {"w": "w", "y": "y", "x": "x"}
    assert found.names == {"A": "A", "B": "B", "D": "D"}


def test_a_difference_has_the_old_and_the_new_value_of_what_a_term_asks_for() -> None:
    strict = term("depth", required=True).model_copy(update={"pattern": "[0-9]+"})
    loose = strict.model_copy(update={"pattern": None, "units": ["m", "cm"], "required": False})

    (changed,) = difference([checklist("A", strict)], [checklist("A", loose)]).changed

    assert changed.newly_required == ()
    assert changed.values == (
        ValueChange("depth", "required", before=True, after=False),
        ValueChange("depth", "units", before=["m"], after=["m", "cm"]),
        ValueChange("depth", "pattern", before="[0-9]+", after=None),
    )


def test_that_a_term_is_newly_required_is_said_once() -> None:
    before = term("depth")
    after = before.model_copy(update={"required": True})

    (changed,) = difference([checklist("A", before)], [checklist("A", after)]).changed

    assert (changed.newly_required, changed.values) == (("depth",), ())


def test_what_a_checklist_says_of_itself_is_compared_and_its_drawing_and_the_places_of_terms_are_not() -> (
    None
):
    here = checklist("A", term("x"), deprecated=True).model_copy(
        update={"image": "https://registry.example/soil.svg"}
    )
    moved = term("x").model_copy(update={"order": 9})
    there = checklist("A", moved).model_copy(update={"image": "/soil.svg", "name": "Soil"})

    (changed,) = difference([here], [there]).changed

    assert changed.values == (
        ValueChange(None, "name", "A", "Soil"),
        ValueChange(None, "deprecated", before=True, after=False),
    )
    assert difference([here], [here.model_copy(update={"image": None, "fields": [moved]})]).changed == ()


def test_a_list_that_is_already_deprecated_does_not_go_again() -> None:
    assert difference([checklist("A", deprecated=True)], []).removed == ()


def test_what_is_gone_upstream_stays_deprecated() -> None:
    result = merged_set(
        [checklist("A"), checklist("C", term("old"))], [checklist("C", term("new")), checklist("B")]
    )

    assert [(one.accession, one.deprecated) for one in result] == [("A", True), ("B", False), ("C", False)]
    assert [field.name for field in result[2].fields] == ["new"]


def test_relative_images_become_absolute() -> None:
    images = ["/images/a.svg", "https://elsewhere.example/b.svg", None, "http://[no address"]
    given = [
        checklist(name).model_copy(update={"image": image})
        for name, image in zip("ABCD", images, strict=True)
    ]

    found = with_absolute_images(given, "https://registry.example/api/registry/mixs")

    assert [one.image for one in found] == [
        "https://registry.example/images/a.svg",
        "https://elsewhere.example/b.svg",
        None,
        None,
    ]


def test_a_template_field_is_a_whole_form_field() -> None:
    assert template_field(term("depth", required=True, kind=ChecklistFieldType.TAXON)) == {
        "id": "mixs_depth",
        "name": "depth",
        "type": "text",
        "label": "depth",
        "options": [],
        "required": True,
        "visible": True,
        "perSample": True,
        "groupId": None,
        "order": 3,
        "section": "Sample",
        "units": ["m"],
        "moduleSource": "mixs-metadata",
    }
