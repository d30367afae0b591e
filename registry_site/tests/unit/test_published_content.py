"""What stands in the content folder is publishable, complete and cross-referenced."""

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any
from xml.dom import minidom

import pytest
from seqfacility_registry.catalog import publishing_checks as catalog_checks
from seqfacility_registry.checklists import publishing_checks as checklist_checks
from seqfacility_registry.checklists.editions import (
    Edition,
    definition_path,
    document_of,
    edition_numbers,
    read_edition,
)
from seqfacility_registry.checklists.fields import accepts
from seqfacility_registry.install_profiles import publishing_checks as profile_checks
from seqfacility_registry.releases import publishing_checks as release_checks
from seqfacility_registry.research_data import publishing_checks as research_checks
from seqfacility_registry_tools.research_data.collecting import snapshot_text

CONTENT = Path(__file__).parents[2] / "content"
CHECKLISTS = CONTENT / "checklists"
IMAGES = sorted([*CONTENT.glob("*/images/*.svg")])


def _json(name: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((CONTENT / name).read_text("utf-8"))
    return document


@cache
def _editions() -> tuple[Edition, ...]:
    return tuple(read_edition(CHECKLISTS, number) for number in edition_numbers(CHECKLISTS))


@cache
def _fields(accession: str) -> Mapping[str, Any]:
    checklist = next(entry for entry in _editions()[-1].checklists if entry["accession"] == accession)
    return {field["name"]: field for field in checklist["fields"]}


def test_the_catalog_has_no_dangling_id() -> None:
    assert catalog_checks.check(_json("catalog/sequencing-tech.json")) == []


def test_every_declared_image_of_the_catalog_is_there() -> None:
    names = [path.name for path in (CONTENT / "catalog/images").iterdir()]

    assert catalog_checks.check_images(_json("catalog/sequencing-tech.json"), names) == []


def test_every_item_of_the_catalog_names_its_sources() -> None:
    found = catalog_checks.check_sources(_json("catalog/sequencing-tech.json"), _json("catalog/sources.json"))

    assert found == []


def test_every_technology_says_what_speaks_for_and_against_it() -> None:
    for technology in _json("catalog/sequencing-tech.json")["technologies"]:
        assert technology["pros"]
        assert technology["cons"]
        assert technology["bestFor"]


@pytest.mark.parametrize("image", IMAGES, ids=lambda path: path.name)
def test_an_image_is_a_small_drawing_without_foreign_parts(image: Path) -> None:
    drawing = minidom.parseString(image.read_bytes())  # noqa: S318  # our own file

    assert drawing.documentElement.tagName == "svg"
    assert image.stat().st_size < 20_000
    assert not drawing.getElementsByTagName("script")
    assert "href" not in image.read_text("utf-8")


def test_the_newest_checklists_are_publishable() -> None:
    assert checklist_checks.check(document_of(_editions()[-1])) == []


def test_the_newest_list_leaves_room_below_what_an_instance_accepts() -> None:
    size = len(json.dumps(document_of(_editions()[-1]), ensure_ascii=False).encode())

    assert size < checklist_checks.MAX_BYTES


def test_the_versions_follow_each_other_without_a_gap() -> None:
    assert len(_editions()) >= 3
    assert checklist_checks.check_history(_editions()) == []


@pytest.mark.parametrize("number", edition_numbers(CHECKLISTS))
def test_every_version_keeps_the_rules(number: int) -> None:
    assert checklist_checks.check(document_of(read_edition(CHECKLISTS, number))) == []


def test_every_term_is_described_or_says_where_it_is() -> None:
    silent = [
        (edition.version, checklist["accession"], field["name"])
        for edition in _editions()
        for checklist in edition.checklists
        for field in checklist["fields"]
        if not field["helpText"]
    ]

    assert silent == []


def test_no_definition_lies_about_unused() -> None:
    used = {
        definition_path(CHECKLISTS, row["accession"], row["sha256"])
        for path in (CHECKLISTS / "versions").glob("*.json")
        for row in json.loads(path.read_text("utf-8"))["checklists"]
    }

    assert set(CHECKLISTS.glob("definitions/*/*.json")) == used


def test_every_checklist_has_an_illustration() -> None:
    illustrations = json.loads((CHECKLISTS / "illustrations.json").read_text("utf-8"))
    accessions = {entry["accession"] for edition in _editions() for entry in edition.checklists}

    assert set(illustrations) >= accessions
    assert checklist_checks.check_illustrations(illustrations, sorted(accessions)) == []
    for path in illustrations.values():
        assert (CHECKLISTS / "images" / Path(path).name).is_file()


def test_the_ancient_environment_came_with_version_6() -> None:
    accessions = [{entry["accession"] for entry in edition.checklists} for edition in _editions()]

    assert "MIXS:0016024" in accessions[5]
    assert "MIXS:0016024" not in accessions[4]


def test_a_day_of_collection_may_be_a_month_or_a_year_in_every_list() -> None:
    fields = [
        field
        for checklist in _editions()[-1].checklists
        for field in checklist["fields"]
        if field["name"] == "collection_date"
    ]
    patterns = {field["pattern"] for field in fields}

    assert len(fields) > 60
    (pattern,) = patterns
    assert pattern is not None
    for answer in ("2008", "2008-01", "2013-03-25", "2013-03-25T12:42:31Z", "2008/2009", "not collected"):
        assert re.fullmatch(pattern, answer), answer
    for answer in ("yesterday", "2008-13", "25.03.2013", "2013-3-5"):
        assert not re.fullmatch(pattern, answer), answer


def test_a_place_as_published_by_the_standard_is_accepted() -> None:
    place = _fields("MIXS:0010007_0016012")["lat_lon"]

    assert accepts(place, "50.586825 6.408977")
    assert not accepts(place, "somewhere 6.4")
    assert not accepts(place, "95 6.4")


def test_a_quantity_is_a_number_with_its_units_apart() -> None:
    depth = _fields("MIXS:0010007_0016012")["depth"]

    assert (depth["type"], depth["units"]) == ("number", ["meter"])


@pytest.mark.parametrize("answer", ["2031-05-04", "2031", "2031-05/2031-06", "not collected"])
def test_the_archive_takes_a_day_a_period_or_a_reporting_term(answer: str) -> None:
    assert accepts(_fields("ERC000022")["collection_date"], answer)


@pytest.mark.parametrize("answer", ["yesterday", "", "missing: dog ate it", "2031-13-01"])
def test_the_archive_takes_no_other_text_for_a_date(answer: str) -> None:
    assert not accepts(_fields("ERC000022")["collection_date"], answer)


@pytest.mark.parametrize("path", sorted((CONTENT / "releases").glob("*.json")), ids=lambda path: path.stem)
def test_a_release_channel_is_publishable(path: Path) -> None:
    document = json.loads(path.read_text("utf-8"))

    assert release_checks.check(document) == []
    assert document["channel"] == path.stem


def test_the_research_snapshot_is_publishable() -> None:
    assert research_checks.check(_json("research/snapshot.json")) == []


def test_the_research_snapshot_is_written_as_a_refresh_would_write_it() -> None:
    text = (CONTENT / "research/snapshot.json").read_text("utf-8")

    assert snapshot_text(json.loads(text)) == text


def test_figures_that_were_misprinted_are_left_out() -> None:
    series = {metric["id"]: dict(metric["series"]) for metric in _json("research/snapshot.json")["metrics"]}

    assert "2022-12-31" not in series["pdb_entries"]
    assert "2013-12-26" not in series["insdc_annotated_bases"]


@pytest.mark.parametrize("path", sorted((CONTENT / "profiles").glob("*.json")), ids=lambda path: path.stem)
def test_an_install_profile_is_publishable(path: Path) -> None:
    document = json.loads(path.read_text("utf-8"))

    assert profile_checks.check(document) == []
    assert document["profile"]["id"] == path.stem


def test_every_profile_is_open_because_nobody_has_a_code_of_ours() -> None:
    profiles = [json.loads(path.read_text("utf-8")) for path in (CONTENT / "profiles").glob("*.json")]

    assert {profile["requiresAccessCode"] for profile in profiles} == {False}
