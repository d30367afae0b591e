"""`check` finds everything that would not be published, and names it."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
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
    assert capsys.readouterr().out == "profiles/open.json: is not an object\n"
