"""Files of a run folder, whatever a workflow has put in their place."""

import errno
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from seqfacility_workflow_runtime.regular_file import (
    NotRegular,
    Unreadable,
    open_regular,
    read_document,
    read_regular,
)


def test_a_regular_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "exit.json"
    path.write_bytes(b"content")

    assert read_regular(path, 100) == b"content"


def test_a_file_that_a_readable_folder_does_not_hold_is_absent(tmp_path: Path) -> None:
    assert open_regular(tmp_path / "exit.json") is None


def test_a_file_of_a_folder_that_is_not_there_may_exist(tmp_path: Path) -> None:
    assert read_document(tmp_path / "away" / "exit.json") == Unreadable("its folder is not there")


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(path))


@pytest.mark.parametrize(
    "place",
    [
        os.mkfifo,
        Path.mkdir,
        _socket,
        lambda path: path.symlink_to(path),
        lambda path: path.symlink_to("/etc/hostname"),
        lambda path: path.symlink_to("/nonexistent"),
    ],
    ids=["fifo", "folder", "socket", "loop", "link", "dangling link"],
)
def test_what_is_no_regular_file_cannot_be_read_and_blocks_nobody(
    tmp_path: Path, place: Callable[[Path], object]
) -> None:
    path = tmp_path / "trace.txt"
    place(path)

    assert open_regular(path) == NotRegular("it is not a regular file")
    assert read_document(path) is None


@pytest.mark.parametrize("number", [errno.EACCES, errno.EIO, errno.ESTALE, errno.EMFILE])
def test_an_open_that_fails_is_not_an_absent_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def refuse(*_: object) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "open", refuse)

    assert open_regular(tmp_path / "exit.json") == Unreadable(os.strerror(number))
    assert read_document(tmp_path / "exit.json") == Unreadable(os.strerror(number))


def test_a_link_is_followed_where_links_are_expected(tmp_path: Path) -> None:
    (tmp_path / "result.csv").write_bytes(b"content")
    (tmp_path / "link.csv").symlink_to("result.csv")

    assert read_regular(tmp_path / "link.csv", 100, follow_links=True) == b"content"


def test_a_file_beyond_the_limit_is_not_read_into_memory(tmp_path: Path) -> None:
    path = tmp_path / "exit.json"
    with path.open("wb") as stream:
        stream.truncate(1024**4)

    assert isinstance(read_regular(path, 1024), Unreadable)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b"[" * 200_000, b'{"a": ' * 200_000])
def test_what_is_no_json_is_no_document(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "run.json"
    path.write_bytes(content)

    assert read_document(path) is None
