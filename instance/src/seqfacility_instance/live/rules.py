"""Topics, which of them a change is about, and how far a reader has heard."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Self

from seqfacility_wire.errors import ValidationFailed

from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.live import ChangeKind

LISTS: Final = {
    "orders": frozenset({ChangeKind.ORDER}),
    "runs": frozenset({ChangeKind.RUN}),
    "studies": frozenset({ChangeKind.STUDY}),
    "messages": frozenset({ChangeKind.MESSAGE}),
    "notifications": frozenset({ChangeKind.NOTIFICATION}),
    "streams": frozenset({ChangeKind.STREAM}),
    "uploads": frozenset({ChangeKind.UPLOAD}),
    "overview": frozenset(ChangeKind) - {ChangeKind.STUDY, ChangeKind.SESSION, ChangeKind.USER},
}
"""Topics of many objects. Decision: G557."""

OBJECTS: Final = {
    "order": frozenset({ChangeKind.ORDER, ChangeKind.ORDER_WORK}),
    "run": frozenset({ChangeKind.RUN}),
    "study": frozenset({ChangeKind.STUDY}),
    "message": frozenset({ChangeKind.MESSAGE}),
    "stream": frozenset({ChangeKind.STREAM}),
    "upload": frozenset({ChangeKind.UPLOAD}),
}
"""Topics of one object, as `order:<id>`."""

_OBJECT: Final = re.compile(rf"({'|'.join(OBJECTS)}):[A-Za-z0-9_-]{{1,64}}")

_LISTS_OF: Final = {
    kind: tuple(name for name, kinds in LISTS.items() if kind in kinds) for kind in ChangeKind
}
_OBJECTS_OF: Final = {
    kind: tuple(name for name, kinds in OBJECTS.items() if kind in kinds) for kind in ChangeKind
}


def read_topics(text: str | None) -> frozenset[str]:
    """Read the topics of a request; raises `ValidationFailed`.

    An id that does not exist, or that the caller may not see, is a topic in which nothing ever happens.

    Decision: G557.
    """
    topics = frozenset(topic for topic in (text or "").split(",") if topic)
    if not topics:
        raise ValidationFailed(["topics: is required"])
    if len(topics) > limits.LIVE_TOPICS:
        raise ValidationFailed([f"topics: at most {limits.LIVE_TOPICS}"])
    if any(topic not in LISTS and not _OBJECT.fullmatch(topic) for topic in topics):
        known = ", ".join([*LISTS, *(f"{name}:<id>" for name in OBJECTS)])
        raise ValidationFailed([f"topics: must be among {known}"])
    return topics


def topics_of(kind: ChangeKind, object_id: str) -> list[str]:
    """Return every topic that a change belongs to."""
    return [*_LISTS_OF[kind], *(f"{name}:{object_id}" for name in _OBJECTS_OF[kind])]


@dataclass(frozen=True, slots=True)
class Position:
    """Which transactions have been read: all below `next` but those that were `open` then.

    Numbers are given at the beginning of a transaction and rows are seen at its end, so the largest number
    that was seen says nothing about smaller ones. On SQLite one writes at a time, and nothing is ever open.
    """

    next: int
    open: frozenset[int] = frozenset()

    def bounded(self) -> Self:
        """Return a position that fits into an id: rather some changes twice than one not at all."""
        if len(self.open) <= limits.LIVE_OPEN_TRANSACTIONS:
            return self
        return type(self)(min(self.open))


def earliest(positions: Iterable[Position]) -> Position | None:
    """Return a position that has read nothing that one of these has not; None of none.

    HAZARD: ids are what clients say. Open transactions of very many would be more than a statement may hold.
    """
    found = set(positions)
    if not found:
        return None
    opened = frozenset[int]().union(*(position.open for position in found))
    first = min(position.next for position in found)
    return Position(first, frozenset(number for number in opened if number < first)).bounded()


_CURSOR: Final = re.compile(r"\d{1,15}\.\d{1,18}(?:\.\d{1,18})*", re.ASCII)
_CURSOR_MAX_CHARACTERS: Final = 2_000


@dataclass(frozen=True, slots=True)
class Cursor:
    """How far a reader has heard, and when: what an event's id says, so that any process can go on."""

    at: datetime
    position: Position

    def __str__(self) -> str:
        numbers = (int(self.at.timestamp()), self.position.next, *sorted(self.position.open))
        return ".".join(str(number) for number in numbers)

    def is_kept(self, now: datetime, current: Position) -> bool:
        """Return whether all that came later is still there, in this database. Decision: G558."""
        age = now - self.at
        is_of_this_database = self.position.next <= current.next
        return is_of_this_database and -limits.LIVE_CLOCK_STEP <= age <= limits.LIVE_REPLAYED


def read_cursor(text: str | None) -> Cursor | None:
    """Read a `Last-Event-ID`; None for one that we never sent."""
    if text is None or len(text) > _CURSOR_MAX_CHARACTERS or not _CURSOR.fullmatch(text):
        return None
    seconds, following, *still_open = (int(number) for number in text.split("."))
    try:
        at = datetime.fromtimestamp(seconds, tz=UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return Cursor(at, Position(following, frozenset(still_open)))
