"""Password hashes: Argon2id, its parameters kept in the hash."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from seqfacility_wire.errors import TooManyRequests

from seqfacility_instance.core import password_hashes

_MEMORY_KIB = 46 * 1024
_AT_ONCE = 2
"""Each hash takes 46 MiB; more than a few at a time would be a way to exhaust the machine."""

MAX_IN_HAND = 32
"""Requests of a process that hash or wait for their turn: a third of its threads, some seconds.

Decision: G398.
"""

_RETRY_AFTER_SECONDS = 2


@dataclass(frozen=True, slots=True)
class Passwords:
    """Hashes and checks passwords; each call raises `TooManyRequests` when too many wait.

    Decision: G28, G398.
    """

    hasher: PasswordHasher = field(
        default_factory=lambda: PasswordHasher(time_cost=2, memory_cost=_MEMORY_KIB, parallelism=1)
    )
    in_hand: threading.BoundedSemaphore = field(
        default_factory=lambda: threading.BoundedSemaphore(MAX_IN_HAND)
    )
    turn: threading.BoundedSemaphore = field(default_factory=lambda: threading.BoundedSemaphore(_AT_ONCE))

    def hash(self, password: str) -> str:
        """Hash a new password."""
        with self._turn():
            return self.hasher.hash(_bytes(password))

    def is_right(self, password: str, password_hash: str | None) -> bool:
        """Check a password; without a usable hash the same work is done and the answer is no.

        Decision: G24, G823.
        """
        with self._turn():
            if password_hash is None or not self.is_usable(password_hash):
                self.hasher.hash(_bytes(password))
                return False
            try:
                return self.hasher.verify(password_hash, _bytes(password))
            except (VerificationError, InvalidHashError):
                return False

    def is_usable(self, password_hash: str) -> bool:
        """Return whether any password fits; none does for an account without one. Decision: G811."""
        return password_hashes.is_usable(password_hash)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        if not self.in_hand.acquire(blocking=False):
            raise TooManyRequests(_RETRY_AFTER_SECONDS)
        try:
            with self.turn:
                yield
        finally:
            self.in_hand.release()

    def is_outdated(self, password_hash: str) -> bool:
        """Return whether a hash was made with other parameters than today's. Decision: G28."""
        return self.hasher.check_needs_rehash(password_hash)


def _bytes(password: str) -> bytes:
    return password.encode("utf-8", "surrogatepass")
