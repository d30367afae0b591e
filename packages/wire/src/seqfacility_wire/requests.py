"""Reading what a client sent: JSON bodies and query parameters."""

import json
import math
import re
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from falcon import Request

from seqfacility_wire.errors import BodyTimedOut, BodyTooLarge, InvalidJson, JsonNotAnObject, NotJson

JSON_LIMIT_BYTES = 2 * 1024 * 1024
"""Decision: G254: the limit of a JSON body unless its endpoint says another."""

JSON_MAX_LEVELS = 64
JSON_BYTES_PER_VALUE = 10
"""A list of empty lists takes thirty times as much memory as bytes; a table of samples has 25 bytes a value.

Decision: G397.
"""

BODY_SECONDS = 15.0
LARGE_BODY_SECONDS = 60.0
"""The time that a whole body may take, up to `JSON_LIMIT_BYTES` and beyond. Decision: G396."""

RECEIVING = "seqfacility.receiving"
"""Key of a WSGI environ: gives for a number of seconds the context within which the body is read.

A server sets it that can end a read by a deadline; reads within then raise `TimeoutError`.
"""

_FORM_TYPES = frozenset({"text/plain", "application/x-www-form-urlencoded", "multipart/form-data"})
"""What a page may send to another site without asking it first."""

_INTEGER = re.compile(r"([+-]?)([0-9]+)")
_INTEGER_DIGITS = 40
"""More than any limit of ours has, and few enough for `int`, which refuses some thousands."""
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def read_json_object(req: Request, limit_bytes: int = JSON_LIMIT_BYTES) -> dict[str, object]:
    """Read the body as a JSON object; an empty body is `{}`.

    `Content-Type` does not matter, except that a browser may not send the types of a form (`NotJson`).
    Command lines may: `curl -d` calls everything `application/x-www-form-urlencoded`.

    Raises as `read_body` does, `InvalidJson` also for more values or levels than anybody needs, and
    `JsonNotAnObject`.

    Decision: G8, G286, G397.
    """
    if _is_form_of_browser(req):
        raise NotJson
    raw = read_body(req, limit_bytes)
    if not raw.strip():
        return {}
    # Marks within texts count as well: no text of ours has so many.
    openings = raw.count(b"[") + raw.count(b"{")
    if openings + raw.count(b",") > limit_bytes // JSON_BYTES_PER_VALUE:
        raise InvalidJson
    document = parse_json_object(raw)
    if openings > JSON_MAX_LEVELS:
        _check_levels(document)
    return document


def parse_json_object(raw: bytes) -> dict[str, object]:
    """Parse bytes as one JSON object; of duplicate keys the last counts, a byte-order mark is skipped.

    Raises `InvalidJson` or `JsonNotAnObject`.

    Decision: G8, G286.
    """
    try:
        text = raw.decode("utf-8-sig")
        document = json.loads(text, parse_constant=_refuse, parse_float=_finite, parse_int=_within_double)
        # A lone surrogate can be neither stored nor sent: `\ud800` must not travel further than this.
        if "\\u" in text and _LONE_SURROGATE.search(json.dumps(document, ensure_ascii=False)):
            raise InvalidJson
    except (ValueError, RecursionError) as unreadable:
        raise InvalidJson from unreadable
    if not isinstance(document, dict):
        raise JsonNotAnObject
    return document


def read_body(req: Request, limit_bytes: int) -> bytes:
    """Read the whole body; raises `BodyTooLarge`, and as `read_at_most` does. Decision: G254."""
    announced = req.content_length
    if announced is not None and announced > limit_bytes:
        raise BodyTooLarge
    raw = read_at_most(req, limit_bytes + 1)
    if len(raw) > limit_bytes:
        raise BodyTooLarge
    return raw


def read_at_most(req: Request, max_bytes: int) -> bytes:
    """Read the body, or its first `max_bytes`.

    Raises `BodyTimedOut` when the server waits no longer, and `InvalidJson` for a body that is malformed or
    ends early.

    Decision: G254, G396.
    """
    announced = req.content_length
    if announced is None and "chunked" not in (req.get_header("Transfer-Encoding") or "").lower():
        return b""
    # HAZARD: Falcon's bounded stream is empty for a chunked body; the server ends the raw one for us.
    stream = req.stream if announced is None else req.bounded_stream
    expected = max_bytes if announced is None else min(max_bytes, announced)
    seconds = BODY_SECONDS if expected <= JSON_LIMIT_BYTES + 1 else LARGE_BODY_SECONDS
    try:
        with req.env.get(RECEIVING, _without_deadline)(seconds):
            raw = bytes(stream.read(expected))
    except TimeoutError as silent:
        raise BodyTimedOut from silent
    except OSError as broken:
        raise InvalidJson from broken
    if announced is not None and len(raw) < expected:
        raise InvalidJson
    return raw


def query_text(req: Request, name: str) -> str | None:
    """Return a query parameter; empty counts as absent, of repeated ones the last counts.

    A NUL, which no database can hold, becomes U+FFFD: it is in nothing that is stored and matches nothing.

    Decision: G16, G286.
    """
    text = query_verbatim(req, name)
    return None if text is None else text.replace("\0", "\ufffd")


def query_verbatim(req: Request, name: str) -> str | None:
    """Return a query parameter letter by letter, for a path whose refusal depends on each.

    Decision: G118, G286.
    """
    return req.get_param(name) or None


def query_flag(req: Request, name: str, truthy: frozenset[str] = frozenset({"true", "1"})) -> bool:
    """Return whether a query parameter is switched on by one of `truthy`. Decision: G157, G239."""
    return query_text(req, name) in truthy


def query_int(req: Request, name: str, default: int, low: int, high: int) -> int:
    """Return an integer parameter, clamped to `low`..`high`; what is no number gives the default.

    Decision: G16, G422.
    """
    number = read_integer(query_text(req, name) or "")
    return default if number is None else min(max(number, low), high)


def read_integer(text: str) -> int | None:
    """Read a decimal integer of any length; None when it is none.

    A number of more than 40 digits is cut to that: it is beyond every limit as before.

    Decision: G422.
    """
    found = _INTEGER.fullmatch(text)
    return None if found is None else int(found[1] + (found[2].lstrip("0") or "0")[:_INTEGER_DIGITS])


def _is_form_of_browser(req: Request) -> bool:
    media_type = (req.content_type or "").partition(";")[0].strip().lower()
    is_browser = req.get_header("Origin") is not None or req.get_header("Sec-Fetch-Site") is not None
    return is_browser and media_type in _FORM_TYPES


def _check_levels(document: dict[str, object]) -> None:
    level: list[Any] = [document]
    for _ in range(JSON_MAX_LEVELS):
        level = [
            value
            for node in level
            for value in (node.values() if isinstance(node, dict) else node)
            if isinstance(value, (dict, list))
        ]
        if not level:
            return
    raise InvalidJson


def _without_deadline(_seconds: float) -> AbstractContextManager[None]:
    return nullcontext()


def _refuse(constant: str) -> float:
    raise ValueError(constant)


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(text)
    return number


def _within_double(text: str) -> int:
    number = int(text)
    _finite(text)
    return number
