"""Reads the last lines of a log file without reading the rest of it."""

from pathlib import Path
from typing import BinaryIO

from seqfacility_workflow_runtime.regular_file import Unreadable, open_regular

MAX_BYTES = 2 * 1024 * 1024
_BLOCK_BYTES = 64 * 1024


def read_tail(path: Path, tail_lines: int) -> str | None:
    """Return the last `tail_lines` lines joined by line feeds; None when no such file can be read.

    At most 2 MiB are read and given, counted from the end; what is not UTF-8
    becomes replacement characters, and a line cut by the limit keeps its end.

    Decision: G188, G375.
    """
    stream = open_regular(path)
    if stream is None or isinstance(stream, Unreadable):
        return None
    try:
        with stream:
            raw = _last_bytes(stream, tail_lines)
    except OSError:
        return None
    text = raw.decode("utf-8", "replace").replace("\r\n", "\n").removesuffix("\n")
    lines = text.split("\n")[-tail_lines:]
    return _bounded("\n".join(lines))


def _last_bytes(stream: BinaryIO, lines: int) -> bytes:
    """Read blocks from the end until they hold enough line feeds or the limit is met."""
    blocks: list[bytes] = []
    line_feeds = length = 0
    position = stream.seek(0, 2)
    while position > 0 and length < MAX_BYTES and line_feeds <= lines:
        size = min(_BLOCK_BYTES, position, MAX_BYTES - length)
        position -= size
        stream.seek(position)
        block = stream.read(size)
        blocks.append(block)
        length += len(block)
        line_feeds += block.count(b"\n")
    return b"".join(reversed(blocks))


def _bounded(text: str) -> str:
    """Cut from the front what replacement characters have added beyond the limit."""
    raw = text.encode("utf-8")
    return text if len(raw) <= MAX_BYTES else raw[-MAX_BYTES:].decode("utf-8", "ignore")
