"""Hashing files on request and writing the result to their reads."""

import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import BoundedSemaphore
from typing import TYPE_CHECKING

from seqfacility_wire.errors import ServiceError, TooManyRequests

from seqfacility_instance.access.callers import FacilityAdmin
from seqfacility_instance.core.checksums import Digest, digest_of_descriptor
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.files import bodies
from seqfacility_instance.reads import checksums as read_checksums
from seqfacility_instance.reads import store as reads_store
from seqfacility_instance.reads.data_base import data_root, open_stored, stored_path
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.connections import connection_released

if TYPE_CHECKING:
    from seqfacility_schemas import answers

HASHING_THREADS = 2
"""hashlib lets other threads run, so two threads hash at twice the speed; more starve the web requests."""

FILES_AT_ONCE = 4
"""Files that a process hashes at a time, of all requests: disk and cores serve others too. Decision: G504."""

MAX_IN_HAND = 24
"""Requests of a process that hash or wait for their turn: a quarter of its threads, hours. Decision: G504."""

_RETRY_AFTER_SECONDS = 30

NOT_LINKED = "File is not linked to a read"


@dataclass(frozen=True, slots=True)
class Checksums:
    """Computes MD5 of up to 50 files. Spec: instance, File operations (checksum)."""

    facility: FacilitySettings
    clock: Clock
    in_hand: BoundedSemaphore = field(default_factory=lambda: BoundedSemaphore(MAX_IN_HAND))
    turn: BoundedSemaphore = field(default_factory=lambda: BoundedSemaphore(FILES_AT_ONCE))

    def compute(self, _caller: FacilityAdmin, body: Mapping[str, object]) -> "list[answers.ChecksumsResult]":
        """Hash each path and write it to every read that has it; one result for each entry.

        An entry that fails does not keep the others from being done. Raises `TooManyRequests` while too many
        requests hash.

        Spec: instance, File operations (checksum). Decision: G125, G504.
        """
        root = data_root(self.facility.storage())
        listed = bodies.file_paths(dict(body))
        if not self.in_hand.acquire(blocking=False):
            raise TooManyRequests(_RETRY_AFTER_SECONDS)
        try:
            with connection_released(), ThreadPoolExecutor(HASHING_THREADS) as pool:
                different = list(dict.fromkeys(listed))
                hashed = dict(zip(different, pool.map(partial(self._hash, root), different), strict=True))
        finally:
            self.in_hand.release()
        return [self._result(text, hashed[text]) for text in listed]

    def _hash(self, root: Path, text: str) -> "_Hashed | ServiceError":
        with self.turn:
            return _hash(root, text)

    def _result(self, text: str, found: "_Hashed | ServiceError") -> "answers.ChecksumsResult":
        if isinstance(found, ServiceError):
            return {"filePath": text, "checksum": None, "updatedReadRecord": False, "error": found.text}
        checksum = found.digest.md5
        with database.atomic():
            is_updated = read_checksums.write_checksum(found.path, checksum, self.clock.now())
            if found.state is not None:
                reads_store.save_digest(found.path, found.state, found.digest)
        result: answers.ChecksumsResult = {
            "filePath": text,
            "checksum": checksum,
            "updatedReadRecord": is_updated,
        }
        if not is_updated:
            result["warning"] = NOT_LINKED
        return result


@dataclass(frozen=True, slots=True)
class _Hashed:
    """A file that was hashed, and its state; None when it changed meanwhile."""

    path: str
    digest: Digest
    state: reads_store.FileState | None


def _hash(root: Path, text: str) -> _Hashed | ServiceError:
    """Hash the file of an entry, or say why there is none."""
    try:
        path = stored_path(text)
        file = open_stored(root, path)
    except ServiceError as refused:
        return refused
    try:
        before = reads_store.state_of(file)
        digest = digest_of_descriptor(file)
        return _Hashed(path, digest, before if reads_store.state_of(file) == before else None)
    finally:
        os.close(file)
