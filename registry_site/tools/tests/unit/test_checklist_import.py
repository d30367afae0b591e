"""A new MIxS release becomes the next version, and never replaces a published one."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from seqfacility_registry.checklists.editions import (
    BrokenEdition,
    Edition,
    edition_numbers,
    read_edition,
)
from seqfacility_registry.checklists.fields import Checklist, ChecklistField
from seqfacility_registry.checklists.publishing_checks import check
from seqfacility_registry_tools.checklists.curation import Curation, read_curation
from seqfacility_registry_tools.checklists.fields import usable_pattern
from seqfacility_registry_tools.checklists.importer import ImportRefused, import_release, mixs_checklists
from seqfacility_registry_tools.checklists.linkml import UnreadableRelease, read_release, stronger
from seqfacility_registry_tools.checklists.writing import write_edition

HERE = Path(__file__).parent
SMALL = (HERE / "small_mixs.yaml").read_text("utf-8")
CURATION = HERE.parents[2] / "content/checklists/curation"
ARCHIVE: Any = {
    "accession": "ERC000011",
    "name": "Default",
    "description": "Anything.",
    "checklistVersion": "2031-01-01",
    "source": None,
    "deprecated": False,
    "fieldCount": 0,
    "mandatoryCount": 0,
    "fields": [],
}


@pytest.fixture(scope="module")
def curation() -> Curation:
    return read_curation(CURATION)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(CURATION, tmp_path / "curation")
    write_edition(tmp_path, Edition(1, "2031-01-01", (), (ARCHIVE,)))
    return tmp_path


def _built(curation: Curation) -> dict[str, Checklist]:
    release = read_release(SMALL)
    built = mixs_checklists(release.terms, release.classes.values(), curation, "7.1.0")
    return {entry["accession"]: entry for entry in built}


def _fields(checklist: Checklist) -> dict[str, ChecklistField]:
    return {field["name"]: field for field in checklist["fields"]}


def test_classes_are_told_apart_by_what_they_inherit_from() -> None:
    kinds = {name: entry.kind for name, entry in read_release(SMALL).classes.items()}

    assert kinds == {
        "Mims": "checklist",
        "Misag": "checklist",
        "Pond": "extension",
        "MimsPond": "combination",
        "PondLedger": "combination",
        "MisagPond": "combination",
    }


def test_a_class_has_the_slots_that_it_inherits() -> None:
    assert read_release(SMALL).classes["Mims"].levels == {
        "samp_name": "mandatory",
        "season": "recommended",
        "depth": "optional",
    }


def test_a_class_may_change_the_level_of_a_slot() -> None:
    levels = read_release(SMALL).classes["Pond"].levels

    assert levels["depth"] == "mandatory"
    assert levels["season"] == "optional"


def test_in_a_combination_the_stronger_level_counts() -> None:
    levels = read_release(SMALL).classes["MimsPond"].levels

    assert levels["depth"] == "mandatory"
    assert levels["season"] == "recommended"
    assert stronger("optional", "recommended") == "recommended"


def test_a_class_that_only_gives_another_example_keeps_the_level() -> None:
    assert read_release(SMALL).classes["PondLedger"].levels["depth"] == "mandatory"


def test_named_parts_of_a_pattern_are_put_in() -> None:
    assert read_release(SMALL).terms["pond_code"].regex == "^P[1-9][0-9]*$"


def test_curated_combinations_are_built_and_others_are_not(curation: Curation) -> None:
    assert sorted(_built(curation)) == [
        "MIXS:0010007",
        "MIXS:0010007_0016099",
        "MIXS:0010010",
        "MIXS:0016099",
    ]


def test_a_combination_is_named_after_its_parts(curation: Curation) -> None:
    assert _built(curation)["MIXS:0010007_0016099"]["name"] == "MIMS pond"


def test_a_quantity_with_units_becomes_a_number(curation: Curation) -> None:
    depth = _fields(_built(curation)["MIXS:0016099"])["depth"]

    assert (depth["type"], depth["pattern"], depth["units"]) == (
        "number",
        None,
        ["meter", "centimeter", "cells (or a|b)"],
    )
    assert depth["example"] == "10"


def test_a_pattern_that_can_never_match_is_replaced(curation: Curation) -> None:
    place = _fields(_built(curation)["MIXS:0016099"])["lat_lon"]

    assert place["pattern"] == curation.by_syntax["^{lat} {lon}$"].pattern
    assert place["example"] == "50.586825 6.408977"


def test_an_unknown_pattern_is_kept_when_it_accepts_its_own_example(curation: Curation) -> None:
    assert _fields(_built(curation)["MIXS:0016099"])["pond_code"]["pattern"] == "^P[1-9][0-9]*$"


@pytest.mark.parametrize(
    ("regex", "example"), [("", "x"), ("(", ""), ("[0-9]+", "ten"), ("a" * 501, ""), ("{unknown}", "x")]
)
def test_an_unusable_pattern_is_left_out(regex: str, example: str) -> None:
    assert usable_pattern(regex, example) is None


def test_an_example_that_is_no_option_is_left_out(curation: Curation) -> None:
    season = _fields(_built(curation)["MIXS:0010007"])["season"]

    assert (season["type"], season["options"], season["example"]) == ("select", ["spring", "autumn"], None)


def test_a_moment_becomes_a_day(curation: Curation) -> None:
    visited = _fields(_built(curation)["MIXS:0016099"])["visited"]

    assert (visited["type"], visited["example"]) == ("date", "2031-05-04")


def test_a_deprecated_term_is_dropped(curation: Curation) -> None:
    assert "old_code" not in _fields(_built(curation)["MIXS:0016099"])


def test_a_term_without_our_own_words_links_to_its_definition(curation: Curation) -> None:
    code = _fields(_built(curation)["MIXS:0016099"])["pond_code"]

    assert code["helpText"] == "Definition of the term: https://w3id.org/mixs/0099999"


def test_the_import_writes_the_next_version_and_carries_the_archive_over(folder: Path) -> None:
    import_release(folder, SMALL, "7.1.0", 2, "2031-05-04")
    newest = read_edition(folder)

    assert newest.version == 2
    assert ARCHIVE in newest.checklists
    assert check({"version": 2, "checklists": list(newest.checklists)}) == []
    assert newest.sources[0]["release"] == "7.1.0"


def test_the_version_before_stays_as_it_was(folder: Path) -> None:
    before = (folder / "versions/1.json").read_bytes()
    import_release(folder, SMALL, "7.1.0", 2, "2031-05-04")

    assert (folder / "versions/1.json").read_bytes() == before
    assert read_edition(folder, 1).checklists == (ARCHIVE,)


@pytest.mark.parametrize("version", [0, 1])
def test_the_import_refuses_a_version_that_is_not_raised(folder: Path, version: int) -> None:
    with pytest.raises(ImportRefused, match="must be greater than 1"):
        import_release(folder, SMALL, "7.1.0", version, "2031-05-04")

    assert edition_numbers(folder) == [1]


def test_the_import_refuses_a_release_that_changes_nothing(folder: Path) -> None:
    import_release(folder, SMALL, "7.1.0", 2, "2031-05-04")

    with pytest.raises(ImportRefused, match="nothing changed"):
        import_release(folder, SMALL, "7.1.0", 3, "2031-06-04")


def test_the_same_release_gives_the_same_bytes(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("other")
    shutil.copytree(folder, other, dirs_exist_ok=True)
    for place in (folder, other):
        import_release(place, SMALL, "7.1.0", 2, "2031-05-04")
    files = sorted(path.relative_to(folder) for path in folder.rglob("*.json"))

    assert [(folder / name).read_bytes() for name in files] == [(other / name).read_bytes() for name in files]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a: [",
        "[]",
        "slots: {}\nclasses: {}",
        "slots: {a: {}}\nclasses: {B: {is_a: Checklist, slots: [c]}}",
        "slots: {a: {}}\nclasses: {Checklist: {is_a: Checklist}, B: {is_a: Checklist}}",
    ],
)
def test_a_file_that_is_no_release_is_refused(text: str) -> None:
    with pytest.raises(UnreadableRelease):
        read_release(text)


def test_a_definition_that_was_changed_afterwards_is_found(folder: Path) -> None:
    (definition,) = folder.glob("definitions/*/*.json")
    definition.write_text(definition.read_text("utf-8").replace("Default", "Other"), "utf-8")

    with pytest.raises(BrokenEdition, match="not the published one"):
        read_edition(folder)


def test_a_version_that_was_never_published_cannot_be_read(folder: Path) -> None:
    with pytest.raises(BrokenEdition, match=r"versions/9\.json: missing"):
        read_edition(folder, 9)


def test_the_newest_version_is_the_highest_number_and_not_the_last_file(folder: Path) -> None:
    for version in (10, 9):
        text = (folder / "versions/1.json").read_text("utf-8")
        (folder / f"versions/{version}.json").write_text(
            text.replace('"version": 1', f'"version": {version}')
        )

    assert read_edition(folder).version == 10
    assert json.loads((folder / "versions/10.json").read_text("utf-8"))["version"] == 10
