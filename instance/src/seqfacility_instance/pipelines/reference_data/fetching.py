"""Fetching one reference database: in pieces, resumable after any end, published whole or not at all."""

import hashlib
import os
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO

from seqfacility_pipeline_package.databases import is_unpacked
from seqfacility_pipeline_package.descriptor import Database

from seqfacility_instance.core.vocabulary.pipelines import VerifiedBy
from seqfacility_instance.pipelines.reference_data.place import Place, Progress, Record, fault_of
from seqfacility_instance.pipelines.reference_data.unpacking import check_space, sole_folder, unpack
from seqfacility_instance.registry_client.reach import Reach
from seqfacility_instance.registry_client.transfer import (
    BLOCK_BYTES,
    Transfer,
    TransferBroken,
    open_transfer,
)

_FLUSH_BYTES = 64 * 1024 * 1024
_FLUSH_SECONDS = 2.0

Open = Callable[[int, str | None], AbstractContextManager[Transfer]]
"""Opens the file from a byte on, if it is still the content of that validator."""


class ContentRefused(Exception):
    """What came is not what the package declares. The text is for people."""


@dataclass
class _Digests:
    """Both digests of the bytes received so far."""

    sha256: "hashlib._Hash" = field(default_factory=hashlib.sha256)
    md5: "hashlib._Hash" = field(default_factory=lambda: hashlib.md5(usedforsecurity=False))

    def update(self, block: bytes) -> None:
        self.sha256.update(block)
        self.md5.update(block)


def from_address(url: str, reach: Reach) -> Open:
    """Read from an HTTP or HTTPS address within `reach`. Decision: G333, G406."""
    return lambda start, validator: open_transfer(url, start, validator, reach)


def from_file(path: Path) -> Open:
    """Read from a file that somebody brought along: a mirror without a network. Decision: G333."""

    @contextmanager
    def opened(start: int, validator: str | None) -> Iterator[Transfer]:
        with path.open("rb") as stream:
            seen = os.fstat(stream.fileno())
            current = f"{seen.st_size}-{seen.st_mtime_ns}"
            begin = start if validator == current else 0
            stream.seek(begin)
            yield Transfer(begin, seen.st_size, current, iter(lambda: stream.read(BLOCK_BYTES), b""))

    return opened


def fetch(place: Place, database: Database, open_source: Open, min_free: int) -> Generator[None, None, None]:
    """Fetch, verify, unpack and publish a database; yields often, and may be dropped at any of these points.

    A dropped or killed fetch resumes after the last flush: what lies on disk is hashed again, the
    rest is asked for by range, and a file that has changed meanwhile begins anew. Raises `AlreadyFetching`,
    `TransferBroken` (try again), and for good `TransferRefused`, `ContentRefused`, `ArchiveRefused` and
    `InsufficientSpace`.

    Decision: G333, G334.
    """
    with place.held():
        if fault_of(place, database) is None:
            place.discard_work()
            return
        place.tidy(database.file_name)
        with place.part.open("r+b" if place.part.exists() else "w+b") as part:
            receiver = _Receiver(place, database, part, min_free)
            yield from receiver.resume()
            yield from receiver.receive(open_source)
        verified_by = _verified(place, database, receiver.digests)
        size, digests = receiver.position, receiver.digests
        yield
        data = place.staging / "data"
        place.staging.mkdir(mode=0o750)
        if is_unpacked(database):
            yield from unpack(place.part, database.file_name, data, min_free)
            path = sole_folder(data)
        else:
            data.mkdir(mode=0o750)
            place.part.rename(data / database.file_name)
            path = database.file_name
        place.publish(
            Record(
                id=database.id,
                version=database.version,
                file_name=database.file_name,
                download_url=database.download_url,
                size=size,
                sha256=digests.sha256.hexdigest(),
                md5=digests.md5.hexdigest(),
                verified_by=verified_by,
                path=path,
            )
        )


class _Receiver:
    """Brings one file to disk; `position` bytes have come, and `digests` are theirs."""

    def __init__(self, place: Place, database: Database, part: IO[bytes], min_free: int) -> None:
        self._place, self._database, self._part, self._min_free = place, database, part, min_free
        self._progress = place.progress()
        self.position = 0
        self.digests = _Digests()

    def resume(self) -> Iterator[None]:
        """Resume what an earlier fetch has flushed, if it can be shown to be of the same file."""
        database, progress = self._database, self._progress
        is_known = progress.validator or database.sha256 or database.md5
        self._part.truncate(min(progress.flushed, self._place.received()) if is_known else 0)
        while block := self._part.read(BLOCK_BYTES):
            self.digests.update(block)
            self.position += len(block)
            yield

    def receive(self, open_source: Open) -> Iterator[None]:
        """Fetch the rest, reconnecting as long as each connection makes progress."""
        while True:
            before, broken = self.position, None
            try:
                with open_source(self.position, self._progress.validator) as transfer:
                    yield from self._take(transfer)
            except TransferBroken as error:
                broken = error
            total = self._progress.total
            if broken is None and self.position and total in {None, self.position}:
                return
            # WHY: a file that changed on the server begins at 0 again, which is no lack of progress.
            has_restarted = self.position == 0 < before
            if self.position <= before and not has_restarted:
                raise broken or TransferBroken("The file ended early")

    def _take(self, transfer: Transfer) -> Iterator[None]:
        if transfer.start != self.position or (transfer.total or self.position) < self.position:
            self._restart()
        if transfer.start != self.position:
            return  # the place that was asked for is behind the end of what the server has now
        self._progress = Progress(self.position, transfer.total, transfer.validator)
        self._check_size()
        self._flush()
        try:
            yield from self._write(transfer.blocks)
        finally:
            self._flush()

    def _write(self, blocks: Iterator[bytes]) -> Iterator[None]:
        flushed_at, total = time.monotonic(), self._progress.total
        for block in blocks:
            self._part.write(block)
            self.digests.update(block)
            self.position += len(block)
            if total is not None and self.position > total:
                raise ContentRefused("The server sends more than it announced")
            is_due = time.monotonic() - flushed_at > _FLUSH_SECONDS
            if is_due or self.position - self._progress.flushed > _FLUSH_BYTES:
                self._flush()
                check_space(self._place.work, _FLUSH_BYTES, self._min_free)
                flushed_at = time.monotonic()
            yield

    def _restart(self) -> None:
        self._part.seek(0)
        self._part.truncate(0)
        self.position, self.digests, self._progress = 0, _Digests(), Progress()
        self._flush()

    def _flush(self) -> None:
        """Make what has arrived durable, then note it."""
        self._part.flush()
        os.fsync(self._part.fileno())
        self._progress = replace(self._progress, flushed=self.position)
        self._place.note(self._progress)

    def _check_size(self) -> None:
        declared, total = self._database.size, self._progress.total
        if declared is not None and total not in {None, declared}:
            message = f"The server offers {total} bytes, the package declares {declared}"
            raise ContentRefused(message)
        if total is not None:
            check_space(self._place.work, total - self.position, self._min_free)


def _verified(place: Place, database: Database, digests: _Digests) -> VerifiedBy:
    """Compare the received file with its declaration; remove it when they differ."""
    size, total = place.received(), place.progress().total
    declared = {
        "SHA-256": (database.sha256, digests.sha256.hexdigest()),
        "MD5": (database.md5, digests.md5.hexdigest()),
        "size": (database.size, size),
    }
    for name, (wanted, found) in declared.items():
        if wanted not in {None, found}:
            place.discard_work()
            message = f"The file does not have the {name} that the package declares: {wanted}, but {found}"
            raise ContentRefused(message)
    if database.sha256 is not None:
        return VerifiedBy.SHA256
    if database.md5 is not None:
        return VerifiedBy.MD5
    return VerifiedBy.SIZE if (database.size or total) is not None else VerifiedBy.NOTHING
