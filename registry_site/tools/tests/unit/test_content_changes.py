"""A change of the content is told in words, and one that instances would not see is refused."""

import json
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from seqfacility_registry.checklists.editions import read_edition
from seqfacility_registry.settings import shipped_content
from seqfacility_registry_tools.checklists.writing import write_edition
from seqfacility_registry_tools.cli import main

Change = Callable[[dict[str, Any]], object]
MAG = "pipelines/mag"


@pytest.fixture
def contents(tmp_path: Path) -> tuple[Path, Path]:
    """Take the content, and a copy of it to change."""
    new = tmp_path / "new"
    shutil.copytree(shipped_content(), new, ignore=shutil.ignore_patterns("images"))
    return shipped_content(), new


def change(path: Path, how: Change) -> None:
    document = json.loads(path.read_text("utf-8"))
    how(document)
    path.write_text(json.dumps(document), encoding="utf-8")


def diff(contents: tuple[Path, Path], capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, str, str]:
    status = main(["diff", *map(str, contents), *more])
    said = capsys.readouterr()
    return status, said.out, said.err


def newest(folder: Path, name: str) -> Path:
    entry = json.loads((folder / "pipelines" / name / "entry.json").read_text("utf-8"))
    return folder / "pipelines" / name / "versions" / entry["versions"][-1]["version"] / name


def test_equal_contents_say_that_nothing_changes(
    contents: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert diff(contents, capsys, "--check") == (0, "Nothing that is published changes.\n", "")


def test_a_new_version_of_a_pipeline_says_what_it_does_otherwise(
    contents: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    new = contents[1]
    place = newest(new, "mag")
    shutil.copytree(place.parent, place.parents[1] / "9.0.0")
    place = place.parents[1] / "9.0.0" / "mag"
    row = {"version": "9.0.0", "releaseDate": "2031-05-04"}
    change(new / MAG / "entry.json", lambda entry: entry["versions"].append(row))
    change(place / "manifest.json", lambda manifest: manifest["outputs"].pop())
    change(place / "manifest.json", lambda manifest: manifest["outputs"][0].update(required=False))

    def settings(descriptor: dict[str, Any]) -> None:
        properties = descriptor["configSchema"]["properties"]
        del properties["skip_concoct"], descriptor["defaultConfig"]["skip_concoct"]
        properties["seed"] = {"type": "integer", "title": "Seed", "default": 1}
        descriptor["defaultConfig"] |= {"min_contig_size": 2000, "seed": 1}

    change(place / "registry.json", settings)

    status, said, _ = diff(contents, capsys, "--check")

    assert status == 0
    assert "- pipeline `mag`:\n" in said
    for line in (
        'newest version: `"5.5.0.2"` \u2192 `"9.0.0"`',
        "output `bin-summary` **withdrawn**",
        "output `multiqc`: required: `true` \u2192 `false`",
        "parameter `min_contig_size`: default: `1500` \u2192 `2000`",
        'parameter `seed` **added**: type `"integer"`, title `"Seed"`, default `1`, mandatory `false`',
        "parameter `skip_concoct` **withdrawn**",
        'version `9.0.0` **added**: releaseDate `"2031-05-04"`',
    ):
        assert f"  - {line}\n" in said


def test_the_withdrawal_of_what_somebody_else_published_is_told(
    contents: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    row = {"version": "9.0.0", "releaseDate": "2031-05-04", "status": "yanked", "yankReason": "Stolen key."}
    change(contents[1] / MAG / "entry.json", lambda entry: entry["versions"].append(row))

    status, said, _ = diff(contents, capsys, "--check")

    assert status == 0
    assert "version `9.0.0` **added**" in said
    assert "newest version" not in said


def test_the_catalog_tells_of_numbers_and_of_what_is_discontinued_and_must_raise_its_version(
    contents: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    def edit(catalog: dict[str, Any]) -> None:
        catalog["kits"][0] |= {"sku": "SQK-X", "description": "`code` and <b>"}
        catalog["kits"][1]["available"] = False
        catalog["software"].pop()

    path = contents[1] / "catalog/sequencing-tech.json"
    before = json.loads(path.read_text("utf-8"))
    change(path, edit)

    status, said, faults = diff(contents, capsys, "--check")

    first, second, tool = before["kits"][0], before["kits"][1], before["software"][-1]
    assert f'sku: `"{first["sku"]}"` \u2192 `"SQK-X"`' in said
    assert f"- kit `{second['id']}`: **discontinued**\n" in said
    assert f"- software `{tool['id']}` **withdrawn**\n" in said
    assert '`"\u2019code\u2019 and <b>"`' in said
    assert (status, faults) == (1, f"error: Catalog: changed, and still version {before['version']}\n")
    change(path, lambda catalog: catalog.update(version=before["version"] + 1))
    assert diff(contents, capsys, "--check")[0] == 0
    change(path, lambda catalog: catalog.update(version=1))
    assert (
        diff(contents, capsys, "--check")[2]
        == f"error: Catalog: version 1 is lower than {before['version']}\n"
    )


def test_terms_of_a_new_checklist_version_are_told_with_their_levels(
    contents: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = contents[1] / "checklists"
    edition = read_edition(folder)
    checklists: list[Any] = json.loads(json.dumps(edition.checklists))
    changed = checklists[0]
    (gone, field) = (changed["fields"].pop(), changed["fields"][0])
    field |= {"level": "optional", "required": False, "options": ["a", "b"]}
    write_edition(folder, replace(edition, version=edition.version + 1, checklists=tuple(checklists)))

    status, said, _ = diff(contents, capsys, "--check")

    assert status == 0
    assert f"- checklist `{changed['accession']}`:\n" in said
    assert f"term `{gone['name']}` **withdrawn**" in said
    assert 'level: `"mandatory"` \u2192 `"optional"`' in said
    assert 'options: + `"a"`, + `"b"`' in said


def test_what_disappears_and_a_profile_without_a_new_version_are_refused(
    contents: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    new = contents[1]
    shutil.rmtree(new / "pipelines/taxprofiler")
    change(new / MAG / "entry.json", lambda entry: entry["versions"].pop(0))
    change(new / "profiles/teaching.json", lambda one: one["profile"].update(minServiceVersion="9.9.9"))
    change(new / "research/snapshot.json", lambda one: one["metrics"][0]["series"].append(["2031-05-04", 7]))

    status, said, faults = diff(contents, capsys, "--check")

    assert status == 1
    assert "- pipeline `taxprofiler` **withdrawn**\n" in said
    assert "point `2031-05-04` **added**: value `7`" in said
    assert faults.splitlines() == [
        "error: Pipelines: pipeline taxprofiler is gone",
        "error: Pipelines: mag: version 5.5.0 is gone",
        "error: Install profiles: teaching: changed, and still version 1.0.0",
    ]
    assert diff(contents, capsys)[0] == 0


def test_revisions_of_the_repository_are_compared_and_a_wrong_one_is_named(
    contents: tuple[Path, Path], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    new = contents[1]

    def commit(message: str) -> None:
        person = ("-c", "user.name=N", "-c", "user.email=n@example.org")
        subprocess.run(["git", "add", "new"], cwd=new.parent, check=True)
        subprocess.run(["git", *person, "commit", "-qm", message], cwd=new.parent, check=True)

    subprocess.run(["git", "init", "-q"], cwd=new.parent, check=True)
    monkeypatch.setenv("SEQFACILITY_REGISTRY_CONTENT", str(new))
    commit("before")
    change(new / MAG / "entry.json", lambda entry: entry.update(featured=False))
    commit("after")

    assert main(["diff", "HEAD~1", "HEAD"]) == 0
    assert capsys.readouterr().out == ("## Pipelines\n\n- pipeline `mag`: featured: `true` \u2192 `false`\n")
    assert main(["diff", "nowhere", "HEAD"]) == 1
    assert capsys.readouterr().err == "error: git rev-parse: fatal: Needed a single revision\n"
