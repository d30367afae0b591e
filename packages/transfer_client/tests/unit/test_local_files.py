"""Files that are sent as one."""

import hashlib
import os
from pathlib import Path
from threading import Event

import pytest
from seqfacility_client.errors import Stopped, TransferRefused
from seqfacility_client.local_files import (
    RunningMd5,
    Slice,
    Source,
    SourceReader,
    check_joinable,
    fingerprint,
    md5_of,
    part_of,
)
from seqfacility_client.rate import Rate

CONTENTS = (b"@1\nA\n+\nI\n", b"@2\n", b"C\n+\nI\n")
WHOLE = b"".join(CONTENTS)


def source_of(paths: list[Path]) -> Source:
    return Source(tuple(map(part_of, paths)))


@pytest.fixture
def lanes(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / f"lane{number}.fastq" for number in range(3)]
    for path, content in zip(paths, CONTENTS, strict=True):
        path.write_bytes(content)
    return paths


def test_parts_are_read_as_one_file_from_any_byte_on(lanes: list[Path]) -> None:
    source = source_of(lanes)

    assert source.size == len(WHOLE)
    assert md5_of(lanes, Event()) == hashlib.md5(WHOLE, usedforsecurity=False).hexdigest()
    for offset in range(len(WHOLE) + 1):
        for length in range(len(WHOLE) - offset + 1):
            with SourceReader(source) as file:
                content = Slice(file, offset, length, lambda _: None, Rate(Event()))
                read = b"".join(iter(lambda content=content: content.read(4), b""))
            assert read == WHOLE[offset : offset + length]


def test_a_part_that_became_shorter_is_noticed(lanes: list[Path]) -> None:
    source = source_of(lanes)
    lanes[1].write_bytes(b"@")

    with SourceReader(source) as file:
        content = Slice(file, 0, source.size, lambda _: None, Rate(Event()))
        assert content.read(100) == CONTENTS[0]
        assert content.read(100) == b"@"
        with pytest.raises(TransferRefused, match="became shorter"):
            content.read(100)


def test_the_fingerprint_of_one_file_is_the_one_that_pages_make(lanes: list[Path]) -> None:
    os.utime(lanes[0], ns=(1, 2_999_999_999))
    expected = hashlib.sha256(b"9 2 " + CONTENTS[0] * 2).hexdigest()[:32]

    assert fingerprint(part_of(lanes[0])) == expected


def test_an_md5_is_that_of_the_whole_whatever_is_sent_twice_or_not_at_all(lanes: list[Path]) -> None:
    source, expected = source_of(lanes), hashlib.md5(WHOLE, usedforsecurity=False).hexdigest()
    for begin in range(len(WHOLE) + 1):
        for end in range(begin, len(WHOLE) + 1):
            md5 = RunningMd5(source, Event())
            md5.catch_up(begin)
            md5.take(begin, WHOLE[begin:end])
            md5.take(begin // 2, WHOLE[begin // 2 : end + 1])
            assert md5.value() == expected


def test_hashing_ends_with_the_command(lanes: list[Path]) -> None:
    stop = Event()
    stop.set()

    with pytest.raises(Stopped):
        RunningMd5(source_of(lanes), stop).value()


def test_text_is_only_joined_behind_a_finished_line(lanes: list[Path]) -> None:
    check_joinable(source_of(lanes))
    lanes[0].write_bytes(b"@1\nA\n+\nI")

    with pytest.raises(TransferRefused, match=r"lane0\.fastq does not end its last line"):
        check_joinable(source_of(lanes))
    check_joinable(source_of(lanes[:1]))


def test_a_limited_rate_cuts_blocks_and_ends_with_the_command() -> None:
    stop = Event()

    assert Rate(stop).block(1_000_000) == 1_000_000
    assert Rate(stop, 1000).block(1_000_000) == 250
    assert Rate(stop, 1).block(1_000_000) == 1
    stop.set()
    for rate in (Rate(stop), Rate(stop, 1)):
        with pytest.raises(Stopped):
            rate.wait(1_000_000)
