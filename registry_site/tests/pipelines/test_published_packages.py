"""Every published pipeline keeps the rules, and what is out never changes."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from seqfacility_pipeline_package.package import check_package, read_package
from seqfacility_pipeline_package.published import changed_versions, digests_below, packages_below, read_lock
from seqfacility_schemas import problems

CONTENT = Path(__file__).parents[2] / "content" / "pipelines"
PACKAGES = packages_below(CONTENT)
IDS = sorted(path.parent.name for path in CONTENT.glob("*/entry.json"))
BUNDLED = ("fastq-checksum", "read-cleaning", "reads-qc", "simulate-reads")


def entry_of(pipeline_id: str) -> dict[str, Any]:
    entry: dict[str, Any] = json.loads((CONTENT / pipeline_id / "entry.json").read_text("utf-8"))
    return entry


@pytest.mark.parametrize("folder", PACKAGES, ids=lambda folder: folder.name)
def test_a_published_package_has_no_problems(folder: Path) -> None:
    assert [str(problem) for problem in check_package(folder)] == []


@pytest.mark.parametrize("pipeline_id", IDS)
def test_an_entry_fits_its_schema_and_names_the_versions_that_are_there(pipeline_id: str) -> None:
    entry = entry_of(pipeline_id)
    there = sorted(folder.parent.name for folder in PACKAGES if folder.name == pipeline_id)

    assert problems("pipeline_package/listing", entry) == []
    assert entry["id"] == pipeline_id
    assert sorted(version["version"] for version in entry["versions"]) == there
    assert [read_package(folder).version for folder in PACKAGES if folder.name == pipeline_id] == there


def test_all_documented_packages_are_published_and_can_be_installed() -> None:
    assert {*BUNDLED, "mag", "taxprofiler"} <= set(IDS)
    assert {entry_of(name)["status"] for name in IDS} == {"available"}


def test_no_published_version_has_changed_and_every_version_is_locked() -> None:
    locked, actual = read_lock(CONTENT), digests_below(CONTENT)

    assert changed_versions(locked, actual) == []
    assert locked == actual


def test_the_lock_file_fits_its_schema() -> None:
    lock = json.loads((CONTENT / "published.lock.json").read_text("utf-8"))

    assert problems("pipeline_package/published-lock", lock) == []


def test_a_changed_or_vanished_version_is_named() -> None:
    locked = {"a": {"1": {"sha256": "x"}, "2": {"sha256": "y"}}, "b": {"1": {"sha256": "z"}}}
    actual = {"a": {"1": {"sha256": "x"}, "2": {"sha256": "other"}}}

    assert changed_versions(locked, actual) == [
        "a 2 is published and has changed; give it a new version",
        "b 1 is published but no longer there",
    ]


def newest_packages() -> list[Path]:
    return [CONTENT / name / "versions" / entry_of(name)["versions"][-1]["version"] / name for name in IDS]


def test_the_newest_version_of_every_package_names_topics_and_a_topic_has_one_label() -> None:
    topics = {folder.name: read_package(folder).descriptor.topics for folder in newest_packages()}
    pairs = {(topic.id, topic.label) for named in topics.values() for topic in named}

    assert [name for name, named in topics.items() if not named] == []
    assert len(pairs) == len({topic_id for topic_id, _ in pairs}) == len({label for _, label in pairs})


@pytest.mark.parametrize("script", ["run_sheet.py", "report_page.py"])
def test_the_copies_of_a_script_in_the_newest_packages_are_alike(script: str) -> None:
    copies = [path.read_bytes() for folder in newest_packages() for path in folder.rglob(script)]

    assert len(copies) >= 2
    assert len(set(copies)) == 1


def test_the_reference_genome_is_the_record_that_its_name_says(package_of: Callable[..., Path]) -> None:
    path = package_of("simulate-reads") / "workflow" / "reference" / "NC_001422.1.fasta"
    title, *lines = path.read_text("ascii").splitlines()
    sequence = "".join(lines)

    assert title.startswith(">NC_001422.1 ")
    assert len(sequence) == 5386
    assert (
        hashlib.md5(sequence.encode(), usedforsecurity=False).hexdigest()
        == "3332ed720ac7eaa9b3655c06f6b9e196"
    )


@pytest.mark.parametrize("pipeline_id", BUNDLED)
def test_a_bundled_pipeline_is_as_documented(pipeline_id: str, package_of: Callable[..., Path]) -> None:
    package = read_package(package_of(pipeline_id))
    expected: dict[str, tuple[list[str], dict[str, object], list[str]]] = {
        "fastq-checksum": (["order", "study"], {}, ["artifact", "read-metadata"]),
        "reads-qc": (["order", "study"], {}, ["artifact", "read-metadata"]),
        "read-cleaning": (
            ["order"],
            {"minLength": 50, "minQuality": 20, "maxN": 5},
            ["artifact", "read-candidate"],
        ),
        "simulate-reads": (
            ["order"],
            {"readCount": 100, "readLength": 100, "layout": "paired", "seed": 1},
            ["read-candidate"],
        ),
    }
    targets, config, destinations = expected[pipeline_id]

    assert sorted(target.value for target in package.manifest.targets) == targets
    assert package.descriptor.default_config == config
    assert sorted({output.destination.value for output in package.manifest.outputs}) == destinations
    assert package.manifest.read_cleaning is (pipeline_id == "read-cleaning")
    assert package.capabilities.requires_linked_reads is (pipeline_id != "simulate-reads")
