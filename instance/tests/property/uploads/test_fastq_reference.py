"""The fast readers of FASTQ against a plain one that looks at one record after the other."""

import gzip
import hashlib
import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from seqfacility_instance.core import fastq_records
from seqfacility_instance.core.fastq_counting import count_fastq
from seqfacility_instance.uploads.examination import examine

Record = tuple[bytes, bytes]


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Draw a name line, with blanks and mate numbers now and then, and qualities."""
    name = draw(st.text("ab/12 \t:@+", max_size=12)).encode()
    most = draw(st.sampled_from([0, 1, 2, 7, 60]))
    quality = draw(st.text([chr(code) for code in range(33, 127)], max_size=most)).encode()
    return name, quality


@st.composite
def texts(draw: st.DrawFn) -> tuple[bytes, list[Record]]:
    """Draw a whole file, with either line end and with or without the last one."""
    drawn = draw(st.lists(records(), min_size=1, max_size=40))
    end = draw(st.sampled_from([b"\n", b"\r\n"]))
    lines = [line for name, quality in drawn for line in (b"@" + name, b"A" * len(quality), b"+", quality)]
    text = end.join(lines)
    # Without its line end an empty last line would be no line.
    return text + (end if draw(st.booleans()) or not drawn[-1][1] else b""), drawn


@contextmanager
def cut(block_bytes: int, long_piece: int) -> Iterator[None]:
    """Read in blocks of this size, and take pieces from this mean length on for long ones."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fastq_records, "_BLOCK_BYTES", block_bytes)
        patch.setattr(fastq_records, "_LONG_PIECE", long_piece)
        yield


def expected_errors(quality: bytes) -> float:
    return math.fsum(10 ** (-min(code - 33, 93) / 10) for code in quality)


def plain_name(line: bytes) -> bytes:
    """Cut a line at its first blank, then one mate number, as samtools and seqkit do: `/1/1` is `/1`."""
    name = line.replace(b"\t", b" ").partition(b" ")[0]
    return name[:-2] if name[-2:] in {b"/1", b"/2"} else name


def plain_digest(names: list[bytes]) -> str:
    lengths = b"".join(len(name).to_bytes(8, "little") for name in names)
    return "".join(
        hashlib.blake2b(content, digest_size=16).hexdigest() for content in (b"".join(names), lengths)
    )


@settings(max_examples=60)
@given(
    drawn=texts(), block=st.integers(1, 400), long_piece=st.sampled_from([0, 5, 1000]), packed=st.booleans()
)
def test_counts_and_errors_are_those_of_a_plain_reader(
    tmp_path_factory: pytest.TempPathFactory,
    drawn: tuple[bytes, list[Record]],
    block: int,
    long_piece: int,
    packed: bool,
) -> None:
    text, found = drawn
    path = written(tmp_path_factory, text, packed)
    with cut(block, long_piece), path.open("rb") as file:
        counted = count_fastq(file.fileno(), is_gzip=packed)

    assert (counted.reads, counted.bases) == (len(found), sum(len(quality) for _, quality in found))
    errors = sum(expected_errors(quality) for _, quality in found)
    assert counted.expected_errors == pytest.approx(errors * 1e6, abs=len(found) + 1)
    scores: dict[int, int] = {}
    for _, quality in found:
        rate = max(expected_errors(quality) / len(quality), 1e-10) if quality else 1.0
        score = math.floor(-10 * math.log10(rate) + 1e-9)
        scores[score] = scores.get(score, 0) + 1
    assert {score: bucket.reads for score, bucket in counted.qualities.items()} == scores
    assert counted.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


@settings(max_examples=60)
@given(drawn=texts(), block=st.integers(1, 400), packed=st.booleans())
@example(drawn=(b"@/1/1\n\n+\n\n", [(b"/1/1", b"")]), block=1, packed=False)
def test_names_and_checksum_are_those_of_a_plain_reader(
    tmp_path_factory: pytest.TempPathFactory, drawn: tuple[bytes, list[Record]], block: int, packed: bool
) -> None:
    text, found = drawn
    path = written(tmp_path_factory, text, packed)
    with cut(block, 1000), path.open("rb") as file:
        findings = examine(file.fileno(), f"reads.fastq{'.gz' if packed else ''}", lambda: None)

    assert findings.problems == ()
    assert (findings.read_count, findings.names_digest) == (
        len(found),
        plain_digest([plain_name(name) for name, _ in found]),
    )
    assert findings.digest.md5 == hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()


def written(folders: pytest.TempPathFactory, text: bytes, packed: bool) -> Path:
    """Write a text, packed as two gzip members."""
    target = folders.mktemp("reads") / "reads"
    half = len(text) // 2
    parts = [gzip.compress(part) for part in (text[:half], text[half:])] if packed else [text]
    target.write_bytes(b"".join(parts))
    return target
