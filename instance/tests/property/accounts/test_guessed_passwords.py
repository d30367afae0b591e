"""Guessing of passwords: few guesses are looked at, and the owner of an account is never kept out."""

import random
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path

import pytest
from falcon.testing import Result
from seqfacility_instance.accounts.passwords import Passwords
from seqfacility_instance.core import limits
from seqfacility_instance.tables.people import ThrottleAttempt
from seqfacility_testkit.facility import (
    ADMIN,
    OTHER_RESEARCHER,
    PASSWORD,
    RESEARCHER,
    Facility,
    open_facility,
)
from seqfacility_testkit.soak import record, rounds

GUESSES = rounds(short=600, long=6_000)
SIGN_INS_OF_OWNERS = rounds(short=10, long=100)
ACCOUNTS = (ADMIN, RESEARCHER, OTHER_RESEARCHER)
MOST = 10
WINDOW = timedelta(minutes=15)
BEFORE_LONGEST_DELAY = 5
"""Guesses between the first that is delayed and those that wait `MAX_SIGN_IN_DELAY_SECONDS`."""


@pytest.fixture
def examined(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Compare passwords without hashing them; return the verdict of every comparison."""
    verdicts: list[bool] = []

    def is_right(_passwords: Passwords, password: str, password_hash: str | None) -> bool:
        verdicts.append(password == PASSWORD and password_hash is not None)
        return verdicts[-1]

    monkeypatch.setattr(Passwords, "is_right", is_right)
    return verdicts


@pytest.fixture
def proxied(facility_template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Facility]:
    """Return a facility behind a proxy, which tells it addresses."""
    monkeypatch.setenv("SEQFACILITY_TRUSTED_PROXIES", "127.0.0.1")
    facility = open_facility(facility_template, tmp_path)
    access = {"signInMaxFailures": MOST, "signInWindowMinutes": WINDOW.seconds // 60}
    facility.services.facility.change("access", access, facility.clock.now())
    yield facility
    facility.close()


def sign_in(
    facility: Facility, email: str, password: str, address: object, device: str | None = None
) -> Result:
    headers = {"X-Forwarded-For": str(address)}
    if device is not None:
        headers["Cookie"] = f"service_known_device={device}"
    return facility.anonymous.post(
        "/api/auth/sign-in", {"email": email, "password": password}, headers=headers
    )


def test_one_network_gets_few_guesses_and_keeps_nobody_out(proxied: Facility, examined: list[bool]) -> None:
    dice = random.Random("one network")  # noqa: S311  # the same guesses every time
    pause = WINDOW / 300
    answers: Counter[int] = Counter()
    owners = 0
    for number in range(GUESSES):
        address = IPv6Address((0x20010DB800010002 << 64) + dice.getrandbits(64))
        answers[sign_in(proxied, dice.choice(ACCOUNTS), f"guess {number}", address).status_code] += 1
        proxied.clock.advance(pause)
        if number % (GUESSES // SIGN_INS_OF_OWNERS) == 0:
            owner = IPv6Address((0x20010DB800020000 << 64) + (number << 64) + 1)
            owners += sign_in(proxied, dice.choice(ACCOUNTS), PASSWORD, owner).status_code == 200

    windows = -(-(pause * GUESSES) // WINDOW)
    guessed = examined.count(False)
    assert set(answers) == {401, 429}
    assert guessed == answers[401] <= (windows + 1) * MOST * len(ACCOUNTS)
    assert owners == SIGN_INS_OF_OWNERS
    assert ThrottleAttempt.select().count() <= 3 * guessed
    record(
        "Who guesses passwords from one network gets few of them looked at and keeps no owner out",
        tried=f"{GUESSES:,} wrong sign-ins to {len(ACCOUNTS)} accounts from addresses of one /64 in "
        f"{windows} windows of {WINDOW.seconds // 60} minutes, {SIGN_INS_OF_OWNERS} of owners between them",
        found=f"{guessed:,} guesses were looked at ({MOST} allowed for an account and window), "
        f"{answers[429]:,} refused with 429; {owners} of {SIGN_INS_OF_OWNERS} owners came in at once",
    )


def test_many_networks_get_one_guess_each_and_then_one_in_half_a_minute(
    proxied: Facility, examined: list[bool]
) -> None:
    dice = random.Random("many networks")  # noqa: S311  # the same guesses every time
    networks = [IPv4Address(dice.randrange(0x0B000000, 0x7E000000)) for _ in range(GUESSES // 20)]
    known = sign_in(proxied, RESEARCHER, PASSWORD, "198.51.100.1").cookies["service_known_device"].value
    examined.clear()
    last_guess: dict[tuple[str, object], datetime] = {}
    firsts, retries, owners, from_known, seconds = 0, 0, 0, 0, 0.0
    for number in range(GUESSES):
        email, address = dice.choice(ACCOUNTS), dice.choice(networks)
        answer = sign_in(proxied, email, f"guess {number}", address)
        assert answer.status_code in {401, 429}
        if answer.status_code == 401:
            now, guess = proxied.clock.now(), (email, address)
            is_first = guess not in last_guess or now - last_guess[guess] > WINDOW
            firsts, retries = firsts + is_first, retries + (not is_first)
            last_guess[guess] = now
        passing = dice.expovariate(1)
        seconds += passing
        proxied.clock.advance(timedelta(seconds=passing))
        if number % (GUESSES // SIGN_INS_OF_OWNERS) == 0:
            elsewhere = IPv4Address(0xC6120000 + number)
            owners += sign_in(proxied, RESEARCHER, PASSWORD, elsewhere).status_code == 200
            sign_in(proxied, RESEARCHER, "mistyped", elsewhere)
            again = sign_in(proxied, RESEARCHER, PASSWORD, elsewhere, known)
            from_known += again.status_code == 200

    guessed = examined.count(False) - SIGN_INS_OF_OWNERS
    # An owner's sign-in ends the delay of the account; the guesses that come free then are few.
    freed = (2 * SIGN_INS_OF_OWNERS + len(ACCOUNTS)) * (MOST + BEFORE_LONGEST_DELAY)
    patient = len(ACCOUNTS) * seconds / limits.MAX_SIGN_IN_DELAY_SECONDS
    assert guessed == firsts + retries
    assert retries <= freed + patient
    assert (owners, from_known) == (SIGN_INS_OF_OWNERS, SIGN_INS_OF_OWNERS)
    record(
        "Who guesses passwords from many networks is slowed down for each account and keeps no owner out",
        tried=f"{GUESSES:,} wrong sign-ins to {len(ACCOUNTS)} accounts from {len(networks):,} networks in "
        f"{seconds / 3600:.1f} hours; {SIGN_INS_OF_OWNERS} owners from another network, and "
        "again from a known browser after a mistyped password",
        found=f"{firsts:,} first guesses of a network within {WINDOW.seconds // 60} minutes and "
        f"{retries:,} later ones were looked at; "
        f"{owners + from_known} of {2 * SIGN_INS_OF_OWNERS} sign-ins of owners succeeded at once",
    )
