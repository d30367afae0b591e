"""The answers of a publication: each is made and checked once, and a broken one spoils only itself."""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TypeAlias

from falcon import MEDIA_JSON
from seqfacility_pipeline_package.documents import JsonObject, NotStrictJson, read_json
from seqfacility_schemas import problems
from seqfacility_wire.caching import ReadyDocument
from seqfacility_wire.errors import Unexpected

ANY_ADDRESS = "http://localhost/api"
"""For whoever wants to know whether an answer with links is sound, and not what it says."""

MAX_ADDRESSES = 8
"""Answers with links are kept for so many addresses of the service: made-up Host headers fill no memory."""

Document: TypeAlias = Mapping[str, object] | Sequence[object]

_log = logging.getLogger("seqfacility.content")


class BrokenContent(Exception):
    """A file of the content cannot be read, or is not what it should be: `<where>: <what>`."""


class ContentBroken(Unexpected):
    """Spec: registry, Errors: entry exists but cannot be read or parsed."""


class Answer:
    """One answer, made at its first use and then kept.

    `make` gives the document for an address of the service (`http://host/api`), or raises `BrokenContent`.
    The document is checked against its schema once; an answer without links is made for no address at all.

    Decision: G232.
    """

    __slots__ = ("_fault", "_linked", "_lock", "_make", "_ready", "_schema", "where")

    def __init__(
        self, where: str, schema: str, make: Callable[[str], Document], *, linked: bool = False
    ) -> None:
        self.where = where
        self._schema = schema
        self._make = make
        self._linked = linked
        self._ready: dict[str, ReadyDocument] = {}
        self._fault: str | None = None
        self._lock = Lock()

    def ready(self, base_url: str) -> ReadyDocument:
        """Return the prepared answer; raises `ContentBroken` when its content is broken."""
        key = base_url if self._linked else ""
        found = self._ready.get(key)
        if found is not None:
            return found
        # WHY: the lock is for the first requests alone, of which one prepares the answer.
        with self._lock:
            if key not in self._ready and self._fault is None:
                self._prepare(key, base_url)
            if self._fault is not None:
                raise ContentBroken
            return self._ready[key]

    def is_prepared(self, base_url: str) -> bool:
        return (base_url if self._linked else "") in self._ready

    def fault(self, base_url: str) -> str | None:
        """Return what is broken, as `<where>: <what>`; None when the answer can be made."""
        try:
            self.ready(base_url)
        except ContentBroken:
            return self._fault
        return None

    def _prepare(self, key: str, base_url: str) -> None:
        try:
            document = self._make(base_url)
            if not self._ready:
                check_schema(self.where, self._schema, document)
        except BrokenContent as broken:
            self._fault = str(broken)
            _log.error("broken content: %s", broken)
            return
        while len(self._ready) >= MAX_ADDRESSES:
            del self._ready[next(iter(self._ready))]
        self._ready[key] = ReadyDocument.of(json_bytes(document), MEDIA_JSON)
        if not self._linked:
            self._make = _nothing_left  # lets go of the sources, which are as large as the answer


@dataclass(frozen=True, slots=True)
class Source:
    """A file of the content as it was when the publication was read: its object, or why there is none."""

    found: JsonObject | BrokenContent

    def document(self) -> JsonObject:
        if isinstance(self.found, BrokenContent):
            raise self.found
        return self.found


def read_source(path: Path, section: str) -> Source:
    """Read a file of the content now; an error is raised when the document is asked for. Decision: G232."""
    try:
        return Source(read_document(path))
    except BrokenContent as broken:
        return Source(BrokenContent(f"{section}/{broken}"))


def check_schema(where: str, schema: str, document: object) -> None:
    """Validate a document; raises `BrokenContent` with the first problem. Decision: G232."""
    found = problems(schema, document, limit=1)
    if found:
        raise BrokenContent(f"{where}: {found[0]}")


def read_document(path: Path) -> JsonObject:
    """Read a JSON object from a file; raises `BrokenContent` that names the file, not where it lies."""
    try:
        document = read_json(path.read_bytes())
    except OSError as unreadable:
        raise BrokenContent(f"{path.name}: cannot be read: {unreadable.strerror}") from unreadable
    except NotStrictJson as wrong:
        raise BrokenContent(f"{path.name}: {wrong}") from wrong
    if not isinstance(document, dict):
        raise BrokenContent(f"{path.name}: is not an object")
    return document


def json_bytes(document: Document) -> bytes:
    """Write an answer: UTF-8, no spaces, keys in the order of the document."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode("utf-8")


def _nothing_left(_base_url: str) -> Document:
    raise AssertionError("an answer without links is made once")
