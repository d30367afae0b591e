"""Who is told what by default, when a digest is due, and how long to wait after a failure."""

from datetime import UTC, datetime, timedelta
from typing import Final

from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.mail import MailKind, MailTiming

_FOR_RESEARCHERS: Final = (
    MailKind.ORDER_ACCEPTED,
    MailKind.ORDER_STATUS,
    MailKind.DELIVERY_RELEASED,
    MailKind.DELIVERY_LINK_ENDING,
    MailKind.MESSAGE_CREATED,
)
_CHOSEN_BY_ADMINS: Final = (
    MailKind.REGISTRATION_WAITING,
    MailKind.ORDER_SUBMITTED,
    MailKind.READS_COMPLETE,
    MailKind.RUN_COMPLETED,
    MailKind.RUN_FAILED,
)
FOR_ADMINS: Final = (MailKind.PIPELINE_NOTICE, *_CHOSEN_BY_ADMINS)
"""What only an admin is told: whoever is none any more gets none of it. Decision: G840."""

PAUSES: Final = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 180, 360, 720, 1440, 1440))
"""Between an attempt that failed and the next: ten attempts over three days. Decision: G839."""

RESTS: Final = PAUSES[:3]
"""How long nothing is sent after failures of the server in a row; the last one for all that follow."""


def kinds_for(*, is_admin: bool) -> tuple[MailKind, ...]:
    """Return what somebody may choose. Decision: G840."""
    return (*_CHOSEN_BY_ADMINS, *_FOR_RESEARCHERS) if is_admin else _FOR_RESEARCHERS


def default_timing(kind: MailKind) -> MailTiming:
    """Return when somebody is told of a kind who has chosen nothing."""
    return MailTiming.DAILY if kind is MailKind.READS_COMPLETE else MailTiming.AT_ONCE


def next_digest(now: datetime) -> datetime:
    """Return the next time at which digests are sent. Decision: G840."""
    today = now.replace(hour=limits.MAIL_DIGEST_HOUR, minute=0, second=0, microsecond=0)
    return today if today > now else today + timedelta(days=1)


def shown_time(timestamp: datetime) -> str:
    """Write a time for people, in UTC and said so."""
    return f"{timestamp.astimezone(UTC):%d %B %Y, %H:%M} UTC"
