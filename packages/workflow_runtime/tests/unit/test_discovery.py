"""Finding out which version of a program would run."""

from pathlib import Path

import pytest
from seqfacility_workflow_runtime.discovery import find_version, read_version


def _program(folder: Path, script: str) -> str:
    path = folder / "engine"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


def test_a_program_that_answers_has_a_version(tmp_path: Path) -> None:
    assert find_version([_program(tmp_path, "echo engine 9.15.0")]) == "9.15.0"


@pytest.mark.parametrize("script", ["echo 9.15.0; exit 1", "exec sleep 600", "true", "kill -KILL $$"])
def test_a_program_that_fails_or_hangs_has_none(tmp_path: Path, script: str) -> None:
    assert find_version([_program(tmp_path, script)], seconds=0.5) is None


def test_a_program_that_is_not_there_has_none(tmp_path: Path) -> None:
    assert find_version([str(tmp_path / "nothing")]) is None
    assert find_version(["no-such-program"]) is None


@pytest.mark.parametrize(
    ("answer", "version"),
    [
        ("      version 26.04.1 build 11002\n", "26.04.1"),
        ("nextflow version 25.12.0-edge.5900", "25.12.0-edge"),
        ("9.15.0\n", "9.15.0"),
        ("no idea", None),
    ],
)
def test_versions_are_taken_out_of_what_is_printed(answer: str, version: str | None) -> None:
    assert read_version(answer) == version
