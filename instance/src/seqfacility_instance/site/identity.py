"""Whether key, state directory and data folder belong to the facility of the database. Decision: G408."""

import contextlib
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from peewee import Database
from seqfacility_wire.errors import ServiceError

from seqfacility_instance.backup.moving import running_daemons
from seqfacility_instance.backup.relocation import move_rows, moved_sections
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.ids import new_id
from seqfacility_instance.facility_settings import store
from seqfacility_instance.facility_settings.identity_record import (
    IDENTITY,
    MARKER,
    IdentityRecord,
    find_identity,
    spellings,
)
from seqfacility_instance.facility_settings.secret_box import KeyUnusable
from seqfacility_instance.facility_settings.service import SAVE_ATTEMPTS, FacilitySettings
from seqfacility_instance.settings import Settings
from seqfacility_instance.tables.base import database as tables_database

_NEW_KEY: Final = (
    "bring it back from where it is kept, or give the stored secrets up: `seqfacility init --new-key`"
)


class NotThisFacility(ServiceError):
    """Something that the facility needs is another one's; the text says what and what to do.

    Decision: G408.
    """

    status = 503
    message = "{text}"


@dataclass(frozen=True, slots=True)
class Identity:
    """Holds key, state directory and data folder against what the database says of them. Decision: G408."""

    settings: Settings
    database: Database
    facility: FacilitySettings
    clock: Clock

    def settle(self, *, is_claimed: bool = False) -> None:
        """Check that everything belongs together, before the first process starts; stands in a connection.

        What is not known yet is noted: the key and id of a facility of an older release, the owner of a data
        folder. A database that lies in its state directory follows it when that was moved or copied.
        `is_claimed` says that state directory and data folder are ours whatever they say. Raises
        `NotThisFacility`.

        Decision: G408.
        """
        if not store.row_exists():
            return
        self.check_key()
        record = self._recorded()
        if not self._is_home(record):
            record = self._relocated(record, is_claimed=is_claimed)
        self._mark_data_folder(record.facility_id, is_claimed=is_claimed)

    def key_fault(self) -> str | None:
        """Return what is wrong with the key, and what to do; None when it is ours. Decision: G408."""
        record, secret = find_identity(), store.any_secret()
        try:
            fingerprint = self.facility.secrets.fingerprint()
        except KeyUnusable as unusable:
            return f"{unusable.reason}; {_NEW_KEY}"
        is_ours = (
            record.key == fingerprint if record else secret is None or self.facility.secrets.open(secret)
        )
        return None if is_ours else f"secret.key is that of another facility; {_NEW_KEY}"

    def check_key(self) -> None:
        """Raise `NotThisFacility` unless the key is that of the database. Decision: G408."""
        if fault := self.key_fault():
            raise NotThisFacility(text=fault)

    def folder_faults(self) -> list[str]:
        """Return what `settle` would refuse of the folders; nothing is changed. Decision: G408."""
        record = find_identity()
        if record is None:
            return []
        faults = []
        if not self._is_home(record):
            fault = self._still_running(record) if self._follows_home() else _other_home(record)
            faults = [fault] if fault else []
        base = self._data_folder()
        if (
            base is not None
            and not self._is_in_home(base)
            and data_owner(base) not in {None, record.facility_id}
        ):
            faults.append(_other_data(base))
        return faults

    def _recorded(self) -> IdentityRecord:
        """Return the record, made now where there is none: of two processes one makes it."""
        for _attempt in range(SAVE_ATTEMPTS):
            with tables_database.atomic():
                if record := find_identity():
                    return record
                record = IdentityRecord(
                    new_id(), self.facility.secrets.fingerprint(), tuple(spellings(self.settings.home))
                )
                if self._claim(record.document()):
                    return record
        raise AssertionError(f"the identity could not be noted in {SAVE_ATTEMPTS} attempts")

    def _relocated(self, record: IdentityRecord, *, is_claimed: bool) -> IdentityRecord:
        """Let everything name this state directory. A copy beside its original is a facility of its own."""
        if not is_claimed and not self._follows_home():
            raise NotThisFacility(text=_other_home(record))
        if running := self._still_running(record):
            raise NotThisFacility(text=running)
        is_copy = self._follows_home() and any(Path(home, "secret.key").exists() for home in record.homes)
        moved = replace(
            record,
            homes=tuple(spellings(self.settings.home)),
            facility_id=new_id() if is_copy else record.facility_id,
        )
        moves = [(old, str(self.settings.home)) for old in record.homes]
        with tables_database.atomic():
            row = store.find_row()
            if row is None or find_identity() != record:
                return self._recorded()  # another process was faster
            sections = {**moved_sections(row.extra_settings, moves), IDENTITY: moved.document()}
            if not store.claim_sections(row, sections, self.clock.now()):
                raise AssertionError("settings were saved while the state directory moved")
            move_rows(self.database, moves)
        return moved

    def _still_running(self, record: IdentityRecord) -> str | None:
        alive = ", ".join(running_daemons(self.database))
        return f"still running in {record.homes[0]}: {alive}; stop them, or wait a minute" if alive else None

    def _mark_data_folder(self, facility_id: str, *, is_claimed: bool) -> None:
        base = self._data_folder()
        if base is None:
            return
        owner = data_owner(base)
        may_mark = owner is None or is_claimed or self._is_in_home(base)
        if may_mark and owner != facility_id:
            _mark(base, facility_id, is_new=owner is None)
            owner = data_owner(base) or facility_id  # a folder that nobody can mark is no one's
        if owner != facility_id:
            raise NotThisFacility(text=_other_data(base))

    def _claim(self, document: dict[str, object]) -> bool:
        row = store.find_row()
        return row is not None and store.claim_section(row, IDENTITY, document, self.clock.now())

    def _data_folder(self) -> Path | None:
        path = self.facility.storage().data_base_path
        return Path(path) if path is not None and Path(path).is_dir() else None

    def _is_in_home(self, folder: Path) -> bool:
        return folder.resolve().is_relative_to(self.settings.home.resolve())

    def _is_home(self, record: IdentityRecord) -> bool:
        home = self.settings.home
        with contextlib.suppress(OSError):
            return str(home) in record.homes or any(os.path.samefile(home, old) for old in record.homes)  # noqa: PTH121
        return False

    def _follows_home(self) -> bool:
        address = self.settings.database_address
        return isinstance(address, Path) and self._is_in_home(address)


def _other_home(record: IdentityRecord) -> str:
    return (
        f"the database is that of the facility in {record.homes[0]}; stop that one, and if it has moved here,"
        " say so: `seqfacility init --claim`"
    )


def _other_data(base: Path) -> str:
    return (
        f"{base} holds the data of another facility; set another data folder, or if it is that of this one,"
        " say so: `seqfacility init --claim`"
    )


def data_owner(base: Path) -> str | None:
    """Read whose data a folder holds; None when it has no mark, "" when that cannot be read.

    Decision: G408.
    """
    try:
        return (base / MARKER).read_text("utf-8", "replace").strip()
    except FileNotFoundError:
        return None
    except OSError:
        return ""


def _mark(base: Path, facility_id: str, *, is_new: bool) -> None:
    """Say whose data a folder holds; of two who say it of a new one, the first stays."""
    draft = base / f"{MARKER}.{facility_id}.{os.getpid()}"
    with contextlib.suppress(OSError):
        draft.write_text(f"{facility_id}\n", "utf-8")
        if not is_new:
            draft.replace(base / MARKER)
            return
        try:
            os.link(draft, base / MARKER)
        except FileExistsError:
            draft.unlink()
        except OSError:
            # WHY: not every file system has hard links; there the last of two that begin at once stays.
            draft.replace(base / MARKER)
        else:
            draft.unlink()
