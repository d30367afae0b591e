"""Backing a facility up while it runs: the database in one snapshot first, then the files."""

import contextlib
import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from peewee import Database
from seqfacility_wire.timestamps import format_time

from seqfacility_instance import migrations
from seqfacility_instance.backup import copying, data_files
from seqfacility_instance.backup.addresses import connected, refusing_unreachable
from seqfacility_instance.backup.copying import Report
from seqfacility_instance.backup.engines import is_sqlite
from seqfacility_instance.backup.errors import BackupRefused
from seqfacility_instance.backup.last_backup import write_last_backup
from seqfacility_instance.backup.manifest import (
    CONTENTS_NAME,
    DATABASE_NAME,
    FILES_NAME,
    KEY_NAME,
    Area,
    Contents,
    FileEntry,
    FileKind,
    FilesMode,
    contents_text,
    entry_line,
    read_entries,
)
from seqfacility_instance.backup.moving import copy_into_empty, row_summary
from seqfacility_instance.backup.named_files import NamedFiles
from seqfacility_instance.backup.rows import TableFacts
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.private_files import make_private
from seqfacility_instance.facility_settings.identity_record import IDENTITY
from seqfacility_instance.settings import Settings
from seqfacility_instance.version import RELEASE

_REPORT_EVERY_FILES = 1000
_HIDDEN_PARTS = ".tmp"


@dataclass(frozen=True, slots=True)
class Backup:
    """Writes backups of one facility. Decision: G357."""

    settings: Settings
    database: Database
    clock: Clock
    report: Report

    def make(
        self, folder: Path, files: FilesMode, *, has_key: bool = True, without_runs: bool = False
    ) -> Contents:
        """Write a backup to a folder that is not there yet, and read it again to be sure.

        It is written beside its name and takes it at the end: the name is a whole backup or nothing. The
        database comes first: a file may be newer than its row, but no row is without its file, unless it was
        removed in between; such files are named. Unless it `has_key`, what it holds opens no stored secret.
        `without_runs` leaves run folders out, but for their assemblies and bins. At the end the state
        directory knows of it. Raises `BackupRefused`.

        Decision: G357, G405, G474, G475.
        """
        partial = folder.with_name(f"{folder.name}.partial")
        _refuse_taken(folder, partial)
        with refusing_unreachable("the database"):
            copying.check_schema(self.database, "the database")
        with _made(partial):
            created_at = format_time(self.clock.now())
            tables = self._copy_database(partial / DATABASE_NAME)
            self.report(f"database: {row_summary(tables)}")
            stored = _stored_settings(partial / DATABASE_NAME)
            data, runs = _folders(stored)
            _refuse_inside(folder, data)
            if has_key:
                _copy_key(self.settings.secret_key_file, partial / KEY_NAME)
            entries = self._entries(partial, data, files, runs if without_runs else None)
            count, size, missing = self._write_files(partial, entries)
            contents = Contents(
                release=RELEASE,
                schema=migrations.head(),
                created_at=created_at,
                engine="sqlite" if is_sqlite(self.database) else "postgresql",
                home=str(self.settings.home),
                data_folder=None if data is None else str(data),
                files=files,
                file_count=count,
                file_bytes=size,
                tables=tables,
                parts={
                    name: data_files.sha256_of(partial / name)
                    for name in (DATABASE_NAME, *([KEY_NAME] if has_key else []), FILES_NAME)
                },
                facility=stored.get(IDENTITY, {}).get("facilityId", ""),
                missing_count=missing,
                audit=_audit_head(partial / DATABASE_NAME),
                without_runs=without_runs,
            )
            self._verify(partial)
            (partial / CONTENTS_NAME).write_text(contents_text(contents), "utf-8")
            os.sync()
            partial.rename(folder)
            _sync_folder(folder.parent)
        try:
            write_last_backup(self.settings.home, folder, contents)
        except OSError as failed:
            raise BackupRefused(f"{folder} is whole, but nobody will know of it: {failed}") from failed
        return contents

    def _copy_database(self, target: Path) -> dict[str, TableFacts]:
        """Copy one state of the database to an SQLite file, whichever engine it is on.

        WHY: no `pg_dump`. It has to be of the server's release or later and installed beside us, and only the
        workflow runtime starts processes. The rows of one repeatable-read transaction in an SQLite file are
        the same everywhere, can be compared, and are restored to either engine.
        """
        if is_sqlite(self.database):
            make_private(target)  # SQLite takes an empty file for none
            # WHY: not the online backup calls, which begin anew whenever somebody writes in between.
            with refusing_unreachable("copying the database"), self.database.connection_context():
                self.database.execute_sql("VACUUM INTO ?", (str(target),))
            with connected(target, "the copy") as copy:
                _check_integrity(copy)
                with copy.atomic():
                    facts = copying.facts_of_tables(copy)
                copy.execute_sql("PRAGMA journal_mode = delete")
            return facts
        with (
            refusing_unreachable("the database"),
            self.database.connection_context(),
            connected(target, "the copy") as copy,
        ):
            facts = copy_into_empty(self.database, copy, lambda _line: None)
            copy.execute_sql("PRAGMA journal_mode = delete")
        Path(f"{target}.migrating").unlink(missing_ok=True)
        return facts

    def _write_files(self, partial: Path, entries: Iterator[FileEntry]) -> tuple[int, int, int]:
        """Write the list of all files and copy or link them; return count, bytes, and the number missing."""
        count = size = missing = 0
        with (partial / FILES_NAME).open("x", encoding="ascii") as lines:
            for entry in entries:
                lines.write(entry_line(entry))
                if entry.kind is FileKind.MISSING:
                    missing += 1
                    self.report(f"missing: {entry.path}")
                    continue
                count, size = count + 1, size + entry.size
                if count % _REPORT_EVERY_FILES == 0:
                    self.report(f"files: {count}, {size} bytes")
        self.report(f"files: {count}, {size} bytes")
        return count, size, missing

    def _entries(
        self, partial: Path, data: Path | None, mode: FilesMode, left_out: Path | None
    ) -> Iterator[FileEntry]:
        """Copy, link or list the data files; of the folder `left_out` only results of runs."""
        packages = self.settings.home / "packages"
        for entry in data_files.walk(packages, Area.PACKAGES):
            kept = data_files.copy_file(entry, packages / entry.path, partial / "packages" / entry.path)
            if kept is not None:
                yield kept
        if data is None:
            return
        named = NamedFiles(partial / DATABASE_NAME, data)
        with contextlib.closing(named):
            for entry in data_files.walk(data, Area.DATA):
                if left_out is not None and (data / entry.path).is_relative_to(left_out):
                    known = named.find(entry.path)
                    if known is None or not known.is_result:
                        named.note_there(entry.path)
                        continue
                kept = self._kept(entry, named, data, partial / "data", mode)
                if kept is not None:
                    named.note_there(kept.path)
                    yield kept
            yield from (FileEntry(Area.DATA, path, FileKind.MISSING) for path in named.missing())

    def _kept(
        self, entry: FileEntry, named: NamedFiles, data: Path, target: Path, mode: FilesMode
    ) -> FileEntry | None:
        """Copy, link or list a file as the mode says; return None when it vanished."""
        known = named.find(entry.path)
        if mode is FilesMode.MANIFEST:
            return replace(entry, md5=known.md5 if known and known.size == entry.size else None)
        take: Callable[[FileEntry, Path, Path], FileEntry | None] = data_files.copy_file
        # HAZARD: a second name of a file that is still written to would change after the backup.
        if mode is FilesMode.LINK and known is not None and known.is_finished:
            take = data_files.link_file
        kept = take(entry, data / entry.path, target / entry.path)
        if kept is None or known is None or known.md5 is None:
            return kept
        if kept.md5 not in {None, known.md5}:
            self.report(f"damaged: {entry.path} is not what its MD5 in the database says")
        return replace(kept, md5=kept.md5 or known.md5)

    def _verify(self, partial: Path) -> None:
        """Read every copy again; a linked file is the very same file. Raises `BackupRefused`."""
        for entry in read_entries(partial):
            if not entry.is_inside or (entry.kind is FileKind.FILE and entry.sha256 is None):
                continue
            if difference := data_files.difference(entry, partial / entry.area.value / entry.path):
                raise BackupRefused(f"the copy of {entry.path} is {difference}; the backup was thrown away")


def _refuse_taken(folder: Path, partial: Path) -> None:
    if folder.exists() or folder.is_symlink():
        raise BackupRefused(f"{folder} exists; a backup makes its folder itself")
    if partial.exists():
        raise BackupRefused(
            f"{partial} is what an unfinished backup left, or one is running; remove it when none is"
        )
    if not folder.parent.is_dir():
        raise BackupRefused(f"{folder.parent} is no folder")


def _refuse_inside(folder: Path, data: Path | None) -> None:
    if data is not None and folder.resolve().is_relative_to(data.resolve()):
        raise BackupRefused(f"{folder} lies in the data folder, which would then hold its own backup")


@contextlib.contextmanager
def _made(partial: Path) -> Iterator[None]:
    """Make the folder that only its owner may read, and take it away when the backup fails."""
    try:
        partial.mkdir(mode=0o700)
        yield
    except OSError as failed:
        shutil.rmtree(partial, ignore_errors=True)
        raise BackupRefused(f"the backup failed: {failed}") from failed
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise


def _check_integrity(copy: Database) -> None:
    verdict = copy.execute_sql("PRAGMA integrity_check").fetchone()[0]
    orphans = copy.execute_sql("PRAGMA foreign_key_check").fetchall()
    if verdict != "ok" or orphans:
        raise BackupRefused(f"the database is damaged: {verdict}, {len(orphans)} broken references")


def _stored_settings(database: Path) -> dict[str, dict[str, Any]]:
    with contextlib.closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as copy:
        row = copy.execute("SELECT extra_settings FROM site_settings").fetchone()
    stored: dict[str, dict[str, Any]] = json.loads(row[0]) if row else {}
    return stored


def _audit_head(database: Path) -> dict[str, object] | None:
    with contextlib.closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as copy:
        row = copy.execute(
            "SELECT sequence, hash FROM audit_events ORDER BY sequence DESC LIMIT 1"
        ).fetchone()
    return None if row is None else {"sequence": row[0], "hash": row[1]}


def _folders(stored: Mapping[str, Mapping[str, Any]]) -> tuple[Path | None, Path | None]:
    """Return where data and run folders lie by the stored settings. Decision: G44, G46."""
    data = stored.get("storage", {}).get("dataBasePath")
    runs = stored.get("execution", {}).get("runDirectory") or (data and f"{data}/pipeline_runs")
    return Path(data) if data else None, Path(runs) if runs else None


def _copy_key(source: Path, target: Path) -> None:
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as key:
        key.write(source.read_bytes())


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
