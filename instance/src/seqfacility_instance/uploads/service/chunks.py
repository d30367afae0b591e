"""Appending a chunk. The promise: bytes `[0, receivedSize)` are final and on disk."""

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from peewee import PeeweeException

from seqfacility_instance.access.callers import LiveFacilityAdmin
from seqfacility_instance.access.errors import OrderNotFound
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.sequencing import UploadStatus
from seqfacility_instance.facility_settings.sections import UploadsSection
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.orders.rules import check_sequencing_allowed
from seqfacility_instance.reads.data_base import data_root
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.connections import connected, connection_released
from seqfacility_instance.tables.disk_full import is_disk_full
from seqfacility_instance.tables.sequencing import SequencingUpload
from seqfacility_instance.uploads import part_file, rules, store, temp_files
from seqfacility_instance.uploads.body_source import BodySource, Ending, Received
from seqfacility_instance.uploads.errors import (
    BodyMissing,
    ChunkExceedsFile,
    ChunkTooLarge,
    NoDataInTime,
    NotEnoughSpace,
    UploadNotFound,
)
from seqfacility_instance.uploads.store import Receiving


@dataclass(frozen=True, slots=True)
class UploadChunks:
    """Writes chunks, one writer at a time for each session."""

    facility: FacilitySettings
    clock: Clock

    def append(
        self,
        _caller: LiveFacilityAdmin,
        order_id: str,
        upload_id: str,
        offset_header: str | None,
        body: BodySource,
    ) -> Receiving:
        """Append one chunk; the checks come in the order of G96, the first of them before a byte is read.

        Spec: instance, Sequencing uploads, Chunk. Decision: G96, G97, G98, G99, G270, G289.
        """
        target = store.find_target(order_id, upload_id)
        if target is None:
            raise OrderNotFound
        upload = target.session
        if upload is None:
            raise UploadNotFound
        check_sequencing_allowed(target)
        offset = rules.read_offset(offset_header)
        rules.check_open(upload.status)
        settings = self.facility.uploads()
        root = data_root(self.facility.storage())
        with opened_temp_file(root, upload) as file:
            if part_file.size_of(file) >= upload.received_size:
                rules.check_offset(offset, upload.received_size)
                _check_length(body, offset, upload, settings)
            with connection_released(), part_file.locked(file, settings.lock_wait_seconds):
                return self._write(file, upload.id, offset, body, settings)

    def _write(
        self, file: int, upload_id: str, offset: int, body: BodySource, settings: UploadsSection
    ) -> Receiving:
        """Write under the lock: nobody else writes this file, but the session may end at any time."""
        with connected():
            upload = self._checked_again(file, upload_id, offset)
        _check_length(body, offset, upload, settings)
        room = upload.expected_size - offset
        if settings.max_chunk_bytes is not None:
            room = min(room, settings.max_chunk_bytes)
        received = part_file.append(file, body, offset, room, settings.idle_read_seconds)
        _check_whole(received, room < upload.expected_size - offset)
        with connected():
            self._commit(upload, offset, received.size)
        if received.ending is not Ending.COMPLETE:
            raise NoDataInTime(extra={"receivedSize": upload.received_size})
        if not received.size:
            raise BodyMissing
        return upload

    def _checked_again(self, file: int, upload_id: str, offset: int) -> Receiving:
        upload = store.get_receiving(upload_id)
        rules.check_open(upload.status)
        lower_to_file(upload, part_file.size_of(file), self.clock)
        rules.check_offset(offset, upload.received_size)
        return upload

    def _commit(self, upload: Receiving, offset: int, size: int) -> None:
        if not size:
            return
        received = offset + size
        status = rules.status_after(received, upload.expected_size)
        now = self.clock.now()
        try:
            with database.atomic():
                won = store.claim_progress(upload.id, offset, received, status, now)
        except PeeweeException as failed:
            if is_disk_full(failed):
                raise NotEnoughSpace(extra={"receivedSize": offset}) from failed
            raise
        if not won:
            fresh = store.get_receiving(upload.id)
            rules.check_open(fresh.status)
            rules.check_offset(offset, fresh.received_size)
        upload.received_size, upload.status = received, status


def lower_to_file(upload: SequencingUpload | Receiving, size: int, clock: Clock) -> None:
    """Correct a session that promises more than its file holds; the row in hand follows.

    Decision: G102, G289.
    """
    if size >= upload.received_size:
        return
    with database.atomic():
        store.claim_progress(upload.id, upload.received_size, size, UploadStatus.UPLOADING, clock.now())
    upload.received_size, upload.status = size, UploadStatus.UPLOADING


@contextlib.contextmanager
def opened_temp_file(root: Path, upload: Receiving) -> Iterator[int]:
    """Open a session's temp file; one that vanished from an open session is made again, empty.

    Decision: G289.
    """
    try:
        file = temp_files.open_for_writing(root, upload)
    except FileNotFoundError:
        rules.check_open(store.get_receiving(upload.id).status)
        temp_files.create(root, upload)
        file = temp_files.open_for_writing(root, upload)
    try:
        yield file
    finally:
        os.close(file)


def _check_length(body: BodySource, offset: int, upload: Receiving, settings: UploadsSection) -> None:
    if body.length is None:
        return
    if body.length == 0:
        raise BodyMissing
    rules.check_chunk_length(body.length, offset, upload.expected_size, settings.max_chunk_bytes)


def _check_whole(received: Received, is_bounded_by_chunk_limit: bool) -> None:
    if received.ending is Ending.TOO_LONG:
        raise ChunkTooLarge if is_bounded_by_chunk_limit else ChunkExceedsFile
