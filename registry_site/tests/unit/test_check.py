"""`check` finds everything that would not be published, and names it."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from seqfacility_pipeline_package.published import write_lock
from seqfacility_registry.check import content_problems
from seqfacility_registry.cli import main


def _edit(path: Path, edit: Callable[[Any], object]) -> None:
    document = json.loads(path.read_text("utf-8"))
    edit(document)
    path.write_text(json.dumps(document), "utf-8")


def test_the_small_content_is_sound(content: Path) -> None:
    assert content_problems(content) == []


@pytest.mark.parametrize(
    ("place", "edit", "said"),
    [
        (
            "pipelines/read-counter/entry.json",
            lambda entry: entry.update(id="other"),
            "pipelines/read-counter/entry.json: id: the folder is named 'read-counter'",
        ),
        (
            "pipelines/read-counter/entry.json",
            lambda entry: entry["versions"].pop(),
            "pipelines/read-counter/versions/1.10.0: is not listed in entry.json",
        ),
        (
            "pipelines/read-counter/entry.json",
            lambda entry: entry["versions"].append({"version": "3.0", "releaseDate": "2031-05-04"}),
            "pipelines/read-counter/entry.json: version 3.0 has no package",
        ),
        (
            "pipelines/read-counter/versions/1.9.0/read-counter/registry.json",
            lambda descriptor: descriptor.update(icon="star"),
            "pipelines/read-counter/versions/1.9.0: is published and has changed; give it a new version",
        ),
        (
            "pipelines/read-counter/entry.json",
            lambda entry: entry.update(verified=True),
            "pipelines/read-counter/entry.json: verified: needs a verification, and only then is true",
        ),
        (
            "pipelines/published.lock.json",
            lambda lock: lock["packages"]["read-counter"].pop("1.9.0"),
            "pipelines/published.lock.json: read-counter 1.9.0 is not locked",
        ),
        (
            "profiles/open.json",
            lambda file: file["profile"].update(pipelines=[{"id": "nobody", "enabled": True}]),
            "profiles/open.json: pipelines: nobody is not in the registry",
        ),
        (
            "releases/beta.json",
            lambda channel: channel.update(channel="stable"),
            "releases/beta.json: ",
        ),
        (
            "research/snapshot.json",
            lambda snapshot: snapshot["metrics"][0].update(category="none"),
            "research/snapshot.json: ",
        ),
        (
            "checklists/illustrations.json",
            lambda images: images.update({"ERC000022": "/images/checklists/none.svg"}),
            "checklists/illustrations.json: ERC000022: no file for /images/checklists/none.svg",
        ),
        (
            "catalog/sequencing-tech.json",
            lambda catalog: catalog["devices"][0].update(platformId="nobody"),
            "catalog/sequencing-tech.json: ",
        ),
    ],
)
def test_each_fault_is_named(content: Path, place: str, edit: Callable[[Any], object], said: str) -> None:
    _edit(content / place, edit)

    assert [line for line in content_problems(content) if line.startswith(said)]


def _publish(content: Path, edit: Callable[[Any], object]) -> list[str]:
    """Publish version 2.0.0 of the counter with a changed manifest; return what `check` says."""
    pipelines = content / "pipelines"
    home = pipelines / "read-counter/versions"
    shutil.copytree(home / "1.10.0", home / "2.0.0")
    manifest = home / "2.0.0/read-counter/manifest.json"
    _edit(manifest, lambda one: one["package"].update(version="2.0.0"))
    _edit(manifest, edit)
    new = {"version": "2.0.0", "releaseDate": "2031-05-04"}
    _edit(pipelines / "read-counter/entry.json", lambda entry: entry["versions"].append(new))
    assert write_lock(pipelines) == []
    return content_problems(content)


def test_the_newest_version_of_a_fetched_workflow_names_its_commit(content: Path) -> None:
    found = _publish(content, lambda one: one["execution"]["workflow"].pop("commit"))

    assert found == ["pipelines/read-counter/entry.json: version 2.0.0: its workflow has no commit"]


def test_a_platform_family_of_a_pipeline_is_one_of_the_catalog(content: Path) -> None:
    found = _publish(content, lambda one: one["sequencingCompatibility"].update(platformFamilies=["none"]))

    assert found == [
        "pipelines/read-counter/entry.json: version 2.0.0: platform family none is not in the catalog"
    ]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, []),
        ({"version": "1.9.0"}, ["is of 1.9.0, the newest version is 1.10.0"]),
        ({"engine": "snakemake"}, ["snakemake is not the engine of the package"]),
        (
            {"outputs": ["other"]},
            ["other is no output of the package", "the required output counts was not found"],
        ),
    ],
)
def test_a_verification_is_of_the_newest_version_and_saw_its_outputs(
    content: Path, change: dict[str, Any], said: list[str]
) -> None:
    record = {
        "version": "1.10.0",
        "date": "2031-05-04",
        "engine": "nextflow",
        "engineVersion": "26.04.0",
        "test": "-profile test",
        "outputs": ["counts"],
    }
    entry = content / "pipelines/read-counter/entry.json"
    _edit(entry, lambda one: one.update(verified=True, verification=record | change))

    found = content_problems(content)

    assert found == [f"pipelines/read-counter/entry.json: verification: {line}" for line in said]


def _yank(entry: Any, *versions: str) -> None:
    for row in entry["versions"]:
        if row["version"] in versions:
            row.update(status="yanked", yankReason="Counts reads twice.")


def _advise(entry: Any, **changes: Any) -> None:
    advisory = {
        "id": "SFA-2031-0001",
        "published": "2031-05-06",
        "severity": "high",
        "summary": "Counts reads twice.",
        "affects": ["1.9.0"],
    }
    entry.setdefault("advisories", []).append(advisory | changes)


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda entry: _yank(entry, "1.9.0"), []),
        (lambda entry: _yank(entry, "1.10.0"), []),
        (
            lambda entry: _yank(entry, "1.9.0", "1.10.0"),
            ["status: every version is yanked, so nothing is installable: say withdrawn"],
        ),
        (lambda entry: (_yank(entry, "1.9.0", "1.10.0"), entry.update(status="withdrawn")), []),
        (
            lambda entry: (_yank(entry, "1.9.0"), entry.update(status="withdrawn")),
            ["status: is withdrawn, but 1.10.0 is not yanked"],
        ),
        (lambda entry: _advise(entry, fixedIn="1.10.0"), []),
        (
            lambda entry: (_advise(entry), _advise(entry)),
            ["advisory SFA-2031-0001 stands twice"],
        ),
        (
            lambda entry: _advise(entry, affects=["1.9.0", "1.8.0"]),
            ["advisory SFA-2031-0001: there is no version 1.8.0"],
        ),
        (
            lambda entry: (_yank(entry, "1.10.0"), _advise(entry, fixedIn="1.10.0")),
            ["advisory SFA-2031-0001: fixedIn 1.10.0 is yanked, affected or unknown"],
        ),
    ],
)
def test_withdrawn_versions_and_advisories_contradict_nothing(
    content: Path, edit: Callable[[Any], object], said: list[str]
) -> None:
    _edit(content / "pipelines/read-counter/entry.json", edit)

    assert content_problems(content) == [f"pipelines/read-counter/entry.json: {line}" for line in said]


def test_a_withdrawn_version_needs_a_reason(content: Path) -> None:
    entry = content / "pipelines/read-counter/entry.json"
    _edit(entry, lambda one: one["versions"][0].update(status="yanked"))

    assert "pipelines/read-counter/entry.json: versions[0]: 'status' needs 'yankReason'" in content_problems(
        content
    )


def test_a_profile_asks_for_no_withdrawn_version(content: Path) -> None:
    wanted = [{"id": "read-counter", "version": "1.9.0", "enabled": True}]
    _edit(content / "profiles/open.json", lambda file: file["profile"].update(pipelines=wanted))
    _edit(content / "pipelines/read-counter/entry.json", lambda entry: _yank(entry, "1.9.0"))

    assert content_problems(content) == ["profiles/open.json: pipelines: read-counter 1.9.0 is yanked"]


@pytest.mark.parametrize(
    "place",
    [
        "pipelines/read-counter/entry.json",
        "pipelines/published.lock.json",
        "pipelines/read-counter/versions/1.9.0/read-counter/manifest.json",
        "catalog/sequencing-tech.json",
        "checklists/illustrations.json",
        "checklists/versions/1.json",
        "releases/stable.json",
        "research/snapshot.json",
        "profiles/open.json",
    ],
)
def test_a_file_that_is_no_json_is_named_and_not_quoted(content: Path, place: str) -> None:
    (content / place).write_text("{ this is not JSON")

    found = content_problems(content)

    assert found
    assert not any("this is not JSON" in line or str(content) in line for line in found)


def test_a_published_version_that_vanished_is_named(content: Path) -> None:
    shutil.rmtree(content / "pipelines" / "read-counter" / "versions" / "1.9.0")

    said = "pipelines/published.lock.json: read-counter 1.9.0 is published but no longer there"
    assert said in content_problems(content)


def test_the_command_prints_one_line_a_problem_and_exits_with_1(
    content: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SEQFACILITY_REGISTRY_CONTENT", str(content))

    assert main(["check"]) == 0
    (content / "profiles" / "open.json").write_text("[]")
    assert main(["check"]) == 1
    monkeypatch.delenv("SEQFACILITY_REGISTRY_CONTENT")
    assert main(["check"]) == 0
    capsys.readouterr()
    assert main(["check", str(content)]) == 1
    assert capsys.readouterr().out == "profiles/open.json: is not an object\n"
