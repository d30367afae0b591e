"""Counting wrong access codes, for each profile and address."""

import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable
from threading import Lock

from seqfacility_wire.client_address import network_of

from seqfacility_registry.install_profiles.access_codes import is_access_code
from seqfacility_registry.install_profiles.errors import InvalidAccessCode, TooManyWrongCodes

MAX_WRONG_CODES = 10
WINDOW_SECONDS = 15 * 60
"""Decision: G241."""

MAX_KEYS = 10_000
"""Addresses that are remembered; the longest silent ones are forgotten first."""


class AccessCodeThrottle:
    """Lets through who knows a code, and nobody after ten wrong codes within 15 minutes.

    Guesses are checked one at a time: parallel guesses cannot overtake the count, and the memory that
    Argon2id wants is spent once.

    Decision: G241, G287.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._wrong: OrderedDict[tuple[str, str], deque[float]] = OrderedDict()
        self._lock = Lock()

    def check(self, profile_id: str, address: str, code: str | None, hashes: Iterable[str]) -> None:
        """Return for a right code; a wrong one is counted, a missing one is not.

        Raises `TooManyWrongCodes` or `InvalidAccessCode`.
        """
        key = (profile_id, network_of(address))
        with self._lock:
            now = self._clock()
            timestamps = self._recent(key, now)
            if len(timestamps) >= MAX_WRONG_CODES:
                raise TooManyWrongCodes(int(timestamps[0] + WINDOW_SECONDS - now) + 1)
            if code is None:
                raise InvalidAccessCode
            if not is_access_code(code, hashes):
                timestamps.append(now)
                self._remember(key, timestamps)
                raise InvalidAccessCode

    def _recent(self, key: tuple[str, str], now: float) -> deque[float]:
        timestamps = self._wrong.get(key, deque())
        while timestamps and timestamps[0] <= now - WINDOW_SECONDS:
            timestamps.popleft()
        return timestamps

    def _remember(self, key: tuple[str, str], timestamps: deque[float]) -> None:
        self._wrong[key] = timestamps
        self._wrong.move_to_end(key)
        if len(self._wrong) > MAX_KEYS:
            self._wrong.popitem(last=False)
