"""A whole delivery at once: as one archive, and as lists of its files."""

import os
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.opened import OrderFor
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.seen_keys import SeenKeys
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.core.vocabulary.pipelines import PipelineArtifactType
from seqfacility_instance.core.vocabulary.sequencing import ArtifactRole, Mate
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.files.archive import Archive, CrcMemory, Entry
from seqfacility_instance.files.errors import AccessDenied, DeliveryChanged
from seqfacility_instance.files.ranges import FileFacts
from seqfacility_instance.reads import reports
from seqfacility_instance.reads.data_base import data_root
from seqfacility_instance.reads.delivery import (
    ArchivedFile,
    ArtifactFile,
    DeliveredFile,
    ReadFile,
    ReportFile,
    state_of,
)
from seqfacility_instance.reads.errors import ReportNotFound
from seqfacility_instance.reads.service.deliveries import Deliveries, Delivery
from seqfacility_instance.tables.base import database

_COLUMNS = ("sample", "alias", "file", "role", "class", "bytes", "reads", "md5", "verified")


@dataclass(frozen=True, slots=True)
class DeliveryArchives:
    """All of them need what a download of every single file needs."""

    deliveries: Deliveries
    facility: FacilitySettings
    clock: Clock
    crcs: CrcMemory
    recent: SeenKeys

    def checksums(self, order: OrderFor[SignedIn]) -> tuple[bytes, int]:
        """List the checksums of a delivery as `md5sum -c` reads them, by their names in the archive.

        Files of which no MD5 is known are left out; return the list and how many these are.

        Decision: G85, G430.
        """
        return checksum_list(self._open(order).contents.archived())

    def manifest(self, order: OrderFor[SignedIn]) -> bytes:
        """List the files of a delivery in a table: a header, tabs between columns, no quotes.

        Decision: G435.
        """
        return manifest_table(self._open(order).contents.archived())

    def archive(
        self, order: OrderFor[SignedIn], state: str | None, *, is_noted: bool
    ) -> tuple[Archive, FileFacts, str]:
        """Lay out the archive of a delivery; return it, its validators, and its name.

        Raises `DeliveryChanged` when `state` names another one than the delivery has by now, and
        `DataBasePathNotConfigured`.

        Decision: G85, G433.
        """
        files = self._open(order).contents.archived()
        if state is not None and state != state_of(files):
            raise DeliveryChanged
        data_root(self.facility.storage())  # refused without one, as every download is
        archive, facts = laid_out(files, self.crcs)
        if is_noted:
            self._note(order.caller, "order", order.id, what="archive")
        return archive, facts, f"{order.row.order_number}.zip"

    def report(self, order: OrderFor[SignedIn], report_id: str, *, is_noted: bool) -> tuple[int, str]:
        """Open one report of a delivery; return its descriptor, which the caller closes, and its name.

        Raises `ReportNotFound`, also for one of a run that is not selected, and `FileMissing`.

        Decision: G490.
        """
        _check_open(order)
        report = reports.find(order.id, report_id)
        if report is None:
            raise ReportNotFound
        file = report.open()
        try:
            if is_noted:
                self._note(order.caller, "file", report.artifact.id, path=report.path)
        except BaseException:
            os.close(file)
            raise
        return file, report.name

    def _open(self, order: OrderFor[SignedIn]) -> Delivery:
        delivery = self.deliveries.show(order)
        _check_open(order)
        return delivery

    def _note(self, caller: SignedIn, kind: str, row_id: str, **details: object) -> None:
        """Write a download into the audit, the parts of one download once. Decision: G22."""
        now = self.clock.now()
        if self.recent.first_seen(f"{caller.credential_id} {row_id}", now):
            with database.atomic():
                audit.record(caller, AuditAction.DOWNLOADED, kind, row_id, now, **details)


def _check_open(order: OrderFor[SignedIn]) -> None:
    if not order.caller.is_admin and order.row.sequencing_files_published_at is None:
        raise AccessDenied


def checksum_list(files: list[ArchivedFile]) -> tuple[bytes, int]:
    """Write the list of `DeliveryArchives.checksums` for files by these names."""
    lines = [_line(md5, one.name) for one in files if (md5 := one.file.content.md5) is not None]
    return "".join(lines).encode(), len(files) - len(lines)


def manifest_table(files: list[ArchivedFile]) -> bytes:
    """Write the table of `DeliveryArchives.manifest` for files by these names."""
    rows = [_COLUMNS, *(_row(one) for one in files)]
    return "".join("\t".join(_cell(value) for value in row) + "\n" for row in rows).encode()


def laid_out(files: list[ArchivedFile], crcs: CrcMemory) -> tuple[Archive, FileFacts]:
    """Lay out an archive of files by these names; its ETag is the state of these files."""
    entries = [_entry(one) for one in files]
    archive = Archive(entries, crcs)
    newest = max((entry.modified_ns for entry in entries), default=0)
    timestamp = format_datetime(datetime.fromtimestamp(newest // 10**9, UTC), usegmt=True)
    return archive, FileFacts(archive.size, f'"{state_of(files)}"', timestamp, newest)


def _line(md5: str, name: str) -> str:
    """Write one line as `md5sum` does: a name with a line break is escaped and marked by a backslash."""
    escaped = name.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")
    return f"{'' if escaped == name else chr(92)}{md5}  {escaped}\n"


def _row(one: ArchivedFile) -> tuple[object, ...]:
    file, content = one.file, one.file.content
    read = file if isinstance(file, ReadFile) else None
    role = _role(file)
    is_verified = content.digest is not None or content.is_verified
    return (
        file.sample and file.sample.sample_code,
        file.sample and file.sample.sample_alias,
        one.name,
        role.value,
        read and read.data_class.value,
        content.state.size,
        read and read.read_count,
        content.md5,
        None if is_verified is None else ("no", "yes")[is_verified],
    )


def _role(file: DeliveredFile) -> Mate | ArtifactRole | PipelineArtifactType:
    match file:
        case ReadFile():
            return file.mate
        case ArtifactFile():
            return file.artifact_type
        case ReportFile():
            return file.report.artifact.type


def _cell(value: object) -> str:
    """Write a value; what would begin another cell or line is a blank."""
    return "" if value is None else " ".join(str(value).replace("\t", " ").splitlines())


def _entry(one: ArchivedFile) -> Entry:
    content = one.file.content
    crc = None if content.digest is None else content.digest.crc32
    return Entry(one.name, content.root, content.place, content.state.size, content.state.modified_ns, crc)
