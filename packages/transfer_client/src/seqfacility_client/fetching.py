"""Fetching one file of a delivery until it is whole and verified."""

import os
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from threading import Event

from seqfacility_wire.file_names import fitting_name

from seqfacility_client.errors import Interrupted, TransferRefused
from seqfacility_client.facility import OrderAtFacility
from seqfacility_client.local_files import md5_of
from seqfacility_client.patience import Patience
from seqfacility_client.progress import Progress
from seqfacility_client.rate import Rate
from seqfacility_client.rules.fetching import (
    Delivered,
    continues_at,
    known_md5,
)


class Fetching(StrEnum):
    """How a file came to be here."""

    FETCHED = "fetched"
    ALREADY_HERE = "already-here"


@dataclass(frozen=True, slots=True)
class Fetched:
    """A whole file under its final name; `is_verified` None: the facility knows no MD5 of it."""

    md5: str
    is_verified: bool | None
    fetching: Fetching


@dataclass(frozen=True, slots=True)
class Fetcher:
    """Fetches files of one order.

    A part lies beside its final name as `.<name>.part`, with the validator of the state that it belongs to
    in `.<name>.etag`. The final name appears only when every byte is there and the MD5 agrees. A whole file
    whose MD5 differs stays as `<name>.mismatch`.
    """

    order: OrderAtFacility
    patience_seconds: float
    progress: Progress
    rate: Rate
    stop: Event

    def fetch(self, file: Delivered, place: Path) -> Fetched:
        """Fetch one file; raises `TransferRefused` and `Stopped`. Decision: G85, G121, G429."""
        wanted = known_md5(file.checksum) or known_md5(file.computed)
        part = place.with_name(fitting_name(".", place.name, ".part"))
        note = place.with_name(fitting_name(".", place.name, ".etag"))
        mismatch = place.with_name(fitting_name("", place.name, ".mismatch"))
        if _is_reserved(place, part, file):
            place.unlink()
        if place.exists():
            return self._already_here(file, place, wanted)
        place.parent.mkdir(parents=True, exist_ok=True)
        if mismatch.exists():
            os.replace(mismatch, part)  # noqa: PTH105  # beside os.link
        self._fill(file, place, part, note)
        md5 = md5_of([part], self.stop)
        if wanted is not None and md5 != wanted:
            os.replace(part, mismatch)  # noqa: PTH105
            raise TransferRefused(self._differs(file, md5, wanted, note) + f"; it is kept as {mismatch.name}")
        publish(part, place)
        note.unlink(missing_ok=True)
        return Fetched(md5, None if wanted is None else True, Fetching.FETCHED)

    def _differs(self, file: Delivered, md5: str, wanted: str, note: Path) -> str:
        """Return whose checksum differs; without its validator the next run fetches a kept file anew."""
        computed = known_md5(file.computed)
        if computed == md5:
            return (
                f"{file.name} arrived as it lies at the facility, with MD5 {md5}, but the MD5 on record is "
                f"{wanted}: ask the facility"
            )
        if computed is not None:
            note.unlink(missing_ok=True)
        return f"{file.name} arrived with MD5 {md5}, the delivery says {wanted}"

    def _already_here(self, file: Delivered, place: Path, wanted: str | None) -> Fetched:
        md5 = md5_of([place], self.stop)
        if place.stat().st_size != file.size or wanted not in {None, md5}:
            raise TransferRefused(f"{place} is here already and is another file; move it away")
        return Fetched(md5, None if wanted is None else True, Fetching.ALREADY_HERE)

    def _fill(self, file: Delivered, place: Path, part: Path, note: Path) -> None:
        patience = Patience(self.patience_seconds, self.stop)
        name = str(place)
        self.progress.started(name, file.size, _size(part) if note.exists() else 0)
        while True:
            before = _size(part)
            try:
                self._read(file, name, part, note)
            except Interrupted as interrupted:
                if _size(part) > before:
                    patience.moved()
                patience.wait(interrupted)
            else:
                return

    def _read(self, file: Delivered, name: str, part: Path, note: Path) -> None:
        """Read what is missing; what is here of another state of the file is thrown away.

        Of a part that is whole the facility is asked whether it still is that file: then there is no range.
        """
        etag = note.read_text("utf-8") if note.exists() else None
        have = _size(part) if etag else 0
        with self.order.reading(file, have, etag) as download:
            if have and have == file.size and download.answer.status_code == 416:
                return
            start = continues_at(download.answer.status_code, download.answer.headers, have)
            if start is None:
                part.unlink(missing_ok=True)
                raise Interrupted("the file changed at the facility")
            if start == 0:
                # HAZARD: bytes of another state must be gone before the new validator vouches for them.
                part.write_bytes(b"")
                note.write_text(download.answer.headers.get("ETag", ""), "utf-8")
            with part.open("r+b", buffering=0) as out:
                out.seek(start)
                for block in download.blocks(self.rate):
                    start += out.write(block)
                    self.progress.moved(name, start)
                os.fsync(out.fileno())
        if start != file.size:
            # WHY: the listing is older than the file; the next listing tells the new size.
            raise TransferRefused(f"{file.name} has {start} bytes, the delivery says {file.size}")


def _is_reserved(place: Path, part: Path, file: Delivered) -> bool:
    """Whether this is the empty file with which a killed `publish` held a name, where there are no links."""
    return place.is_file() and not place.stat().st_size and bool(file.size) and part.exists()


def _size(part: Path) -> int:
    return part.stat().st_size if part.exists() else 0


def publish(part: Path, place: Path) -> None:
    """Give a whole file its final name, never over another file; raises `TransferRefused`.

    Decision: G320.
    """
    try:
        _take_name(part, place)
    except FileExistsError as taken:
        raise TransferRefused(f"{place} appeared meanwhile; move it away") from taken


def _take_name(part: Path, place: Path) -> None:
    try:
        os.link(part, place)
    except FileExistsError:
        raise
    except OSError:
        # WHY: a memory stick has no links; there an empty file of ours holds the name until the part is it.
        place.open("xb").close()
        os.replace(part, place)  # noqa: PTH105  # beside os.link
        return
    part.unlink()
