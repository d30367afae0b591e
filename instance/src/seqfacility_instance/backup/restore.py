"""Bringing a backup back into an empty installation, and holding every file against its list."""

import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from peewee import Database

from seqfacility_instance import migrations
from seqfacility_instance.backup import copying, data_files
from seqfacility_instance.backup.addresses import connected
from seqfacility_instance.backup.copying import Report
from seqfacility_instance.backup.errors import BackupRefused
from seqfacility_instance.backup.manifest import (
    DATABASE_NAME,
    KEY_NAME,
    Area,
    Contents,
    FileKind,
    FilesMode,
    read_contents,
    read_entries,
)
from seqfacility_instance.backup.moving import copy_into_empty, row_summary
from seqfacility_instance.backup.relocation import move_rows, moved_sections
from seqfacility_instance.core.ids import new_id
from seqfacility_instance.core.json_text import compact_json
from seqfacility_instance.facility_settings.identity_record import IDENTITY, MARKER, spellings
from seqfacility_instance.settings import Settings

# Keys of section `audit`: where the original notes the heads of its trail, and a copy none.
_HEADS_GO_TO: Final = frozenset({"headFile", "syslog"})
_HOME_FOLDERS: Final = ("", "data", "data/pipeline_runs", "sequencer", "packages", "databases")


@dataclass(frozen=True, slots=True)
class Verdict:
    """Numbers of files as listed and not; `was_missing` counts those missing at the time of the backup."""

    good: int
    bad: int
    was_missing: int


@dataclass(frozen=True, slots=True)
class Restore:
    """Brings a backup back into the installation that the environment names. Decision: G358."""

    settings: Settings
    report: Report

    def make(self, folder: Path, data: Path | None, *, as_copy: bool = False) -> Verdict:
        """Restore everything; the database comes last, so that nothing half restored can be served.

        `data` is where the data shall lie, or lies already when the backup holds only the list; without it
        `data/` of the state directory. `as_copy` makes a facility of its own, with another id. Files that
        are missing or different are told one by one. Raises `BackupRefused` when the backup is damaged or
        the place is not empty.

        Decision: G358, G498, G499.
        """
        contents = read_contents(folder)
        _check_parts(folder, contents)
        data_folder = (data or self.settings.home / "data").absolute()
        self._refuse_filled(contents, data_folder)
        for name in _HOME_FOLDERS:
            (self.settings.home / name).mkdir(mode=0o750, parents=True, exist_ok=True)
        data_folder.mkdir(mode=0o750, parents=True, exist_ok=True)
        verdict = self._restore_files(folder, data_folder)
        if KEY_NAME in contents.parts:
            _copy_private(folder / KEY_NAME, self.settings.secret_key_file)
        elif not self.settings.secret_key_file.exists():
            self.report(f"missing: {KEY_NAME}, which the backup leaves out; put it into {self.settings.home}")
        self._restore_database(folder / DATABASE_NAME, contents, data_folder, as_copy=as_copy)
        os.sync()
        return verdict

    def _refuse_filled(self, contents: Contents, data_folder: Path) -> None:
        home = self.settings.home
        filled = [path for path in home.rglob("*") if not path.is_dir()] if home.is_dir() else []
        if data_folder.is_relative_to(home) and contents.files is FilesMode.MANIFEST:
            filled = [path for path in filled if not path.is_relative_to(data_folder)]
        if KEY_NAME not in contents.parts:
            filled = [path for path in filled if path != self.settings.secret_key_file]
        if filled:
            raise BackupRefused(
                f"{home} is not empty ({filled[0].relative_to(home)}); restore into an empty one"
            )
        if contents.files is not FilesMode.MANIFEST and data_folder.is_dir():
            taken = next((path for path in data_folder.rglob("*") if not path.is_dir()), None)
            if taken is not None:
                raise BackupRefused(f"{data_folder} is not empty ({taken.relative_to(data_folder)})")
        if isinstance(self.settings.database_address, str):
            with connected(self.settings.database_address, "the database") as target:
                copying.check_empty(target)

    def _restore_files(self, folder: Path, data_folder: Path) -> Verdict:
        roots = {Area.DATA: data_folder, Area.PACKAGES: self.settings.home / "packages"}
        good = bad = was_missing = 0
        for entry in read_entries(folder):
            if entry.path == MARKER:
                continue  # The first start marks the folder.
            if entry.kind is FileKind.MISSING:
                was_missing += 1
                self.report(f"was missing: {entry.path}")
                continue
            target = roots[entry.area] / entry.path
            if (
                entry.is_inside
                and data_files.copy_file(entry, folder / entry.area / entry.path, target) is None
            ):
                self.report(f"missing in the backup: {entry.path}")
            if difference := data_files.difference(entry, target):
                bad += 1
                self.report(f"{difference}: {entry.path}")
            else:
                good += 1
        self.report(f"files: {good} as listed, {bad} missing or different")
        return Verdict(good, bad, was_missing)

    def _restore_database(self, kept: Path, contents: Contents, data_folder: Path, *, as_copy: bool) -> None:
        """Bring a copy of the kept database to this release and place, then to the facility's own."""
        work = self.settings.home / f"{DATABASE_NAME}.restoring"
        _copy_private(kept, work)
        _refuse_newer(work)
        with connected(work, "the restored database") as copy:
            if contents.schema == migrations.head():
                with copy.atomic():
                    found = copying.facts_of_tables(copy)
                copying.check_same(contents.tables, found, "the database of the backup")
            migrations.apply(copy)
            _repoint(copy, contents, self.settings, data_folder, as_copy=as_copy)
        address = self.settings.database_address
        if isinstance(address, Path):
            work.rename(address)
            self.report(f"database: {row_summary(contents.tables)}")
        else:
            with (
                connected(work, "the restored database") as copy,
                connected(address, "the database") as target,
            ):
                facts = copy_into_empty(copy, target, lambda _line: None)
            work.unlink()
            self.report(f"database: {row_summary(facts)}, counts and checksums agree")
        Path(f"{work}.migrating").unlink(missing_ok=True)


def _check_parts(folder: Path, contents: Contents) -> None:
    for name, expected in contents.parts.items():
        try:
            found = data_files.sha256_of(folder / name)
        except FileNotFoundError as missing:
            raise BackupRefused(f"the backup is damaged: {name} is missing") from missing
        if found != expected:
            raise BackupRefused(f"the backup is damaged: {name} is not what was written")


def _refuse_newer(work: Path) -> None:
    with connected(work, "the database of the backup") as copy:
        if newer := migrations.unknown(copy):
            raise BackupRefused(f"the backup was made by a newer release: {', '.join(newer)}")


def _copy_private(source: Path, target: Path) -> None:
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as copy, source.open("rb") as content:
        shutil.copyfileobj(content, copy)
        copy.flush()
        os.fsync(copy.fileno())


def _repoint(
    copy: Database, contents: Contents, settings: Settings, data_folder: Path, *, as_copy: bool
) -> None:
    """Rewrite the old state directory and data folder in settings and rows to the new ones.

    A copy is a facility of its own: it has another id, and forgets the mail server, what waits for it, and
    where the heads of the original's audit trail are noted.

    Decision: G408, G895.
    """
    moves = [
        (old, str(new))
        for old, new in ((contents.data_folder, data_folder), (contents.home, settings.home))
        if old
    ]
    with copy.atomic():
        row = copy.execute_sql("SELECT extra_settings FROM site_settings").fetchone()
        if row is not None:
            sections = moved_sections(json.loads(row[0]), moves)
            if isinstance(identity := sections.get(IDENTITY), dict):
                identity["homes"] = spellings(settings.home)
                if as_copy:
                    identity["facilityId"] = new_id()
            if as_copy:
                sections.pop("mail", None)
                if isinstance(trail := sections.get("audit"), dict):
                    sections["audit"] = {key: trail[key] for key in trail if key not in _HEADS_GO_TO}
                if copy.table_exists("outgoing_mails"):
                    copy.execute_sql("DELETE FROM outgoing_mails WHERE finished_at IS NULL")
            copy.execute_sql("UPDATE site_settings SET extra_settings = ?", (compact_json(sections),))
        move_rows(copy, moves)
