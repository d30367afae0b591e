"""Checks of files: the file systems of the folders, their locks and links, and the last backup."""

import fcntl
import json
import os
import secrets
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Final

from seqfacility_wire.timestamps import parse_time

from seqfacility_instance.backup.last_backup import LAST_BACKUP_NAME
from seqfacility_instance.core.mounts import IN_MEMORY, SHARED, database_file_fault, file_system_of
from seqfacility_instance.settings import Settings
from seqfacility_instance.site.checks import Check, Verdict, backup_check

FEW_INODES: Final = 10_000
"""A run of a pipeline makes hundreds of files."""


def installation_checks(settings: Settings) -> list[Check]:
    """Say on which file systems home and database lie; nothing when there is no home yet. Decision: G485."""
    home, database = settings.home, settings.database_address
    if not home.is_dir():
        return []
    checks = [_file_system_check("home", home, may_be_shared=True)]
    if isinstance(database, Path):
        fault = database_file_fault(database)
        checks.append(
            _file_system_check("database", database)
            if fault is None
            else Check(Verdict.FAIL, f"File system of database: {fault}.")
        )
    return checks


def data_folder_checks(folder: Path) -> list[Check]:
    """Say on which file system the data folder lies, and try what uploads need there. Decision: G485."""
    return [_file_system_check("data folder", folder), _locks_check(folder), _inodes_check(folder)]


def last_backup_check(home: Path, now: datetime) -> Check:
    """Check the age of the last backup. Decision: G474, G485."""
    try:
        note = json.loads((home / LAST_BACKUP_NAME).read_bytes())
    except FileNotFoundError:
        return backup_check(None, None, now)
    except (OSError, ValueError):
        note = {}
    stored = note if isinstance(note, dict) else {}
    return backup_check(stored, _made_at(stored), now)


def _made_at(note: Mapping[str, object]) -> datetime | None:
    made_at = note.get("at")
    try:
        return parse_time(made_at) if isinstance(made_at, str) else None
    except ValueError:
        return None


def _file_system_check(what: str, path: Path, *, may_be_shared: bool = False) -> Check:
    kind, label = file_system_of(path), f"File system of {what}"
    if kind is None:
        return Check(
            Verdict.WARN, f"{label}: it is not known what {path} is on. Look that it is a local disk."
        )
    if kind in IN_MEMORY:
        text = f"{path} is on {kind} and gone when the machine restarts. Use a folder on a disk."
        return Check(Verdict.WARN, f"{label}: {text}")
    if kind in SHARED and not may_be_shared:
        text = (
            f"{path} is on {kind}. Look that `flock` holds between machines (NFS without `nolock`), and that"
            " the sequencer's stability time is above the time for which attributes are cached: inotify tells"
            " nothing of what another machine writes, only the scan sees it."
        )
        return Check(Verdict.WARN, f"{label}: {text}")
    return Check(Verdict.OK, f"{label}: {path} is on {kind}.")


def _locks_check(folder: Path) -> Check:
    """Lock a file twice and link it, as uploads do; leaves nothing behind. Decision: G485."""
    label = "Locks and links"
    probe = folder / f".check-setup-{secrets.token_hex(8)}"
    link = probe.with_name(f"{probe.name}-link")
    try:
        with probe.open("xb") as first, probe.open("rb") as second:
            fcntl.flock(first, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_lockable(second):
                return Check(
                    Verdict.FAIL, f"{label}: `flock` keeps nobody out in {folder}. Mount it with locks."
                )
            os.link(probe, link)
    except OSError as error:
        text = f"uploads need `flock` and hard links in {folder}: {error.strerror}. Use another file system."
        return Check(Verdict.FAIL, f"{label}: {text}")
    finally:
        probe.unlink(missing_ok=True)
        link.unlink(missing_ok=True)
    return Check(Verdict.OK, f"{label}: `flock` and hard links work in {folder}.")


def _is_lockable(file: object) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # type: ignore[arg-type]
    except BlockingIOError:
        return False
    return True


def _inodes_check(folder: Path) -> Check:
    """Return how many files can still be made; a file system that counts none names 0 in all."""
    seen = os.statvfs(folder)
    if seen.f_files == 0:
        return Check(Verdict.OK, f"Inodes: the file system of {folder} does not limit them.")
    if seen.f_favail < FEW_INODES:
        text = f"only {seen.f_favail} files can still be made in {folder}. Remove run folders."
        return Check(Verdict.WARN, f"Inodes: {text}")
    return Check(Verdict.OK, f"Inodes: {seen.f_favail} files can still be made in {folder}.")
