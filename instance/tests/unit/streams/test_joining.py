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
class SourceFolder:
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
def source(tmp_path: Path) -> SourceFolder:
    folder = tmp_path / "sequencer"
    folder.mkdir()
    for number in range(4):
        (folder / f"{number}.fastq.gz").write_bytes(gzip.compress(f"@r{number}\nA\n+\nI\n".encode()))
    return SourceFolder(folder)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    data = tmp_path / "data"
    data.mkdir()
    return data


def sources(source: SourceFolder) -> list[Source]:
    found = sorted(source.folder.iterdir())
    return [Source(path.name, hashlib.sha256(path.read_bytes()).hexdigest(), True) for path in found]


def whole(source: SourceFolder) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(source.folder.iterdir()))


def is_whole(root: Path, source: SourceFolder, joined: Joined) -> bool:
    content = (root / FOLDER / NAME).read_bytes()
    md5 = hashlib.md5(content, usedforsecurity=False).hexdigest()
    return content == whole(source) and (joined.state.size, joined.digest.md5) == (len(content), md5)


def test_a_join_that_broke_off_goes_on_where_it_was(root: Path, source: SourceFolder) -> None:
    source.ends_at = "2.fastq.gz"
    with pytest.raises(Crash):
        join(root, FOLDER, NAME, sources(source), source.opened)
    visible = (root / FOLDER / NAME).exists()
    source.ends_at, source.read = None, []

    joined = join(root, FOLDER, NAME, sources(source), source.opened)

    assert not visible
    assert source.read == ["2.fastq.gz", "3.fastq.gz"]
    assert is_whole(root, source, joined)


@pytest.mark.parametrize("lost", [1, 30, 10_000])
def test_bytes_that_a_power_failure_took_are_written_again(
    root: Path, source: SourceFolder, lost: int
) -> None:
    source.ends_at = "3.fastq.gz"
    with pytest.raises(Crash):
        join(root, FOLDER, NAME, sources(source), source.opened)
    part = root / FOLDER / f".{NAME}.part"
    os.truncate(part, max(0, part.stat().st_size - lost))
    source.ends_at = None

    assert is_whole(root, source, join(root, FOLDER, NAME, sources(source), source.opened))


@pytest.mark.parametrize("rubbish", [b"[1, 2", b"\xff\xfe\n", b'{"a": 1}\n', b'["x", "y", "z"]\n'])
def test_a_journal_that_was_cut_short_is_believed_up_to_there(
    root: Path, source: SourceFolder, rubbish: bytes
) -> None:
    source.ends_at = "2.fastq.gz"
    with pytest.raises(Crash):
        join(root, FOLDER, NAME, sources(source), source.opened)
    with (root / FOLDER / f".{NAME}.journal").open("ab") as journal:
        journal.write(rubbish)
    source.ends_at = None

    assert is_whole(root, source, join(root, FOLDER, NAME, sources(source), source.opened))


def test_other_sources_than_before_begin_anew(root: Path, source: SourceFolder) -> None:
    source.ends_at = "3.fastq.gz"
    with pytest.raises(Crash):
        join(root, FOLDER, NAME, sources(source), source.opened)
    (source.folder / "0.fastq.gz").write_bytes(gzip.compress(b"@other\nCC\n+\nII\n"))
    source.ends_at = None

    assert is_whole(root, source, join(root, FOLDER, NAME, sources(source), source.opened))


def test_joining_again_after_the_name_was_given_changes_nothing(root: Path, source: SourceFolder) -> None:
    first = join(root, FOLDER, NAME, sources(source), source.opened)
    again = join(root, FOLDER, NAME, sources(source), source.opened)
    tidy(root, FOLDER, NAME)
    after = join(root, FOLDER, NAME, sources(source), source.opened)

    assert first.digest == again.digest == after.digest
    assert again.state == after.state
    assert is_whole(root, source, after)


def test_another_file_of_that_name_is_never_replaced(root: Path, source: SourceFolder) -> None:
    (root / FOLDER).mkdir(parents=True)
    (root / FOLDER / NAME).write_bytes(b"somebody's own")

    with pytest.raises(FileExistsError):
        join(root, FOLDER, NAME, sources(source), source.opened)

    assert (root / FOLDER / NAME).read_bytes() == b"somebody's own"


def test_a_source_that_is_not_what_was_counted_is_named(root: Path, source: SourceFolder) -> None:
    listed = sources(source)
    (source.folder / "1.fastq.gz").write_bytes(b"other")
    with pytest.raises(SourceChanged) as changed:
        join(root, FOLDER, NAME, listed, source.opened)
    (source.folder / "2.fastq.gz").unlink()
    (source.folder / "1.fastq.gz").write_bytes(gzip.compress(b"@r1\nA\n+\nI\n"))

    assert changed.value.path == "1.fastq.gz"
    assert not (root / FOLDER / NAME).exists()


def test_two_workers_do_not_write_one_file(root: Path, source: SourceFolder) -> None:
    refused: list[bool] = []

    @contextmanager
    def opened(path: str) -> Iterator[int]:
        if not refused:
            refused.append(True)
            with pytest.raises(AlreadyJoining):
                join(root, FOLDER, NAME, sources(source), source.opened)
        with source.opened(path) as descriptor:
            yield descriptor

    assert is_whole(root, source, join(root, FOLDER, NAME, sources(source), opened))
