"""The feed of a stream run: pages by cursor, and the same events as they come."""

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from seqfacility_instance.access.callers import FacilityAdmin
from seqfacility_instance.core import limits
from seqfacility_instance.streams.bodies import live_event
from seqfacility_instance.streams.rules.cursor import cursor_after
from seqfacility_instance.streams.service.runs import StreamRunFor
from seqfacility_instance.streams.store import events
from seqfacility_instance.tables.connections import connected
from seqfacility_instance.tables.streams import StreamEvent

POLL_SECONDS = 0.5
HEARTBEAT_SECONDS = 2.0
"""Also how soon it is noticed that a client has gone: only a write tells."""
RETRY_MILLISECONDS = 1000
BUSY_RETRY_MILLISECONDS = 5000


@dataclass(frozen=True, slots=True)
class Feed:
    """Reads events. `readers` bounds how many threads of this process follow live at the same time."""

    # WHY: a live reader occupies a request thread; without a bound they would take them all.
    readers: threading.BoundedSemaphore = field(
        default_factory=lambda: threading.BoundedSemaphore(limits.STREAM_LIVE_READERS)
    )

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

    def follow(self, run: StreamRunFor[FacilityAdmin], after: int | None, seconds: int) -> Iterator[bytes]:
        """Return the events behind a cursor and then those to come, as server-sent events.

        It ends after `seconds` at most; a browser comes back by itself with `Last-Event-ID`. Without a
        cursor it begins with the newest events. When as many follow as a process has room for, there is
        only what is there, and a longer time until the next attempt.

        Decision: G312.
        """
        if after is None:
            newest = events.newest(run.id, limits.STREAM_EVENTS_DEFAULT_LIMIT)
            after = newest[-1].seq - 1 if newest else 0
        return self._live(run.id, after, seconds)

    def _live(self, run_id: str, after: int, seconds: int) -> Iterator[bytes]:
        has_room = self.readers.acquire(blocking=False)
        try:
            retry = RETRY_MILLISECONDS if has_room else BUSY_RETRY_MILLISECONDS
            yield f"retry: {retry}\n\n".encode()
            end = time.monotonic() + (seconds if has_room else 0)
            spoke = time.monotonic()
            while True:
                # WHY: a connection only while reading: followers would exhaust the pool.
                with connected():
                    found = events.following(run_id, after, limits.STREAM_EVENTS_MAX_LIMIT)
                for event in found:
                    after = event.seq
                    yield live_event(event)
                if len(found) == limits.STREAM_EVENTS_MAX_LIMIT:
                    continue
                if time.monotonic() >= end:
                    return
                if found or time.monotonic() - spoke > HEARTBEAT_SECONDS:
                    spoke = time.monotonic()
                    if not found:
                        yield b": still here\n\n"
                time.sleep(min(POLL_SECONDS, max(0.0, end - time.monotonic())))
        finally:
            if has_room:
                self.readers.release()
