"""Joining files: what a crash leaves is taken up, and only a whole file is ever visible."""

import gzip
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from seqfacility_instance.streams.joining import AlreadyJoining, Joined, Source, SourceChanged, join, tidy

FOLDER, NAME = "orders/o/reads/S-1", "run.fastq.gz"


class Crash(Exception):
    """The process ends here."""


@dataclass
class PackageStore:
    """The files to join, and which of them were read; reading one of them may be the end."""

    folder: Path
    ends_at: str | None = None
    read: list[str] = field(default_factory=list)

    @contextmanager
    def opened(self, path: str) -> Iterator[int]:
        """Open a file."""
        if path == self.ends_at:
            raise Crash
        self.read.append(path)
        descriptor = os.open(self.folder / path, os.O_RDONLY)
        try:
            yield descriptor
        finally:
            os.close(descriptor)


@pytest.fixture
def shelf(tmp_path: Path) -> PackageStore:
    folder = tmp_path / "sequencer"
    folder.mkdir()
    for number in range(4):
        (folder / f"{number}.fastq.gz").write_bytes(gzip.compress(f"@r{number}\nA\n+\nI\n".encode()))
    return PackageStore(folder)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    data = tmp_path / "data"
    data.mkdir()
    return data


def sources(shelf: PackageStore) -> list[Source]:
    found = sorted(shelf.folder.iterdir())
    return [Source(path.name, hashlib.sha256(path.read_bytes()).hexdigest(), True) for path in found]


def whole(shelf: PackageStore) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(shelf.folder.iterdir()))


def is_whole(root: Path, shelf: PackageStore, joined: Joined) -> bool:
    content = (root / FOLDER / NAME).read_bytes()
    md5 = hashlib.md5(content, usedforsecurity=False).hexdigest()
    return content == whole(shelf) and (joined.state.size, joined.digest.md5) == (len(content), md5)


def test_a_join_that_broke_off_goes_on_where_it_was(root: Path, shelf: PackageStore) -> None:
    shelf.ends_at = "2.fastq.gz"
    with pytest.raises(Crash):
        join(root, FOLDER, NAME, sources(shelf), shelf.opened)
    visible = (root / FOLDER / NAME).exists()
    shelf.ends_at, shelf.read = None, []

    joined = join(root, FOLDER, NAME, sources(shelf), shelf.opened)

    assert not visible
    assert shelf.read == ["2.fastq.gz", "3.fastq.gz"]
    assert is_whole(root, shelf, joined)


@pytest.mark.parametrize("lost", [1, 30, 10_000])
def test_bytes_that_a_power_failure_took_are_written_again(
    root: Path, shelf: PackageStore, lost: int
) -> None:
    shelf.ends_at = "3.fastq.gz"
    with pytest.raises(Crash):
        join(root, FOLDER, NAME, sources(shelf), shelf.opened)
    part = root / FOLDER / f".{NAME}.part"
    os.truncate(part, max(0, part.stat().st_size - lost))
    shelf.ends_at = None

    assert is_whole(root, shelf, join(root, FOLDER, NAME, sources(shelf), shelf.opened))


@pytest.mark.parametrize("rubbish", [b"[1, 2", b"\xff\xfe\n", b'{"a": 1}\n', b'["x", "y", "z"]\n'])
def test_a_journal_that_was_cut_short_is_believed_up_to_there(
    root: Path, shelf: PackageStore, rubbish: bytes
) -> None:
    shelf.ends_at = "2.fastq.gz"
    with pytest.raises(Crash):
        join(root, FOLDER, NAME, sources(shelf), shelf.opened)
    with (root / FOLDER / f".{NAME}.journal").open("ab") as journal:
        journal.write(rubbish)
    shelf.ends_at = None

    assert is_whole(root, shelf, join(root, FOLDER, NAME, sources(shelf), shelf.opened))


def test_other_sources_than_before_begin_anew(root: Path, shelf: PackageStore) -> None:
    shelf.ends_at = "3.fastq.gz"
    with pytest.raises(Crash):
        join(root, FOLDER, NAME, sources(shelf), shelf.opened)
    (shelf.folder / "0.fastq.gz").write_bytes(gzip.compress(b"@other\nCC\n+\nII\n"))
    shelf.ends_at = None

    assert is_whole(root, shelf, join(root, FOLDER, NAME, sources(shelf), shelf.opened))


def test_joining_again_after_the_name_was_given_changes_nothing(root: Path, shelf: PackageStore) -> None:
    first = join(root, FOLDER, NAME, sources(shelf), shelf.opened)
    again = join(root, FOLDER, NAME, sources(shelf), shelf.opened)
    tidy(root, FOLDER, NAME)
    after = join(root, FOLDER, NAME, sources(shelf), shelf.opened)

    assert first.digest == again.digest == after.digest
    assert again.state == after.state
    assert is_whole(root, shelf, after)


def test_another_file_of_that_name_is_never_replaced(root: Path, shelf: PackageStore) -> None:
    (root / FOLDER).mkdir(parents=True)
    (root / FOLDER / NAME).write_bytes(b"somebody's own")

    with pytest.raises(FileExistsError):
        join(root, FOLDER, NAME, sources(shelf), shelf.opened)

    assert (root / FOLDER / NAME).read_bytes() == b"somebody's own"


def test_a_source_that_is_not_what_was_counted_is_named(root: Path, shelf: PackageStore) -> None:
    listed = sources(shelf)
    (shelf.folder / "1.fastq.gz").write_bytes(b"other")
    with pytest.raises(SourceChanged) as changed:
        join(root, FOLDER, NAME, listed, shelf.opened)
    (shelf.folder / "2.fastq.gz").unlink()
    (shelf.folder / "1.fastq.gz").write_bytes(gzip.compress(b"@r1\nA\n+\nI\n"))

    assert changed.value.path == "1.fastq.gz"
    assert not (root / FOLDER / NAME).exists()


def test_two_workers_do_not_write_one_file(root: Path, shelf: PackageStore) -> None:
    refused: list[bool] = []

    @contextmanager
    def opened(path: str) -> Iterator[int]:
        if not refused:
            refused.append(True)
            with pytest.raises(AlreadyJoining):
                join(root, FOLDER, NAME, sources(shelf), shelf.opened)
        with shelf.opened(path) as descriptor:
            yield descriptor

    assert is_whole(root, shelf, join(root, FOLDER, NAME, sources(shelf), opened))
