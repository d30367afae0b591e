"""Which bytes of a log are shown at once: whole lines where there are any, never a part of a character."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

MAX_BYTES: Final = 2 * 1024 * 1024
LINE_BYTES: Final = 64 * 1024
"""A line of at most so many bytes is never cut."""
_BEFORE_BYTES: Final = 8 * 1024
"""More than a token and what announces it: one that was cut in two is found with what stands before."""
_WHITE: Final = b" \t\r\n"

ReadBytes: TypeAlias = Callable[[int, int], bytes]
"""Reads so many bytes from a position of a file."""


@dataclass(frozen=True, slots=True)
class LogWindow:
    """The bytes `[start, next)` of a log of `size` bytes.

    `before` are some bytes in front of them, which are not shown; `unfinished` is the line behind them that
    has no line feed yet. The next window begins at `next`, so that this line is read again then.
    """

    start: int
    next: int
    size: int
    before: bytes
    content: bytes
    unfinished: bytes


def find_window(read: ReadBytes, size: int, wanted: int, until: int | None = None) -> LogWindow:
    """Choose the window from byte `wanted` on: at most 2 MiB, and not beyond `until`.

    A negative `wanted` counts from the end. One beyond the end belongs to a log that was begun anew, and
    gives its beginning. The window begins with the line that holds `wanted`, and ends with a line.

    Decision: G726.
    """
    start = max(0, size + wanted) if wanted < 0 else 0 if wanted > size else wanted
    end = size if until is None else max(start, min(until, size))
    if start < end or until is None:
        start = _line_start(read, start)
    block = read(start, min(MAX_BYTES, end - start))
    is_all = start + len(block) >= end
    if is_all and until is not None:
        shown = _whole_characters(block) if end < size else len(block)
    else:
        shown = block.rfind(b"\n") + 1
        is_line_too_long = shown == 0 if not is_all else len(block) - shown > LINE_BYTES + 3
        if is_line_too_long:
            shown = _cut(block, shown)
    rest = block[shown:] if is_all and until is None else b""
    before_at = max(0, start - _BEFORE_BYTES)
    return LogWindow(start, start + shown, size, read(before_at, start - before_at), block[:shown], rest)


def _line_start(read: ReadBytes, position: int) -> int:
    """Go back to where the line of a position begins; in a very long line on to the next character."""
    at = max(0, position - LINE_BYTES)
    before = read(at, position - at)
    found = before.rfind(b"\n")
    if found >= 0:
        return at + found + 1
    if at == 0:
        return 0
    following = read(position, 3)
    return position + len(following) - len(following.lstrip(bytes(range(0x80, 0xC0))))


def _cut(block: bytes, line_start: int) -> int:
    """Cut a line that is too long: at its last space that leaves enough of it, else between characters."""
    spaces = [block.rfind(bytes([white]), line_start + LINE_BYTES) + 1 for white in _WHITE]
    return max(spaces) or _whole_characters(block)


def _whole_characters(block: bytes) -> int:
    """Return the length of a block without the character that its end has cut."""
    for back in range(1, min(4, len(block)) + 1):
        byte = block[-back]
        if byte < 0x80:
            break
        if byte >= 0xC0:
            length = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return len(block) - back if back < length else len(block)
    return len(block)
