"""Which bytes of a file a request asks for, and the names by which a client knows the file."""

import os
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from urllib.parse import quote

from seqfacility_wire.requests import read_integer

_RANGE = re.compile(r"bytes=([0-9]*)-([0-9]*)", re.ASCII)
_ATTRIBUTE_CHARACTERS = "!#$&+-.^_`|~"
"""What `filename*` may hold as it is, letters and digits apart (RFC 8187, attr-char)."""


class Unsatisfiable(Exception):
    """The file has no byte of the range."""


@dataclass(frozen=True, slots=True)
class Span:
    """`length` bytes from `start` on."""

    start: int
    length: int


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What a client needs to ask for the rest of a file later."""

    size: int
    etag: str
    last_modified: str
    modified_ns: int


def facts_of(file: int) -> FileFacts:
    """Describe an open file: size, validator and time of the last change. Decision: G121."""
    status = os.fstat(file)
    modified = datetime.fromtimestamp(status.st_mtime_ns // 10**9, UTC)
    etag = f'"{status.st_size:x}-{status.st_mtime_ns:x}"'
    return FileFacts(status.st_size, etag, format_datetime(modified, usegmt=True), status.st_mtime_ns)


def wanted_span(header: str | None, if_range: str | None, facts: FileFacts) -> Span | None:
    """Read `Range`; None means the whole file. Raises `Unsatisfiable`.

    Several ranges and words that are no range are ignored; so is every range when `If-Range` names
    another state of the file.

    Decision: G121, G422.
    """
    found = _RANGE.fullmatch((header or "").strip())
    if found is None or found.groups() == ("", ""):
        return None
    if if_range is not None and if_range.strip() not in {facts.etag, facts.last_modified}:
        return None
    first, last = map(read_integer, found.groups())
    if first is None:
        length = min(last or 0, facts.size)
        start = facts.size - length
    else:
        start = first
        end = facts.size - 1 if last is None else min(last, facts.size - 1)
        if last is not None and last < start:
            return None
        length = end - start + 1
    if length <= 0:
        raise Unsatisfiable
    return Span(start, length)


def accel_address(prefix: str, place: bytes | None) -> str | None:
    """Name a file of the data folder as nginx reads `X-Accel-Redirect`; None without a place.

    Every byte that could mean something to nginx is written as `%XX`, a question mark and a percent sign too.

    Decision: G327.
    """
    return None if place is None else prefix + quote(place, safe="/")


def attachment(name: str) -> str:
    """Write `Content-Disposition: attachment` for any name: a plain form and the exact one.

    The plain form has an underscore for whatever a header or a file system could take amiss.

    Decision: G121.
    """
    plain = re.sub(r"[^ !#-$&-.0-\[\]-~]", "_", name)
    exact = quote(name, safe=_ATTRIBUTE_CHARACTERS, errors="replace")
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{exact}"
