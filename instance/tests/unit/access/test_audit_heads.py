"""Heads that are kept elsewhere: what is written, and what is read back or refused."""

import json
import os
import socket
from pathlib import Path

import pytest
from seqfacility_instance.access.audit_chain import Head
from seqfacility_instance.access.audit_heads import (
    UnusableHeads,
    append_head,
    head_line,
    read_heads,
    send_head,
)

FIRST, SECOND = Head(7, "a" * 64), Head(9, "b" * 64)


def line(head: Head) -> str:
    return head_line(head, "2031-05-04T09:08:07.123Z")


def test_heads_are_appended_and_read_back(tmp_path: Path) -> None:
    file = tmp_path / "heads.jsonl"

    append_head(file, line(FIRST))
    append_head(file, line(SECOND))

    assert list(read_heads(file)) == [FIRST, SECOND]


def test_a_line_that_was_cut_short_costs_no_other_one(tmp_path: Path) -> None:
    file = tmp_path / "heads.jsonl"
    file.write_text(f"{line(FIRST)}\n{line(SECOND)[:20]}")

    append_head(file, line(SECOND))

    assert list(read_heads(file)) == [FIRST, SECOND]


@pytest.mark.parametrize(
    "content", ["Host secret\n", "[" * 5000, "{}\n", '{"sequence": "7", "hash": 5}\n', "\0\n"]
)
def test_a_file_of_something_else_is_neither_written_nor_read(tmp_path: Path, content: str) -> None:
    file = tmp_path / "file"
    file.write_text(content)

    with pytest.raises(UnusableHeads):
        append_head(file, line(FIRST))
    with pytest.raises(UnusableHeads):
        list(read_heads(file))

    assert file.read_text() == content


def test_links_pipes_and_folders_are_not_written_to(tmp_path: Path) -> None:
    target = tmp_path / "target"
    append_head(target, line(FIRST))
    os.link(target, tmp_path / "second name")
    (tmp_path / "link").symlink_to(target)
    os.mkfifo(tmp_path / "pipe")

    for name in ("second name", "link", "pipe", "."):
        with pytest.raises((UnusableHeads, OSError)):
            append_head(tmp_path / name, line(SECOND))

    assert list(read_heads(target)) == [FIRST]


def test_a_head_of_a_backup_is_read(tmp_path: Path) -> None:
    document = {"release": "1", "audit": {"sequence": 7, "hash": "a" * 64}}
    (tmp_path / "backup.json").write_text(json.dumps(document, indent=2))

    assert list(read_heads(tmp_path / "backup.json")) == [FIRST]


def test_a_head_that_went_to_a_syslog_is_read_from_its_lines(tmp_path: Path) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        server.settimeout(10)
        send_head(f"127.0.0.1:{server.getsockname()[1]}", line(FIRST))
        received = server.recv(4096)

    (tmp_path / "auth.log").write_bytes(b"May  4 09:08:07 host other: {\n" + received + b"\n")
    assert received.startswith(b"<38>seqfacility-audit: {")
    assert list(read_heads(tmp_path / "auth.log")) == [FIRST]
