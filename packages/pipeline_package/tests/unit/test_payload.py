"""Packing, unpacking and digests."""

import copy
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from seqfacility_pipeline_package.documents import canonical_json
from seqfacility_pipeline_package.package import check_package
from seqfacility_pipeline_package.payload import (
    DigestMismatch,
    check_payload,
    pack,
    payload_digest,
    read_payload,
    unpack,
)
from seqfacility_pipeline_package.problems import PackageInvalid


@pytest.fixture
def payload(package_folder: Path) -> dict[str, Any]:
    return pack(package_folder)


def resealed(payload: dict[str, Any]) -> dict[str, Any]:
    return {**payload, "sha256": payload_digest(payload)}


def test_a_payload_has_the_documented_keys_and_paths(payload: dict[str, Any]) -> None:
    assert set(payload) == {
        *("id", "version", "sha256", "manifest", "definition", "registry", "samplesheet"),
        *("parsers", "scripts", "workflow"),
    }
    assert set(payload["parsers"]) == {"parsers/counts.json", "parsers/grades.json"}
    assert set(payload["workflow"]) == {"workflow/Snakefile"}
    assert (payload["id"], payload["version"]) == ("trim-reads", "1.2.0")
    assert check_payload(payload) == []


def test_the_digest_is_that_of_sorted_compact_utf8_json() -> None:
    assert canonical_json({"b": "é", "a": [1, 2.5, None]}) == '{"a":[1,2.5,null],"b":"é"}'.encode()
    assert payload_digest({"a": 1}) == payload_digest({"sha256": "anything", "a": 1})
    assert payload_digest({}) == "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"


def test_an_unpacked_package_is_sound_and_packs_to_the_same_payload(
    payload: dict[str, Any], tmp_path: Path
) -> None:
    target = tmp_path / "home" / "1.2.0" / "trim-reads"

    unpack(payload, target)

    assert check_package(target) == []
    assert pack(target) == payload
    assert [path.name for path in target.parent.iterdir()] == ["trim-reads"]
    assert target.stat().st_mode & 0o777 == 0o750
    assert (target / "workflow" / "Snakefile").stat().st_mode & 0o777 == 0o640


def test_a_version_that_is_there_is_never_written_over(payload: dict[str, Any], tmp_path: Path) -> None:
    target = tmp_path / "there" / "trim-reads"
    target.mkdir(parents=True)
    (target / "mine.txt").write_text("mine")

    with pytest.raises(FileExistsError):
        unpack(payload, target)

    assert [path.name for path in target.iterdir()] == ["mine.txt"]
    assert [path.name for path in target.parent.iterdir()] == ["trim-reads"]


def test_of_many_who_unpack_at_once_exactly_one_puts_the_package_there(
    payload: dict[str, Any], tmp_path: Path
) -> None:
    target = tmp_path / "race" / "trim-reads"

    def attempt(_: int) -> bool:
        try:
            unpack(payload, target)
        except FileExistsError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        won = list(pool.map(attempt, range(8)))

    assert won.count(True) == 1
    assert pack(target) == payload
    assert [path.name for path in target.parent.iterdir()] == ["trim-reads"]


def test_a_payload_for_another_folder_is_refused(payload: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(PackageInvalid, match="the folder is named 'other'"):
        unpack(payload, tmp_path / "other")

    assert not (tmp_path / "other").exists()


def test_a_payload_whose_content_was_changed_is_refused(payload: dict[str, Any], tmp_path: Path) -> None:
    payload["workflow"]["workflow/Snakefile"] += "# one byte more"

    with pytest.raises(PackageInvalid, match="does not fit the content"):
        unpack(payload, tmp_path / "trim-reads")


def test_a_payload_of_another_digest_than_announced_is_refused(payload: dict[str, Any]) -> None:
    assert read_payload(payload, payload["sha256"]).id == "trim-reads"
    assert read_payload(payload, None).id == "trim-reads"

    with pytest.raises(DigestMismatch, match="not the one that the registry announced"):
        read_payload(payload, "0" * 64)


@pytest.mark.parametrize(
    "name",
    [
        *(
            "../x",
            "workflow/../../x",
            "/etc/x",
            "workflow//x",
            "workflow/",
            "workflow/./x",
            "workflow/.x",
            "x",
        ),
        *("workflow/-x", "workflow/a\nb", "workflow/x\n", "workflow/a b", "workflow/é", "workflow/x\\y"),
        *("workflow/" + "a" * 129, "workflow/" + "a/" * 300 + "a", "scripts/x", "workflow/__pycache__/x.pyc"),
    ],
)
def test_a_hostile_file_name_is_refused(payload: dict[str, Any], name: str, tmp_path: Path) -> None:
    payload["workflow"][name] = "x"

    with pytest.raises(PackageInvalid):
        unpack(resealed(payload), tmp_path / "in" / "trim-reads")

    assert sorted(path.name for path in tmp_path.iterdir()) == ["trim-reads"]


@pytest.mark.parametrize(
    ("spoil", "expected"),
    [
        (
            lambda p: p["workflow"].update({"workflow/snakeFILE": "x"}),
            "differs from another file only in capitals",
        ),
        (
            lambda p: p["workflow"].update({"workflow/Snakefile/x": "x"}),
            "differs from another file only in capitals",
        ),
        (lambda p: p["workflow"].update({"workflow/x": "\0"}), "holds a NUL"),
        (lambda p: p["workflow"].update({"workflow/x": "\ud800"}), "half a surrogate"),
        (lambda p: p["workflow"].update({"workflow/x": 1}), "is not of type 'string'"),
        (lambda p: p.update(version="1.3.0"), "is not the version of the manifest"),
        (lambda p: p.update(extra=1), "Additional properties"),
        (lambda p: p.pop("scripts"), "'scripts' is a required property"),
        (lambda p: p["manifest"]["outputs"][0].update(targetDataClass="raw"), "is a protected class"),
    ],
)
def test_a_payload_keeps_the_rules_of_a_package(
    payload: dict[str, Any], spoil: Callable[[dict[str, Any]], object], expected: str
) -> None:
    spoilt = copy.deepcopy(payload)
    spoil(spoilt)
    if "\ud800" not in str(spoilt["workflow"].get("workflow/x")):
        spoilt = resealed(spoilt)

    lines = [str(problem) for problem in check_payload(spoilt)]

    assert any(expected in line for line in lines), lines


@pytest.mark.parametrize("payload_text", ["null", "[]", '"x"', "{}"])
def test_what_is_no_payload_is_a_problem_and_no_crash(payload_text: str) -> None:
    assert check_payload(json.loads(payload_text)) != []
