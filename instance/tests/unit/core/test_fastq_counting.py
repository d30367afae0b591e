"""Counting FASTQ: what is a record, what is whole, and what the histograms say."""

import gzip
import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from seqfacility_instance.core import fastq_records, limits
from seqfacility_instance.core.fastq_counting import FastqCount, count_fastq, length_edges
from seqfacility_instance.core.fastq_records import MalformedFastq

RECORD = b"@r1\nACGT\n+\nIIII\n"


def counted(
    tmp_path: Path, content: bytes, *, is_gzip: bool = False, on_block: Callable[[], None] = lambda: None
) -> FastqCount:
    target = tmp_path / "reads"
    target.write_bytes(content)
    descriptor = os.open(target, os.O_RDONLY)
    try:
        return count_fastq(descriptor, is_gzip=is_gzip, on_block=on_block)
    finally:
        os.close(descriptor)


@pytest.mark.parametrize(
    ("text", "reads", "bases"),
    [
        (b"", 0, 0),
        (RECORD, 1, 4),
        (RECORD * 3, 3, 12),
        (RECORD[:-1], 1, 4),
        (RECORD + b"\n\n", 1, 4),
        (RECORD + b"\n" * 4, 1, 4),
        (RECORD * 2 + b"\n" * 5, 2, 8),
        (RECORD[:-1] + b"\r\n" * 100, 1, 4),
        (b"\n" * 9, 0, 0),
        (RECORD.replace(b"\n", b"\r\n"), 1, 4),
        (b"@r\n\n+\n\n", 1, 0),
        (b"@r\nAC\n+r again\n@I\n" * 2, 2, 4),
    ],
)
def test_records_of_four_lines_are_counted(tmp_path: Path, text: bytes, reads: int, bases: int) -> None:
    found = counted(tmp_path, text)

    assert (found.reads, found.bases) == (reads, bases)


@pytest.mark.parametrize(
    "text",
    [
        RECORD + b"@r2\nACGT\n+\nIII",
        RECORD + b"@r2\nACGT\n",
        RECORD + b"@r2\n",
        b">r1\nACGT\n>r2\nACGT\n",
        b"r1\nACGT\n+\nIIII\n",
        b"@r1\nACGT\nx\nIIII\n",
        b"@r1\nACGT\n+\nIIIII\n",
        RECORD + b"\n" + RECORD,
        RECORD + b"\n" * 4 + RECORD,
        b"\n" * 4 + RECORD,
        b"\xef\xbb\xbf" + RECORD,
        b"\x1f\x8b" + bytes(200),
    ],
)
def test_anything_else_is_malformed(tmp_path: Path, text: bytes) -> None:
    with pytest.raises(MalformedFastq):
        counted(tmp_path, text)


def test_all_members_of_a_gzip_file_are_counted(tmp_path: Path) -> None:
    found = counted(tmp_path, gzip.compress(RECORD) * 3, is_gzip=True)

    assert (found.reads, found.bases) == (3, 12)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        RECORD,
        gzip.compress(RECORD * 100, mtime=0)[:-1],
        gzip.compress(RECORD * 100, mtime=0)[:-9],
        gzip.compress(RECORD * 100, mtime=0)[:40],
        gzip.compress(RECORD, mtime=0) + b"no gzip",
        gzip.compress(RECORD, mtime=0)[:-8] + bytes(8),
    ],
)
def test_gzip_that_is_cut_short_or_damaged_is_malformed(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(MalformedFastq):
        counted(tmp_path, content, is_gzip=True)


def test_a_line_longer_than_any_read_is_malformed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "FASTQ_RECORD_MAX_BYTES", 1000)
    monkeypatch.setattr(fastq_records, "_BLOCK_BYTES", 100)

    with pytest.raises(MalformedFastq):
        counted(tmp_path, b"@r1\n" + b"A" * 5000)


@pytest.mark.parametrize("begin", [bytes(1), b">", b"BAM\x01"])
def test_what_cannot_begin_a_record_is_malformed_at_its_first_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begin: bytes
) -> None:
    monkeypatch.setattr(fastq_records, "_BLOCK_BYTES", 100)
    blocks: list[None] = []

    with pytest.raises(MalformedFastq):
        counted(tmp_path, begin + b"A" * 5000, on_block=lambda: blocks.append(None))

    assert len(blocks) == 1


def test_the_counting_tells_of_itself_while_a_record_has_no_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fastq_records, "_BLOCK_BYTES", 100)
    blocks: list[None] = []

    found = counted(
        tmp_path,
        b"@r\n" + b"A" * 5000 + b"\n+\n" + b"I" * 5000,
        on_block=lambda: blocks.append(None),
    )

    assert (found.reads, len(blocks)) == (1, 101)


def test_the_checksum_is_that_of_the_file_as_it_lies_on_disk(tmp_path: Path) -> None:
    content = gzip.compress(RECORD)

    assert counted(tmp_path, content, is_gzip=True).sha256 == hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize(
    ("text", "is_clean"), [(RECORD, True), (RECORD[:-1], False), (RECORD + b"\n", False)]
)
def test_it_is_known_whether_another_text_may_follow(tmp_path: Path, text: bytes, is_clean: bool) -> None:
    assert counted(tmp_path, text).ends_cleanly is is_clean


def test_a_read_lies_in_the_bucket_of_the_mean_of_its_error_probabilities(tmp_path: Path) -> None:
    # Q10 and Q30 in equal parts: one error in 19.8 bases, which is Q12.97 and not the middle, Q20.
    found = counted(tmp_path, b"@r1\nACGT\n+\n++??\n")

    assert {start: (step.reads, step.bases) for start, step in found.qualities.items()} == {12: (1, 4)}
    assert found.expected_errors == 202_000


def test_lengths_lie_in_buckets_of_an_eighth_of_a_doubling(tmp_path: Path) -> None:
    found = counted(tmp_path, b"@r\n" + b"A" * 1000 + b"\n+\n" + b"I" * 1000 + b"\n" + RECORD)
    edges = length_edges()

    [short, long] = sorted(found.lengths)
    assert (short, found.lengths[short].bases) == (4, 4)
    assert long <= 1000 < edges[edges.index(long) + 1]
    assert edges[edges.index(long) + 1] / long < 1.1


@settings(max_examples=60)
@given(lengths=st.lists(st.integers(0, 400), max_size=60), block=st.integers(1, 300))
def test_the_counts_do_not_depend_on_where_blocks_are_cut(
    tmp_path_factory: pytest.TempPathFactory, lengths: list[int], block: int
) -> None:
    text = b"".join(b"@r\n" + b"A" * length + b"\n+\n" + b"5" * length + b"\n" for length in lengths)
    before, fastq_records._BLOCK_BYTES = fastq_records._BLOCK_BYTES, block  # type: ignore[misc]  # a constant elsewhere
    try:
        found = counted(tmp_path_factory.mktemp("blocks"), text)
    finally:
        fastq_records._BLOCK_BYTES = before  # type: ignore[misc]  # the same

    assert (found.reads, found.bases) == (len(lengths), sum(lengths))
    assert sum(step.reads for step in found.lengths.values()) == len(lengths)
    assert sum(step.bases for step in found.qualities.values()) == sum(lengths)
