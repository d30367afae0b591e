"""The thread of the live feed: all connections of its readers, and one look at the changes a second.

ADR 0014.
"""

import logging
import os
import selectors
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Final, TypeAlias

from peewee import PeeweeException
from playhouse.pool import MaxConnectionsExceeded

from seqfacility_instance.access.tokens import Credentials
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.live import ChangeKind
from seqfacility_instance.live import store
from seqfacility_instance.live.rules import Cursor, Position, earliest
from seqfacility_instance.live.service.hints import hints_for
from seqfacility_instance.live.service.readers import Reader
from seqfacility_instance.tables.base import database, keeps_connections
from seqfacility_instance.tables.errors import OncePerReason
from seqfacility_instance.tables.live import LiveChange

POLL_SECONDS: Final = 1.0
ALIVE_SECONDS: Final = 15.0
"""Less than proxies wait for a byte; a reader that was away goes on from an id that is no older than this."""

END_SECONDS: Final = 5.0

BY_TIME_SECONDS: Final = 2.0
"""How often what changes by time alone is looked at, while somebody is shown it."""

BY_TIME_TOPIC: Final = "overview"

ByTime: TypeAlias = Callable[[], object]
"""What an admin's overview says that changes without a row: another value is a change. Decision: G702."""

_log = logging.getLogger("seqfacility.live")
_log.addFilter(OncePerReason())


class Watch:
    """One run of the thread. Others only add readers and end it."""

    def __init__(
        self, credentials: Credentials, clock: Clock, by_time: ByTime, forget: Callable[[Reader], None]
    ) -> None:
        self._credentials, self._clock, self._forget = credentials, clock, forget
        self._by_time = by_time
        self._lock = threading.Lock()
        self._added: deque[Reader] = deque()
        self._is_ending = self._is_over = False
        self._over = threading.Event()
        self._woken, self._wake = os.pipe()
        # The rest is the thread's own.
        self._selector = selectors.DefaultSelector()
        self._readers: set[Reader] = set()
        self._new: set[Reader] = set()  # who is not up to `_cursor` yet
        self._by_topic: defaultdict[str, set[Reader]] = defaultdict(set)
        self._cursor: Cursor | None = None
        self._seen_by_time: object = None
        self._next_by_time = 0.0

    def add(self, reader: Reader) -> bool:
        """Add a reader; False when the thread has ended."""
        with self._lock:
            if self._is_over:
                return False
            self._added.append(reader)
            os.write(self._wake, b"\0")
            return True

    def end(self) -> None:
        """End every answer and the thread, and wait for it."""
        with self._lock:
            if self._is_over:
                return
            self._is_ending = True
            os.write(self._wake, b"\0")
        self._over.wait(END_SECONDS)

    def run(self) -> None:
        """Tell readers until the end. Should this fail, all answers end, and browsers come back."""
        self._selector.register(self._woken, selectors.EVENT_READ, None)
        next_poll = time.monotonic()
        try:
            while not self._is_ending:
                self._serve(max(0.0, next_poll - time.monotonic()) if self._readers else None)
                if self._readers and time.monotonic() >= next_poll:
                    self._poll()
                    next_poll = time.monotonic() + POLL_SECONDS
        finally:
            with self._lock:
                self._is_over = True
                os.close(self._wake)
            for reader in [*self._readers, *self._added]:
                reader.close()
                self._forget(reader)
            self._selector.close()
            os.close(self._woken)
            if not database.is_closed():
                database.close()
            self._over.set()

    def _serve(self, seconds: float | None) -> None:
        """Wait for connections, for at most so long."""
        for key, events in self._selector.select(seconds):
            reader: Reader | None = key.data
            if reader is None:
                os.read(self._woken, 4096)
                self._welcome()
            elif reader not in self._readers:
                continue
            elif events & selectors.EVENT_READ and reader.has_gone():
                self._drop(reader)
            elif events & selectors.EVENT_WRITE:
                self._after_sending(reader, is_there=reader.send_pending())

    def _welcome(self) -> None:
        while self._added:
            reader = self._added.popleft()
            self._readers.add(reader)
            self._new.add(reader)
            self._selector.register(reader.sock, selectors.EVENT_READ, reader)
            for topic in reader.topics:
                self._by_topic[topic].add(reader)

    def _drop(self, reader: Reader) -> None:
        self._readers.discard(reader)
        self._new.discard(reader)
        for topic in reader.topics:
            self._by_topic[topic].discard(reader)
            if not self._by_topic[topic]:
                del self._by_topic[topic]
        self._selector.unregister(reader.sock)
        reader.close()
        self._forget(reader)

    def _poll(self) -> None:
        try:
            with _connected():
                cursor, news = self._read()
                shown = self._changed_by_time()
            # Without that connection: who tells more than hints reads it on one of its own.
            for reader, topics in news:
                self._send(reader, reader.tell(topics, cursor))
            for reader in shown:
                self._send(reader, reader.tell((BY_TIME_TOPIC,), cursor))
        except (PeeweeException, MaxConnectionsExceeded) as failed:
            # Nobody's position has moved, so the next look finds what this one would have.
            _log.warning("changes were not read: %s", failed)
        else:
            self._cursor = cursor
            self._new.clear()
        now = time.monotonic()
        for reader in list(self._readers):
            if reader.is_stuck(now) or now >= reader.ends_at:
                self._drop(reader)
            elif self._cursor and reader not in self._new and now - reader.spoke_at >= ALIVE_SECONDS:
                self._send(reader, reader.beat(self._cursor))

    def _read(self) -> tuple[Cursor, list[tuple[Reader, Collection[str] | None]]]:
        """Return how far was read, and what to tell whom.

        The position is read before the changes: a commit in between is told now and once more next time.
        """
        now, current = self._clock.now(), store.current_position().bounded()
        is_anybody_up_to_date = len(self._readers) > len(self._new)
        known = self._cursor.position if self._cursor and is_anybody_up_to_date else None
        missed = earliest(reader.position for reader in self._new)
        changes, earlier = _since(known), _since(missed)
        self._end_lost_sessions([*changes, *earlier])
        news = [*self._news(changes, self._readers - self._new), *self._news(earlier, self._new)]
        return Cursor(now, current), news

    def _news(
        self, changes: Collection[LiveChange], readers: set[Reader]
    ) -> list[tuple[Reader, Collection[str] | None]]:
        by_topic: Mapping[str, Collection[Reader]] = self._by_topic
        if len(readers) < len(self._readers):
            by_topic = {topic: found & readers for topic, found in self._by_topic.items()}
        return list(hints_for(changes, by_topic).items())

    def _changed_by_time(self) -> Collection[Reader]:
        """Return who is shown what has become another by time alone: a process that fell silent, for example.

        WHY: nobody writes a row then, so no trigger notes it.
        """
        shown = [reader for reader in self._by_topic.get(BY_TIME_TOPIC, ()) if reader.hears_by_time]
        now = time.monotonic()
        if not shown:
            self._seen_by_time = None
            return ()
        if self._seen_by_time is not None and now < self._next_by_time:
            return ()
        self._next_by_time = now + BY_TIME_SECONDS
        before, self._seen_by_time = self._seen_by_time, self._by_time()
        return shown if before is not None and before != self._seen_by_time else ()

    def _end_lost_sessions(self, changes: Collection[LiveChange]) -> None:
        """Look at the sessions and tokens that may have ended, and let their readers go. Decision: G559."""
        now = self._clock.now()
        ended = {change.object_id for change in changes if change.kind is ChangeKind.SESSION}
        changed = {change.object_id for change in changes if change.kind is ChangeKind.USER}
        doubtful = [
            reader
            for reader in self._readers
            if reader.session_ends_at is None
            or reader.session_ends_at <= now
            or reader.listener.caller.credential_id in ended
            or reader.listener.caller.user_id in changed
        ]
        if not doubtful:
            return
        still_open = self._credentials.still_open(
            {reader.listener.caller.credential_id for reader in doubtful}
        )
        for reader in doubtful:
            caller = reader.listener.caller
            role, reader.session_ends_at = still_open.get(caller.credential_id, (None, None))
            if role is not caller.role:
                self._drop(reader)

    def _send(self, reader: Reader, content: bytes) -> None:
        if content:
            self._after_sending(reader, is_there=reader.send(content))

    def _after_sending(self, reader: Reader, *, is_there: bool) -> None:
        if not is_there:
            self._drop(reader)
            return
        wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if reader.has_pending else 0)
        if self._selector.get_key(reader.sock).events != wanted:
            self._selector.modify(reader.sock, wanted, reader)


def _since(position: Position | None) -> Collection[LiveChange]:
    return [] if position is None else store.changes_since(position)


@contextmanager
def _connected() -> Iterator[None]:
    """Use the thread's own connection on SQLite, which stays open, and one of the pool else."""
    if keeps_connections(database.obj):
        database.connect(reuse_if_open=True)
        yield
        return
    with database.connection_context():
        yield
