"""Counting wrong access codes, for each profile and address."""

import time
from collections.abc import Callable, Iterable
from datetime import timedelta
from threading import Lock

from seqfacility_wire.client_address import network_of
from seqfacility_wire.throttle import AttemptsInMemory, Limit

from seqfacility_registry.install_profiles.access_codes import is_access_code
from seqfacility_registry.install_profiles.errors import InvalidAccessCode, TooManyWrongCodes

WRONG_CODES = Limit(10, timedelta(minutes=15))
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
        self._wrong = AttemptsInMemory(WRONG_CODES, MAX_KEYS)
        self._lock = Lock()

    def check(self, profile_id: str, address: str, code: str | None, hashes: Iterable[str]) -> None:
        """Accept a right code; a wrong one is counted, a missing one is not.

        Raises `TooManyWrongCodes` or `InvalidAccessCode`.
        """
        key = (profile_id, network_of(address))
        with self._lock:
            now = self._clock()
            if wait := self._wrong.wait_seconds(key, now):
                raise TooManyWrongCodes(wait)
            if code is None:
                raise InvalidAccessCode
            if not is_access_code(code, hashes):
                self._wrong.count(key, now)
                raise InvalidAccessCode
