"""The feed of a stream run: pages by cursor, and the same events as they come."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from seqfacility_instance.access.callers import FacilityAdmin
from seqfacility_instance.core import limits
from seqfacility_instance.live.errors import TooManyReaders
from seqfacility_instance.live.handover import Way
from seqfacility_instance.live.rules import Cursor
from seqfacility_instance.live.service.feed import Answer, LiveFeed
from seqfacility_instance.streams.bodies import live_event
from seqfacility_instance.streams.rules.cursor import cursor_after
from seqfacility_instance.streams.service.runs import StreamRunFor
from seqfacility_instance.streams.store import events
from seqfacility_instance.tables.connections import connected
from seqfacility_instance.tables.streams import StreamEvent

RETRY: Final = b"retry: 1000\n\n"
BUSY_RETRY: Final = b"retry: 5000\n\n"
STILL_HERE: Final = b": still here\n\n"


@dataclass(frozen=True, slots=True)
class Feed:
    """Reads events. Who follows them live is a reader of the live feed, told of the run by its topic."""

    live: LiveFeed

    def page(
        self, run: StreamRunFor[FacilityAdmin], after: int | None, limit: int
    ) -> tuple[list[StreamEvent], int]:
        """Return a page, newest first, and the cursor after it.

        Behind a cursor the oldest come first, so a backlog arrives page by page and nothing is left out.

        Spec: instance, Live stream ingest, events. Decision: G212.
        """
        if after is None:
            found = events.newest(run.id, limit)
        else:
            found = events.following(run.id, after, limit)[::-1]
        return found, cursor_after([event.seq for event in found], after)

    def follow(self, run: StreamRunFor[FacilityAdmin], after: int | None, seconds: int, way: Way) -> Answer:
        """Return the events behind a cursor and then those to come, as server-sent events.

        It ends after `seconds` at most; a browser comes back by itself with `Last-Event-ID`. Without a
        cursor it begins with the newest events. When as many follow as there is room for, there is only what
        is there, and a longer time until the next attempt.

        Decision: G312, G560.
        """
        if after is None:
            newest = events.newest(run.id, limits.STREAM_EVENTS_DEFAULT_LIMIT)
            after = newest[-1].seq - 1 if newest else 0
        told = _Told(run.id, after)
        topics = frozenset({f"stream:{run.id}"})
        reader = self.live.reader(run.caller, topics, told.tell, lambda _cursor: STILL_HERE, seconds, way)
        try:
            return self.live.answer(told.begin(RETRY), reader if way.hands_over and seconds else None)
        except TooManyReaders:
            return self.live.answer(told.begin(BUSY_RETRY))


@dataclass(slots=True)
class _Told:
    """Which events of a run one reader has: up to which number."""

    run_id: str
    after: int

    def begin(self, retry: bytes) -> Iterator[bytes]:
        """Yield what is there, page by page."""
        yield retry
        yield from self._pages()

    def tell(self, _topics: Collection[str] | None, _cursor: Cursor) -> bytes:
        """Return what is new."""
        return b"".join(self._pages())

    def _pages(self) -> Iterator[bytes]:
        is_full = True
        while is_full:
            # WHY: a connection only while reading: who reads slowly would exhaust the pool.
            with connected():
                found = events.following(self.run_id, self.after, limits.STREAM_EVENTS_MAX_LIMIT)
            is_full = len(found) == limits.STREAM_EVENTS_MAX_LIMIT
            for event in found:
                self.after = event.seq
                yield live_event(event)
