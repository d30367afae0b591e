"""The lock file of published versions, and the commands around it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from seqfacility_pipeline_package.cli import main
from seqfacility_pipeline_package.payload import pack

Write = Callable[[Path, dict[str, Any]], Path]


@pytest.fixture
def content(tmp_path: Path, documents: dict[str, Any], write: Write) -> Path:
    write(tmp_path / "trim-reads" / "versions" / "1.2.0" / "trim-reads", documents)
    return tmp_path


def lock_of(content: Path) -> dict[str, Any]:
    lock: dict[str, Any] = json.loads((content / "published.lock.json").read_text())
    return lock


def test_a_new_version_is_added_with_its_digest_and_size(content: Path) -> None:
    payload = pack(content / "trim-reads" / "versions" / "1.2.0" / "trim-reads")

    assert main(["lock", str(content)]) == 0
    facts = lock_of(content)["packages"]["trim-reads"]["1.2.0"]
    assert facts["sha256"] == payload["sha256"]
    assert facts["size"] > 1000


def test_a_changed_version_is_refused_and_the_lock_stays(
    content: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["lock", str(content)])
    before = lock_of(content)
    (content / "trim-reads/versions/1.2.0/trim-reads/workflow/Snakefile").write_text("rule other:\n")

    assert main(["lock", str(content)]) == 1
    assert main(["lock", "--check", str(content)]) == 1
    assert "trim-reads 1.2.0 is published and has changed" in capsys.readouterr().out
    assert lock_of(content) == before


def test_the_digest_command_prints_what_a_download_carries(
    content: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = content / "trim-reads" / "versions" / "1.2.0" / "trim-reads"

    assert main(["digest", str(folder)]) == 0
    assert capsys.readouterr().out.strip() == pack(folder)["sha256"]


def test_a_broken_package_is_never_locked(content: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (content / "trim-reads/versions/1.2.0/trim-reads/definition.json").unlink()

    assert main(["lock", str(content)]) == 1
    assert capsys.readouterr().out == "definition.json: document: is missing\n"
    assert not (content / "published.lock.json").exists()
