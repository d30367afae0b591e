"""How two versions of the checklists differ, and what becomes active."""

from seqfacility_instance.checklists.definition import Checklist, ChecklistField
from seqfacility_instance.checklists.rules import (
    ChecklistChange,
    difference,
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
    assert found.changed == (ChecklistChange("A", ("w",), ("y",), ("x", "w")),)


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
