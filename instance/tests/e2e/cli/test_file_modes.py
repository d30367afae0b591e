"""Whatever the umask and whatever was there before: others of the machine read nothing."""

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]
ADMIN = ("--admin-email", "Admin@Facility.test")


@pytest.fixture(autouse=True)
def _open_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def read_by_others(folder: Path) -> list[str]:
    """Name what somebody who got into the folder could read, links left out."""
    found = (path for path in folder.rglob("*") if not path.is_symlink())
    return [str(path.relative_to(folder)) for path in found if mode(path) & 0o007]


def test_init_closes_a_folder_that_was_there_and_all_that_it_makes(seqfacility: Command, home: Path) -> None:
    home.mkdir(mode=0o777)

    made = seqfacility("init", *ADMIN)

    assert made.returncode == 0, made.stderr
    assert mode(home) == 0o750
    assert read_by_others(home) == []
    assert mode(home / "seqfacility.db") == mode(home / "secret.key") == 0o600


def test_a_folder_that_others_may_only_pass_stays_so(seqfacility: Command, home: Path) -> None:
    home.mkdir()
    home.chmod(0o751)

    seqfacility("init", *ADMIN)

    assert mode(home) == 0o751


def test_a_database_that_others_could_read_is_closed_by_the_next_command(
    seqfacility: Command, home: Path
) -> None:
    seqfacility("init", *ADMIN)
    (home / "seqfacility.db").chmod(0o666)

    worked = seqfacility("worker", "--once")

    assert worked.returncode == 0, worked.stderr
    assert mode(home / "seqfacility.db") == 0o600


def test_a_backup_holds_nothing_that_others_could_read(
    seqfacility: Command, home: Path, tmp_path: Path
) -> None:
    seqfacility("init", *ADMIN)
    (home / "data" / "notes.txt").write_text("open")
    (home / "data" / "notes.txt").chmod(0o644)

    kept = seqfacility("backup", str(tmp_path / "kept"), "--files", "copy")

    assert kept.returncode == 0, kept.stderr
    assert mode(tmp_path / "kept") == 0o700
    assert [name for name in read_by_others(tmp_path / "kept") if name != "data/notes.txt"] == []
    assert mode(tmp_path / "kept" / "seqfacility.db") == 0o600


def test_a_stricter_umask_stays(seqfacility: Command, home: Path) -> None:
    os.umask(0o077)

    seqfacility("init", *ADMIN)

    assert mode(home / "data") == 0o700
