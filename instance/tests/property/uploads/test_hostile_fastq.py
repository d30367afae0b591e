"""Whatever a file holds, its reading ends, keeps its caller alive, and collects no more than one record."""

import gzip
import tracemalloc
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from seqfacility_instance.core import fastq_records, limits
from seqfacility_instance.core.fastq_counting import count_fastq
from seqfacility_instance.core.fastq_records import MalformedFastq
from seqfacility_instance.uploads.examination import examine
from seqfacility_testkit.soak import record, rounds

EXAMPLES = rounds(short=40, long=300)
BLOCK, LONGEST_RECORD = 16 * limits.KIB, 64 * limits.KIB
DECOMPRESSION = 4 * limits.MIB
PIECES = st.sampled_from(
    [
        bytes(1),
        b"A",
        b"@",
        b"\n",
        b"\r\n",
        b" ",
        b">read\nACGT\n",
        b"@read\nACGT\n+\nIIII\n",
        b"@read\nACGT\n+\nIII\n",
        b"BAM\x01",
        b"\xef\xbb\xbf",
        b"\x1f\x8b\x08",
    ]
)
CONTENTS = st.lists(st.tuples(PIECES, st.sampled_from([1, 3, 200_000])), min_size=1, max_size=4)


@pytest.fixture
def blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fastq_records, "_BLOCK_BYTES", BLOCK)
    monkeypatch.setattr(limits, "FASTQ_RECORD_MAX_BYTES", LONGEST_RECORD)


def peak_of(work: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.usefixtures("blocks")
@settings(max_examples=EXAMPLES)
@given(pieces=CONTENTS, is_packed=st.booleans())
def test_no_content_takes_memory_without_end_or_keeps_the_caller_waiting(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[tuple[bytes, int]], is_packed: bool
) -> None:
    content = b"".join(piece * times for piece, times in pieces)
    path = tmp_path_factory.mktemp("hostile") / ("reads.fastq" + ".gz" * is_packed)
    path.write_bytes(gzip.compress(content, 1) if is_packed else content)
    calls: list[None] = []

    def read() -> None:
        with path.open("rb") as file:
            examine(file.fileno(), path.name, lambda: calls.append(None))
            try:
                count_fastq(file.fileno(), is_gzip=is_packed, on_block=lambda: calls.append(None))
            except MalformedFastq:
                return

    # The largest factor is that of blanks, whose places are numbers of eight bytes.
    assert peak_of(read) < 64 * (LONGEST_RECORD + BLOCK) + DECOMPRESSION
    assert calls


def test_the_figures_are_kept() -> None:
    record(
        "A file that is no FASTQ ends its own reading and holds up nothing else.",
        tried=f"{EXAMPLES} files of zeros, FASTA, BAM, blank lines and broken records, plain and gzip",
        found="each was read or refused with the memory of one record, and the lease renewed at every block",
    )
