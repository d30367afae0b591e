"""Hashing takes much memory, so requests take turns, and not endlessly many of them."""

import pytest
from argon2 import PasswordHasher
from seqfacility_instance.accounts.passwords import MAX_IN_HAND, Passwords
from seqfacility_wire.errors import TooManyRequests


def test_whoever_would_wait_behind_many_others_is_told_to_come_again() -> None:
    passwords = Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    for _ in range(MAX_IN_HAND):
        passwords.in_hand.acquire()

    with pytest.raises(TooManyRequests) as refused:
        passwords.is_right("password", None)
    passwords.in_hand.release()

    assert refused.value.headers == {"Retry-After": "2"}
    assert not passwords.is_right("password", None)
