"""The last lines of a log, without reading the rest."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from seqfacility_workflow_runtime.tail import MAX_BYTES, read_tail


def _log(folder: Path, content: bytes) -> Path:
    path = folder / "pipeline.out"
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    ("content", "lines", "expected"),
    [
        (b"", 5, ""),
        (b"one", 5, "one"),
        (b"one\ntwo\nthree\n", 2, "two\nthree"),
        (b"one\ntwo\nthree", 2, "two\nthree"),
        (b"one\r\ntwo\r\n", 1, "two"),
        (b"one\n\n\n", 2, "\n"),
    ],
)
def test_the_last_lines_are_joined_by_line_feeds(
    tmp_path: Path, content: bytes, lines: int, expected: str
) -> None:
    assert read_tail(_log(tmp_path, content), lines) == expected


def test_a_missing_file_is_not_an_empty_one(tmp_path: Path) -> None:
    assert read_tail(tmp_path / "pipeline.out", 5) is None


@pytest.mark.parametrize("place", [os.mkfifo, Path.mkdir, lambda path: path.symlink_to(path)])
def test_what_is_no_file_has_no_last_lines_and_blocks_nobody(
    tmp_path: Path, place: Callable[[Path], object]
) -> None:
    place(tmp_path / "pipeline.out")

    assert read_tail(tmp_path / "pipeline.out", 5) is None


def test_bytes_that_are_no_text_become_replacement_characters(tmp_path: Path) -> None:
    assert read_tail(_log(tmp_path, b"a\xff\xfeb\n"), 1) == "a\ufffd\ufffdb"


def test_lines_across_block_borders_stay_whole(tmp_path: Path) -> None:
    lines = [f"{number:07d}" + "x" * 100 for number in range(5000)]

    assert read_tail(_log(tmp_path, ("\n".join(lines) + "\n").encode()), 1500) == "\n".join(lines[-1500:])


def test_one_endless_line_gives_its_last_two_mebibytes(tmp_path: Path) -> None:
    content = b"a" * 100 + b"b" * MAX_BYTES

    assert read_tail(_log(tmp_path, content), 3) == "b" * MAX_BYTES


def test_replacement_characters_do_not_grow_the_answer_beyond_the_limit(tmp_path: Path) -> None:
    text = read_tail(_log(tmp_path, b"\xff" * MAX_BYTES), 3)

    assert text is not None
    assert len(text.encode()) <= MAX_BYTES


def test_of_a_log_of_two_gigabytes_only_its_end_is_read(tmp_path: Path) -> None:
    path = _log(tmp_path, b"")
    last = [f"line {number}" for number in range(200)]
    with path.open("r+b") as stream:
        stream.truncate(2 * 1024**3)
        stream.seek(0, 2)
        stream.write(("\n" + "\n".join(last) + "\n").encode())
    before = _bytes_read()

    assert read_tail(path, 100) == "\n".join(last[-100:])
    assert _bytes_read() - before < MAX_BYTES


def _bytes_read() -> int:
    """Count what this process has read so far, as Linux does."""
    words = Path("/proc/self/io").read_text().split()
    return int(words[words.index("rchar:") + 1])
