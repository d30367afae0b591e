"""Downloading one file: who may have it, and which file it is."""

import os
from dataclasses import dataclass
from datetime import timedelta

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.reading import may_download_artifact, may_download_assembly, may_see_read
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.data_folder import resolved_path
from seqfacility_instance.core.seen_keys import SeenKeys
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.files import rules, store
from seqfacility_instance.files.errors import (
    AccessDenied,
    AssemblyDownloadsDisabled,
    PathRequired,
    TypeNotDownloadable,
)
from seqfacility_instance.files.ranges import accel_address
from seqfacility_instance.reads import store as reads_store
from seqfacility_instance.reads.data_base import data_root, open_stored, stored_path
from seqfacility_instance.reads.naming import NAMED_BY_SERVICE, delivered_name, sample_stems
from seqfacility_instance.reads.store import StoredRead
from seqfacility_instance.tables.base import database

DOWNLOAD_PARTS_WITHIN = timedelta(hours=1)
"""Requests for one file within this time count as one download in the audit."""


@dataclass(frozen=True, slots=True)
class OpenedFile:
    """A file that its caller may have; whoever gets it closes the descriptor."""

    file: int
    name: str
    data_class: str | None
    accel: str | None
    """Where nginx finds the same file, when it is nginx that shall send it."""


@dataclass(frozen=True, slots=True)
class Downloads:
    """Opens files for download. Spec: instance, File operations."""

    facility: FacilitySettings
    clock: Clock
    recent: SeenKeys
    accel_prefix: str | None

    def open(self, caller: SignedIn, text: str | None, *, is_noted: bool) -> OpenedFile:
        """Open a file by the path of a request; the checks come in the order of G120.

        What decides is a row that has exactly the stored path: no spelling of a path leads around it.
        A download that `is_noted` goes into the audit.

        Spec: instance, File operations (download). Decision: G118, G120, G121, G122, G327, G434.
        """
        if not text:
            raise PathRequired
        root = data_root(self.facility.storage())
        path = stored_path(text)
        read = self._authorized(caller, path)
        file = open_stored(root, path)
        try:
            if is_noted:
                self._note(caller, path)
        except BaseException:
            os.close(file)
            raise
        data_class = None if read is None else read.data_class.value
        accel = accel_address(self.accel_prefix, resolved_path(root, file)) if self.accel_prefix else None
        return OpenedFile(file, _name(path, read), data_class, accel)

    def _note(self, caller: SignedIn, path: str) -> None:
        """Write a download into the audit, the parts of one download once. Decision: G22."""
        now = self.clock.now()
        if self.recent.first_seen(f"{caller.credential_id} {path}", now):
            with database.atomic():
                audit.record(caller, AuditAction.DOWNLOADED, "file", None, now, path=path)

    def _authorized(self, caller: SignedIn, path: str) -> StoredRead | None:
        """Return the Read that the path belongs to; raises unless the caller may have the file."""
        reads = reads_store.list_reads_with_path(path)
        for read in reads:
            if may_see_read(caller, read, read):
                return read
        artifact = reads_store.find_artifact_with_path(path)
        if artifact is None or not (caller.is_admin or may_download_artifact(caller, artifact)):
            self._check_extension(path)
            if not caller.is_admin:
                self._check_assembly(caller, path)
        return next(iter(reads), None)

    def _check_extension(self, path: str) -> None:
        uploads, storage = self.facility.uploads(), self.facility.storage()
        allowed, extra = uploads.allowed_read_extensions, storage.extra_download_extensions
        if not rules.is_downloadable(path, allowed, extra):
            raise TypeNotDownloadable

    def _check_assembly(self, caller: SignedIn, path: str) -> None:
        assemblies = store.list_assemblies_with_path(path)
        if assemblies and not self.facility.access().allow_user_assembly_download:
            raise AssemblyDownloadsDisabled
        may = any(may_download_assembly(caller, assembly) for assembly in assemblies)
        if not may or not rules.is_assembly_name(path):
            raise AccessDenied


def _name(path: str, read: StoredRead | None) -> str:
    """Name a file as the delivery does. Decision: G434."""
    if read is None or read.source not in NAMED_BY_SERVICE:
        return path.rpartition("/")[2]
    stems = sample_stems(reads_store.list_aliases(read.order_id))
    return delivered_name(stems[read.sample_code], read.mate, read.data_class, path)
