"""Heads of the audit chain that are kept elsewhere: a line of JSON each, in a file or by syslog."""

import json
import os
import socket
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from pydantic import TypeAdapter, ValidationError

from seqfacility_instance.access.audit_chain import Head

_LINE_BYTES: Final = 4096
_LOCAL_SYSLOG: Final = "/dev/log"
_AUTH_INFO: Final = 4 * 8 + 6
"""Facility and severity as RFC 3164 numbers them."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class _InBackup:
    audit: Head


_HEAD: Final = TypeAdapter(Head)
_IN_BACKUP: Final = TypeAdapter(_InBackup)


class UnusableHeads(ValueError):
    """A file that is no list of heads; the text says why."""


def head_line(head: Head, at: str) -> str:
    return json.dumps({"at": at, "sequence": head.sequence, "hash": head.hash})


def append_head(path: Path, line: str) -> None:
    """Append a line to a file of heads, and make it durable.

    Raises `UnusableHeads` when there is something else: an admin's setting must not damage a file of the
    service. Raises `OSError` when it cannot be written.

    Decision: G865.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK, 0o640)
    with os.fdopen(descriptor, "r+b", buffering=0) as file:
        state = os.fstat(file.fileno())
        if not stat.S_ISREG(state.st_mode) or state.st_nlink != 1:
            raise UnusableHeads("it is no file of its own")
        first = file.readline(_LINE_BYTES)
        if first:
            _read(_HEAD, first)
        if state.st_size and os.pread(file.fileno(), 1, state.st_size - 1) != b"\n":
            line = f"\n{line}"  # a write that was cut short stays alone on its line
        file.write(f"{line}\n".encode())
        os.fsync(file.fileno())


def send_head(target: str, line: str) -> None:
    """Send a line to the syslog of this machine (`local`), or to `host:port` by UDP; raises `OSError`."""
    host, _colon, port = target.rpartition(":")
    kind, address = (
        (socket.AF_UNIX, _LOCAL_SYSLOG)
        if not host
        else socket.getaddrinfo(host, int(port), type=socket.SOCK_DGRAM)[0][::4]
    )
    with socket.socket(kind, socket.SOCK_DGRAM) as sending:
        sending.sendto(f"<{_AUTH_INFO}>seqfacility-audit: {line}".encode(), address)


def read_heads(path: Path) -> Iterator[Head]:
    """Read the heads of a file of the worker, of saved lines of syslog, or of a backup's `backup.json`.

    Lines that were cut short are passed over. Raises `UnusableHeads` when there is no head at all.

    Decision: G865.
    """
    found = False
    with path.open("rb") as lines:
        if lines.readline(_LINE_BYTES).strip() == b"{":
            lines.seek(0)
            yield _read(_IN_BACKUP, lines.read()).audit
            return
        lines.seek(0)
        for line in iter(lambda: lines.readline(_LINE_BYTES), b""):
            try:
                head = _read(_HEAD, line[max(line.find(b"{"), 0) :].rstrip(b"\0\n"))
            except UnusableHeads:
                continue
            found = True
            yield head
    if not found:
        raise UnusableHeads("it holds no head of an audit chain")


def _read(kind: TypeAdapter[_T], text: bytes) -> _T:
    try:
        return kind.validate_json(text, strict=True)
    except ValidationError as wrong:
        raise UnusableHeads("it holds something else than heads of an audit chain") from wrong
