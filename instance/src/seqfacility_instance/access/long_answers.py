"""A session is in use until its answer has ended, however long a download takes."""

import logging
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

from falcon import Request, Response
from peewee import PeeweeException

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.sessions import note_use
from seqfacility_instance.core import limits
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.tables.connections import connected

_log = logging.getLogger("seqfacility.sessions")


class LongAnswers:
    """Falcon middleware that notes the use of a session when a streamed answer ends. Decision: G428."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def process_response(self, req: Request, resp: Response, _resource: object, _succeeded: bool) -> None:
        """Watch the body of a caller's answer, where it has one that is streamed."""
        caller = getattr(req.context, "caller", None)
        if resp.stream is not None and isinstance(caller, SignedIn) and caller.session_id:
            began = self._clock.now()
            resp.stream = _WatchedBody(resp.stream, lambda: self._ended(caller.session_id, began))

    def _ended(self, session_id: str, began: datetime) -> None:
        now = self._clock.now()
        if now - began < limits.SESSION_SEEN_EVERY:
            return
        try:
            with connected():
                note_use(session_id, now)
        except PeeweeException as failed:
            _log.warning("the end of a long answer was not noted: %s", failed)


class _WatchedBody:
    """A body as it was, `sendfile` included; calls `ended` when it is closed."""

    def __init__(self, body: Any, ended: Callable[[], None]) -> None:
        self._body, self._ended = body, ended

    def __getattr__(self, name: str) -> Any:
        return getattr(self._body, name)

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._body)

    def close(self) -> None:
        try:
            if hasattr(self._body, "close"):
                self._body.close()
        finally:
            self._ended()
