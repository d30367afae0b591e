"""Deleting files and repairing the records that named them."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from seqfacility_wire.errors import ServiceError

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import FacilityAdmin
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.data_folder import NotRegularFile, PathRefused, open_file, remove_file
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.files import bodies, store
from seqfacility_instance.files.errors import FileInUse, FileNotRemovable
from seqfacility_instance.reads import store as reads_store
from seqfacility_instance.reads.data_base import data_root, stored_path
from seqfacility_instance.reads.errors import FileMissing, FileNotRegular, InvalidFilePath
from seqfacility_instance.tables.base import database

if TYPE_CHECKING:
    from seqfacility_schemas import answers


@dataclass(slots=True)
class _Tally:
    deleted: int = 0
    removed: int = 0
    updated: int = 0
    artifacts: int = 0
    errors: list[answers.FileDeletionError] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Deletions:
    """Deletes up to 50 files. Spec: instance, File operations (delete)."""

    facility: FacilitySettings
    clock: Clock

    def delete(self, caller: FacilityAdmin, body: Mapping[str, object]) -> answers.FileDeletionAnswer:
        """Delete each path from disk, then repair its records; a path that fails stops no other.

        A file that is gone already is reported, and its records are repaired all the same.

        Spec: instance, File operations (delete). Decision: G126.
        """
        root = data_root(self.facility.storage())
        listed = bodies.file_paths(dict(body))
        tally = _Tally()
        for text in listed:
            try:
                self._delete(caller, root, text, tally)
            except ServiceError as refused:
                tally.errors.append({"path": text, "error": refused.text})
        return {
            "success": True,
            "total": len(listed),
            "deletedCount": tally.deleted,
            "recordsRemoved": tally.removed,
            "recordsUpdated": tally.updated,
            "artifactsRemoved": tally.artifacts,
            "errors": tally.errors,
        }

    def _delete(self, caller: FacilityAdmin, root: Path, text: str, tally: _Tally) -> None:
        path = stored_path(text)
        if store.is_used_by_a_run(path, root):
            raise FileInUse
        missing = _remove(root, path)
        with database.atomic():
            self._repair(path, tally)
            if missing is None:
                audit.record(caller, AuditAction.FILE_DELETED, "file", None, self.clock.now(), path=path)
        if missing is not None:
            raise missing
        tally.deleted += 1

    def _repair(self, path: str, tally: _Tally) -> None:
        """Delete the reads that had this file only, clear it in the others, delete its artifacts."""
        now = self.clock.now()
        for read in reads_store.list_reads_with_paths([path]):
            if reads_store.claim_read_deleted(read.id, path):
                tally.removed += 1
            elif sum(reads_store.claim_mate_cleared(read.id, number, path, now) for number in ("1", "2")):
                tally.updated += 1
        tally.artifacts += reads_store.delete_artifacts_with_path(path)
        reads_store.delete_digest(path)


def _check_target(root: Path, path: str) -> None:
    """Refuse a link that leaves the root, though only the link would go. Decision: G273."""
    with contextlib.suppress(FileNotFoundError, NotRegularFile, PermissionError):
        os.close(open_file(root, path))


def _remove(root: Path, path: str) -> FileMissing | None:
    """Remove a file; return the error of a missing one, for its records are repaired first."""
    try:
        _check_target(root, path)
        remove_file(root, path)
    except FileNotFoundError:
        return FileMissing()
    except PathRefused as refused:
        raise InvalidFilePath from refused
    except NotRegularFile as refused:
        raise FileNotRegular from refused
    except OSError as refused:
        raise FileNotRemovable from refused
    return None
