"""Who may follow the live feed of a web process, and how an answer begins."""

import resource
import secrets
import socket
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.hints import Listener
from seqfacility_instance.access.tokens import Credentials
from seqfacility_instance.core import limits
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.live import bodies, store
from seqfacility_instance.live.errors import TooManyReaders
from seqfacility_instance.live.handover import HandedOver, Way
from seqfacility_instance.live.rules import Cursor, Position, read_cursor
from seqfacility_instance.live.service.hints import hints_for
from seqfacility_instance.live.service.readers import Beat, Reader, Tell
from seqfacility_instance.live.service.watch import ByTime, Watch

RETRY_MILLISECONDS: Final = 1000
RETRY_SPREAD_MILLISECONDS: Final = 2000
"""Readers of a server that was started again do not come back all at once."""


class LiveFeed:
    """Tells readers what has changed. Their connections are its own, and cost no thread. Decision: G559."""

    def __init__(self, credentials: Credentials, clock: Clock, by_time: ByTime) -> None:
        self._credentials, self._clock, self._by_time = credentials, clock, by_time
        self._lock = threading.Lock()
        self._counts: Counter[str] = Counter()
        self._watch: Watch | None = None

    def follow(
        self, caller: SignedIn, topics: frozenset[str], last_event_id: str | None, seconds: int, way: Way
    ) -> "Answer":
        """Begin the answer to a reader; raises `TooManyReaders`.

        It goes on behind what `last_event_id` says. A reader without one, or with one that is not kept any
        more, has to read what it shows after this: what is committed later is told. With `seconds` 0, or from
        a server that hands no connection over, it ends with what is known.

        Decision: G558.
        """
        now, current = self._clock.now(), store.current_position().bounded()
        cursor = read_cursor(last_event_id)
        is_kept = cursor is not None and cursor.is_kept(now, current)
        if cursor is None or not is_kept:
            cursor = Cursor(now, current)
        reader = self.reader(
            caller, topics, bodies.changed, bodies.alive, seconds, way, position=cursor.position
        )
        spread = secrets.randbelow(RETRY_SPREAD_MILLISECONDS)
        is_reset = last_event_id is not None and not is_kept
        head = [
            bodies.retry(RETRY_MILLISECONDS + spread),
            (bodies.reset if is_reset else bodies.alive)(cursor),
        ]
        if way.hands_over and seconds:
            return self.answer(head, reader)
        hints = hints_for(store.changes_since(cursor.position), {topic: {reader} for topic in topics})
        return self.answer([*head, *(bodies.changed(told, Cursor(now, current)) for told in hints.values())])

    def reader(
        self,
        caller: SignedIn,
        topics: frozenset[str],
        tell: Tell,
        beat: Beat,
        seconds: int,
        way: Way,
        position: Position | None = None,
    ) -> Reader:
        """Return a reader who has heard of everything until now, or until a position."""
        heard = position or store.current_position().bounded()
        return Reader(Listener.of(caller), topics, heard, tell, beat, way.is_chunked, seconds)

    def answer(self, head: Iterable[bytes], reader: Reader | None = None) -> "Answer":
        """Return an answer that begins with `head`, and goes on for a reader; raises `TooManyReaders`.

        Decision: G559.
        """
        if reader is None:
            return Answer(self, head, None)
        user_id = reader.listener.caller.user_id
        with self._lock:
            is_full = self._counts.total() >= _readers_that_fit()
            if is_full or self._counts[user_id] >= limits.LIVE_READERS_PER_PERSON:
                raise TooManyReaders
            self._counts[user_id] += 1
        return Answer(self, head, reader)

    def take(self, reader: Reader) -> None:
        """Tell a reader from now on; starts the thread for the first one."""
        with self._lock:
            if self._watch is None or not self._watch.add(reader):
                self._watch = Watch(self._credentials, self._clock, self._by_time, self.forget)
                self._watch.add(reader)
                threading.Thread(target=self._watch.run, name="live", daemon=True).start()

    def forget(self, reader: Reader) -> None:
        """Count a reader no longer."""
        user_id = reader.listener.caller.user_id
        with self._lock:
            self._counts[user_id] -= 1
            if not self._counts[user_id]:
                del self._counts[user_id]

    def end(self) -> None:
        """End every answer; browsers come back, to a process that goes on."""
        with self._lock:
            watch = self._watch
        if watch is not None:
            watch.end()


@dataclass(slots=True)
class Answer:
    """The body of an answer: its first events, and then its connection goes to the thread of the feed."""

    feed: LiveFeed
    head: Iterable[bytes]
    reader: Reader | None
    _is_handed: bool = field(default=False, init=False)

    def __iter__(self) -> Iterator[bytes]:
        yield from self.head
        if self.reader is not None:
            self._is_handed = True
            raise HandedOver(self.take, self.feed.end)

    def take(self, sock: socket.socket) -> None:
        """Own the connection from here on."""
        assert self.reader is not None, "who hands over has a reader"
        sock.setblocking(False)
        self.reader.sock = sock
        self.feed.take(self.reader)

    def close(self) -> None:
        """Count a reader no longer whose answer was not handed over."""
        if self.reader is not None and not self._is_handed:
            self.feed.forget(self.reader)


def _readers_that_fit() -> int:
    """Return how many readers this process may have; its requests need descriptors, too."""
    return min(limits.LIVE_READERS, resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 4)
