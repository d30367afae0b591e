"""A whole delivery at once: as one archive, and as a list of checksums."""

import hashlib
import re
import threading
from collections import OrderedDict
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.data_folder import opened_file
from seqfacility_instance.core.recently import Recently
from seqfacility_instance.core.vocabulary import AuditAction
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.files.archive import Archive, Entry, crc_of_file
from seqfacility_instance.files.errors import AccessDenied
from seqfacility_instance.files.ranges import FileFacts, facts_of
from seqfacility_instance.reads.data_base import data_root
from seqfacility_instance.reads.service.deliveries import Deliveries, Delivery
from seqfacility_instance.tables import database

_MD5 = re.compile(r"[0-9a-fA-F]{32}")
REMEMBERED_CRCS = 10_000


class CrcMemory:
    """CRCs of files that this process has read; a changed file is another key."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: OrderedDict[Entry, int] = OrderedDict()

    def crc_of(self, root: Path, entry: Entry) -> int:
        """Give the CRC of a file, read at most once while it is remembered."""
        with self._lock:
            known = self._known.get(entry)
        if known is None:
            known = crc_of_file(root, entry)
            with self._lock:
                self._known[entry] = known
                while len(self._known) > REMEMBERED_CRCS:
                    self._known.popitem(last=False)
        return known


@dataclass(frozen=True, slots=True)
class DeliveryArchives:
    """Both need what a download of every single file needs."""

    deliveries: Deliveries
    facility: FacilitySettings
    clock: Clock
    crcs: CrcMemory
    recent: Recently

    def manifest(self, caller: SignedIn, order_id: str) -> bytes:
        """List the checksums of a delivery as `md5sum -c` reads them, by their names in the archive.

        Files whose checksum nobody has given or computed as MD5 are left out.

        Gap: G85.
        """
        delivery = self._open(caller, order_id)
        lines = [
            _line(checksum.lower(), name)
            for name, _path, checksum in _named(delivery)
            if checksum is not None and _MD5.fullmatch(checksum)
        ]
        return "".join(lines).encode()

    def archive(self, caller: SignedIn, order_id: str, *, is_noted: bool) -> tuple[Archive, FileFacts, str]:
        """Lay out the archive of a delivery; gives it, its validators, and its name. Gap: G85."""
        delivery = self._open(caller, order_id)
        root = data_root(self.facility.storage())
        entries = [_entry(root, name, path) for name, path, _checksum in _named(delivery)]
        archive = Archive(root, entries, self.crcs.crc_of)
        if is_noted:
            self._note(caller, delivery)
        return archive, _facts(archive, entries), f"{delivery.order.order_number}.zip"

    def _open(self, caller: SignedIn, order_id: str) -> Delivery:
        delivery = self.deliveries.show(caller, order_id)
        if not caller.is_admin and delivery.order.sequencing_files_published_at is None:
            raise AccessDenied
        return delivery

    def _note(self, caller: SignedIn, delivery: Delivery) -> None:
        now = self.clock.now()
        if self.recent.is_new(f"{caller.session_id} {delivery.order.id}", now):
            with database.atomic():
                audit.record(caller, AuditAction.DOWNLOADED, "order", delivery.order.id, now, what="archive")


def _line(md5: str, name: str) -> str:
    """Write one line as `md5sum` does: a name with a line break is escaped and marked by a backslash."""
    escaped = name.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")
    return f"{'' if escaped == name else chr(92)}{md5}  {escaped}\n"


def _named(delivery: Delivery) -> list[tuple[str, str, str | None]]:
    """Name the files of a delivery: (name in the archive, stored path, checksum); no name twice."""
    listed = [
        (f"reads/{file.sample_code}/", file.read_id, file.path.rpartition("/")[2], file.path, file.checksum)
        for file in delivery.contents.read_files
    ] + [
        (f"artifacts/{file.sample_code or '_order'}/", file.id, file.name, file.path, file.checksum)
        for file in delivery.contents.artifact_files
    ]
    taken: set[str] = set()
    named = []
    for folder, row_id, file_name, path, checksum in listed:
        name = folder + file_name
        name = f"{folder}{row_id}-{file_name}" if name in taken else name
        taken.add(name)
        named.append((name, path, checksum))
    return named


def _entry(root: Path, name: str, path: str) -> Entry:
    with opened_file(root, path) as file:
        facts = facts_of(file)
        return Entry(name, path, facts.size, facts.modified_ns)


def _facts(archive: Archive, entries: list[Entry]) -> FileFacts:
    digest = hashlib.sha256(repr(entries).encode()).hexdigest()[:32]
    newest = max((entry.modified_ns for entry in entries), default=0)
    moment = format_datetime(datetime.fromtimestamp(newest // 10**9, UTC), usegmt=True)
    return FileFacts(archive.size, f'"{digest}"', moment, newest)
