"""Counting attempts in a window, shared by all server processes."""

import math
from dataclasses import dataclass
from datetime import datetime, timedelta

from peewee import Expression, fn
from seqfacility_wire.client_address import network_of
from seqfacility_wire.errors import TooManyRequests
from seqfacility_wire.throttle import Limit

from seqfacility_instance.core import limits
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.facility_settings.sections import AccessSection
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.people import ThrottleAttempt

LONGEST_WINDOW = timedelta(days=1)
"""`access.signInWindowMinutes` cannot be longer, and no other window is."""


def count_attempt(limit_name: str, subject: str, now: datetime) -> None:
    """Note one attempt. Decision: G29, G255."""
    ThrottleAttempt.insert(limit_name=limit_name, subject=_storable(subject), at=now).execute()


def wait_seconds(limit_name: str, subject: str, limit: Limit, now: datetime) -> int:
    """Return how long the subject must wait: 0 while there is room in the window. Decision: G29, G255."""
    kept = ThrottleAttempt.select(fn.COUNT(ThrottleAttempt.id), fn.MIN(ThrottleAttempt.at))
    attempts, oldest = kept.where(_in_window(limit_name, subject, limit.window, now)).scalar(as_tuple=True)
    return limit.wait_seconds(attempts, 0.0 if oldest is None else (now - oldest).total_seconds())


def delay_seconds(limit_name: str, subject: str, free: Limit, now: datetime) -> int:
    """Return how long the subject must wait after its newest attempt: 0 while there is room in the window.

    From then on 2 seconds, 4, 8, ... up to `limits.MAX_SIGN_IN_DELAY_SECONDS`.

    Decision: G29.
    """
    in_window = _in_window(limit_name, subject, free.window, now)
    beyond: int = ThrottleAttempt.select().where(in_window).count() - free.maximum
    newest = ThrottleAttempt.select().where(in_window).order_by(ThrottleAttempt.at.desc()).first()
    if beyond < 0 or newest is None:
        return 0
    delay = min(1 << min(beyond + 1, 10), limits.MAX_SIGN_IN_DELAY_SECONDS)
    left: float = delay - (now - newest.at).total_seconds()
    return max(0, math.ceil(left))


def admit(limit_name: str, subject: str, limit: Limit, now: datetime) -> None:
    """Count an attempt if there is room for it; raises `TooManyRequests`. Decision: G255."""
    with database.atomic():
        wait = wait_seconds(limit_name, subject, limit, now)
        if not wait:
            count_attempt(limit_name, subject, now)
    if wait:
        raise TooManyRequests(wait, limit_name)


def check(limit_name: str, user_id: str, access: AccessSection, now: datetime) -> None:
    """Raise `TooManyRequests` while somebody was wrong for one account too often. Decision: G29."""
    wait = wait_seconds(limit_name, user_id, email_limit(access), now)
    if wait:
        raise TooManyRequests(wait, limit_name)


def email_limit(access: AccessSection) -> Limit:
    """Return how often somebody may be wrong for one e-mail."""
    return Limit(access.sign_in_max_failures, timedelta(minutes=access.sign_in_window_minutes))


def network_limit(access: AccessSection) -> Limit:
    """Return how often one network may be wrong."""
    own = email_limit(access)
    return Limit(own.maximum * limits.ADDRESS_FAILURES_FACTOR, own.window)


def forget_attempts(limit_name: str, subject: str) -> None:
    """Clear the count of a subject. Decision: G29."""
    ThrottleAttempt.delete().where(
        (ThrottleAttempt.limit_name == limit_name) & (ThrottleAttempt.subject == _storable(subject))
    ).execute()


def forget_kind(kind: str, subject: str) -> int:
    """Clear the counts of a subject in every limit whose name begins with `kind`; return how many.

    Decision: G29.
    """
    is_of_kind = ThrottleAttempt.limit_name.startswith(kind)
    of_subject = is_of_kind & (ThrottleAttempt.subject == _storable(subject))
    return int(ThrottleAttempt.delete().where(of_subject).execute())


def take_back(subject: str, since: datetime) -> bool:
    """Take back what was counted for a subject in a rehearsal; return whether anything was."""
    removed: int = (
        ThrottleAttempt.delete()
        .where((ThrottleAttempt.subject == _storable(subject)) & (ThrottleAttempt.at >= since))
        .execute()
    )
    return removed > 0


def forget_old(now: datetime) -> bool:
    """Remove attempts that no window reaches any more; True when there were some."""
    removed: int = ThrottleAttempt.delete().where(ThrottleAttempt.at < now - LONGEST_WINDOW).execute()
    return removed > 0


def _in_window(limit_name: str, subject: str, window: timedelta, now: datetime) -> Expression:
    # What lies further ahead was counted before the clock was set back.
    return (
        (ThrottleAttempt.limit_name == limit_name)
        & (ThrottleAttempt.subject == _storable(subject))
        & (ThrottleAttempt.at > now - window)
        & (ThrottleAttempt.at < now + window)
    )


def _storable(subject: str) -> str:
    """Cut what a stranger typed to what a column of any database takes."""
    return subject.replace("\0", "")[: limits.SINGLE_LINE_MAX_CHARACTERS]


@dataclass(frozen=True, slots=True)
class Guesses:
    """Bounds how often one network may guess a secret: an invite code, a reset link. Decision: G29, G255."""

    limit_name: str
    settings: FacilitySettings
    clock: Clock

    def check(self, address: str) -> None:
        """Raise `TooManyRequests` while the network of the address has guessed wrong too often."""
        access = self.settings.access()
        limit = network_limit(access)
        wait = wait_seconds(self.limit_name, network_of(address), limit, self.clock.now())
        if wait:
            raise TooManyRequests(wait, self.limit_name)

    def count_wrong(self, address: str) -> None:
        """Note a wrong guess."""
        count_attempt(self.limit_name, network_of(address), self.clock.now())
