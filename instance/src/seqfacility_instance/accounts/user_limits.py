"""What one researcher may ask for: so many requests of a kind in an hour, and large saves at a time."""

from collections import Counter
from collections.abc import Mapping
from threading import Condition

from falcon import Request, Response
from seqfacility_wire.errors import TooManyRequests
from seqfacility_wire.throttle import Limit

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.classes import Access
from seqfacility_instance.accounts import throttle
from seqfacility_instance.core import limits
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.tables.base import database, locked
from seqfacility_instance.tables.people import User

_RETRY_AFTER_SECONDS = 5
"""A large save takes about a second."""


class UserLimits:
    """Falcon middleware behind the guard; the URL table states the limits of a method. Admins have none.

    Requests of an hour are counted for all processes, whether they succeed or not. Large saves are counted
    for each process: two of a person run, some wait for them, the others are refused.

    Decision: G399.
    """

    def __init__(self, table: Mapping[str, Mapping[str, Access]], clock: Clock) -> None:
        self._table = table
        self._clock = clock
        self._turn = Condition()
        self._in_hand: Counter[str] = Counter()
        self._running: Counter[str] = Counter()

    def process_resource(
        self, req: Request, _resp: Response, _resource: object, _params: dict[str, object]
    ) -> None:
        """Count the request; raises `TooManyRequests`."""
        caller: SignedIn | None = getattr(req.context, "caller", None)
        access = self._table[req.uri_template or ""].get(req.method)
        if access is None or caller is None or caller.is_admin:
            return
        if access.is_large_save:
            self._begin(req, caller.user_id)
        if access.hourly is not None:
            self._count(access.hourly.name, caller.user_id, access.hourly.maximum)

    def process_response(self, req: Request, _resp: Response, _resource: object, _succeeded: bool) -> None:
        """Let the next large save of the same person begin."""
        user_id: str | None = getattr(req.context, "large_save_of", None)
        if user_id is not None:
            with self._turn:
                self._running[user_id] -= 1
                self._leave(user_id)

    def _begin(self, req: Request, user_id: str) -> None:
        with self._turn:
            if self._in_hand[user_id] >= limits.LARGE_SAVES_IN_HAND:
                raise TooManyRequests(_RETRY_AFTER_SECONDS)
            self._in_hand[user_id] += 1
            may_run = self._turn.wait_for(
                lambda: self._running[user_id] < limits.LARGE_SAVES_AT_ONCE, limits.LARGE_SAVE_WAIT_SECONDS
            )
            if not may_run:
                self._leave(user_id)
                raise TooManyRequests(_RETRY_AFTER_SECONDS)
            self._running[user_id] += 1
        req.context.large_save_of = user_id

    def _leave(self, user_id: str) -> None:
        self._in_hand[user_id] -= 1
        if not self._in_hand[user_id]:
            del self._in_hand[user_id], self._running[user_id]
        self._turn.notify_all()

    def _count(self, name: str, user_id: str, maximum: int) -> None:
        with database.atomic():
            # WHY: requests that come at once are counted one after the other, on PostgreSQL too.
            locked(User.select(User.id).where(User.id == user_id)).first()
            throttle.admit(f"user:{name}", user_id, Limit(maximum, limits.USER_WINDOW), self._clock.now())
