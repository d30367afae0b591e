"""Reference databases on disk: published ones and those in progress.

`<directory>/<key>/` holds `data/` and `database.json`, and is there whole or not at all. What is on its way
lies in `.<key>.fetch/` beside it.

Decision: G331.
"""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path

from seqfacility_pipeline_package.databases import database_key
from seqfacility_pipeline_package.descriptor import Database

from seqfacility_instance.core.vocabulary.pipelines import VerifiedBy

_RECORD = "database.json"


class AlreadyFetching(Exception):
    """Another process of this machine is at it."""


@dataclass(frozen=True, slots=True)
class Record:
    """What was published; `path` is relative to `data/`, `size` that of the fetched file. Decision: G334."""

    id: str
    version: str
    file_name: str
    download_url: str
    size: int
    sha256: str
    md5: str
    verified_by: VerifiedBy
    path: str


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a transfer: `flushed` bytes are on disk for certain."""

    flushed: int = 0
    total: int | None = None
    validator: str | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """The place of one database below the directory of the facility."""

    directory: Path
    key: str

    @property
    def published(self) -> Path:
        """The folder that runs read."""
        return self.directory / self.key

    @property
    def work(self) -> Path:
        """The folder of a fetch in progress."""
        return self.directory / f".{self.key}.fetch"

    @property
    def part(self) -> Path:
        """The partial file."""
        return self.work / "content.part"

    @property
    def staging(self) -> Path:
        """What becomes the published folder, in one step."""
        return self.work / "ready"

    def record(self) -> Record | None:
        """Read what is published; None when nothing is, or it is not readable."""
        try:
            found = json.loads((self.published / _RECORD).read_text("utf-8"))
            return Record(**{**found, "verified_by": VerifiedBy(found["verified_by"])})
        except (OSError, ValueError, TypeError, KeyError):
            return None

    def data_path(self, record: Record) -> Path:
        """Return the file or folder that runs get."""
        data = self.published / "data"
        return data / record.path if record.path else data

    def progress(self) -> Progress:
        """Read the progress of the fetch; none when there is no fetch, or its note is unreadable."""
        try:
            found = Progress(**json.loads((self.work / "progress.json").read_text("utf-8")))
        except (OSError, ValueError, TypeError):
            return Progress()
        return found if isinstance(found.flushed, int) else Progress()

    def received(self) -> int:
        try:
            return self.part.stat().st_size
        except OSError:
            return 0

    def note(self, progress: Progress) -> None:
        """Store the progress; what it calls flushed must be on disk."""
        write_whole(self.work / "progress.json", json.dumps(asdict(progress)))

    def publish(self, record: Record) -> None:
        """Rename the staged data, all of it flushed, to its final name: one rename makes it visible."""
        write_whole(self.staging / _RECORD, json.dumps(asdict(record), indent=2) + "\n")
        # HAZARD: one call instead of one per file: an archive may hold hundreds of thousands.
        os.sync()
        self.discard()
        self.staging.rename(self.published)
        flush_folder(self.directory)
        shutil.rmtree(self.work, ignore_errors=True)

    def tidy(self, file_name: str) -> None:
        """Put the work folder in order after a fetch that was killed while it arranged what had come."""
        moved = self.staging / "data" / file_name
        if moved.is_file() and not self.part.exists():
            moved.rename(self.part)
        shutil.rmtree(self.staging, ignore_errors=True)

    def discard_work(self) -> None:
        shutil.rmtree(self.work, ignore_errors=True)

    def discard(self) -> None:
        """Remove what is published: unnamed first, so that nobody finds half of it."""
        gone = self.directory / f".{self.key}.gone"
        shutil.rmtree(gone, ignore_errors=True)
        try:
            self.published.rename(gone)
        except FileNotFoundError:
            return
        shutil.rmtree(gone, ignore_errors=True)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Lock the work folder; raises `AlreadyFetching`. The lock of a dead process is gone with it."""
        self.work.mkdir(mode=0o750, parents=True, exist_ok=True)
        # WHY: beside the work folder, which is removed when the fetch is over.
        lock = self.directory / f".{self.key}.lock"
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o640)
        try:
            try:
                flock(descriptor, LOCK_EX | LOCK_NB)
            except BlockingIOError as other:
                raise AlreadyFetching from other
            yield
        finally:
            os.close(descriptor)


def place_of(directory: Path, database: Database) -> Place:
    return Place(directory, database_key(database))


def fault_of(place: Place, database: Database) -> str | None:
    """Return why what is published is not what a package declares; None when it is. Decision: G332, G334."""
    record = place.record()
    if record is None:
        return "is not there"
    if database.sha256 not in {None, record.sha256} or database.md5 not in {None, record.md5}:
        return "has another digest than the package declares"
    if database.size not in {None, record.size}:
        return "has another size than the package declares"
    path = place.data_path(record)
    if not path.exists() or (path.is_file() and path.stat().st_size != record.size):
        return "was changed or removed after it was fetched"
    return None


def write_whole(path: Path, text: str) -> None:
    """Replace a small file atomically and durably."""
    temporary = path.with_name(f".{path.name}.new")
    with temporary.open("w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    temporary.replace(path)


def flush_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
