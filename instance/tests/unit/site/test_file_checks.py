"""What `check-setup` says of file systems, and what it tries there."""

import fcntl
import os
from pathlib import Path
from types import SimpleNamespace

import pytest
from seqfacility_instance.settings import Settings
from seqfacility_instance.site import file_checks
from seqfacility_instance.site.checks import Verdict
from seqfacility_instance.site.file_checks import data_folder_checks, installation_checks


def lie_on(kind: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_checks, "file_system_of", lambda _path: kind)


def test_a_data_folder_is_tried_and_left_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "reads.fastq").touch()

    checks = data_folder_checks(tmp_path)

    assert [check.text.split(":")[0] for check in checks] == [
        "File system of data folder", "Locks and links", "Inodes",
    ]  # fmt: skip
    assert checks[1].verdict is Verdict.OK
    assert [file.name for file in tmp_path.iterdir()] == ["reads.fastq"]


def test_locks_that_keep_nobody_out_are_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fcntl, "flock", lambda *_: None)

    check = data_folder_checks(tmp_path)[1]

    assert (check.verdict, "keeps nobody out" in check.text) == (Verdict.FAIL, True)
    assert list(tmp_path.iterdir()) == []


def test_a_file_system_without_hard_links_is_a_failure_with_its_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)

    check = data_folder_checks(tmp_path)[1]

    assert (check.verdict, "Operation not permitted" in check.text) == (Verdict.FAIL, True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("total", "left", "verdict"), [(0, 0, Verdict.OK), (10**6, 10**5, Verdict.OK), (10**6, 99, Verdict.WARN)]
)
def test_few_inodes_are_a_warning_unless_they_are_not_counted(
    total: int, left: int, verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "statvfs", lambda _: SimpleNamespace(f_files=total, f_favail=left))

    assert data_folder_checks(tmp_path)[2].verdict is verdict


@pytest.mark.parametrize(
    ("kind", "home", "data"),
    [
        ("ext4", Verdict.OK, Verdict.OK),
        ("nfs4", Verdict.OK, Verdict.WARN),
        ("tmpfs", Verdict.WARN, Verdict.WARN),
        (None, Verdict.WARN, Verdict.WARN),
    ],
)
def test_shared_data_and_anything_in_memory_are_warnings(
    kind: str | None, home: Verdict, data: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lie_on(kind, monkeypatch)

    of_home = installation_checks(Settings(tmp_path, "postgresql://host/name"))

    assert [check.verdict for check in of_home] == [home]
    assert data_folder_checks(tmp_path)[0].verdict is data


def test_without_a_home_nothing_is_said_of_it(tmp_path: Path) -> None:
    assert installation_checks(Settings(tmp_path / "none", tmp_path / "none" / "seqfacility.db")) == []
