"""Counting attempts in a window, shared by all server processes."""

from datetime import datetime, timedelta

from seqfacility_instance.tables import ThrottleAttempt


def count_attempt(limit_name: str, subject: str, now: datetime) -> None:
    """Note one attempt. Gap: G29, G255."""
    ThrottleAttempt.insert(limit_name=limit_name, subject=subject, at=now).execute()


def wait_seconds(limit_name: str, subject: str, most: int, window: timedelta, now: datetime) -> int:
    """Tell how long the subject must wait: 0 while fewer than `most` attempts lie in the window.

    Gap: G29, G255.
    """
    in_window = (
        (ThrottleAttempt.limit_name == limit_name)
        & (ThrottleAttempt.subject == subject)
        & (ThrottleAttempt.at > now - window)
    )
    if ThrottleAttempt.select().where(in_window).count() < most:
        return 0
    oldest = ThrottleAttempt.select().where(in_window).order_by(ThrottleAttempt.at).first()
    return 1 if oldest is None else int((oldest.at + window - now).total_seconds()) + 1


def forget_attempts(limit_name: str, subject: str) -> None:
    """Clear the count of a subject. Gap: G29."""
    ThrottleAttempt.delete().where(
        (ThrottleAttempt.limit_name == limit_name) & (ThrottleAttempt.subject == subject)
    ).execute()


def forget_older(than: datetime) -> bool:
    """Remove attempts that no window reaches any more; True when there were some."""
    removed: int = ThrottleAttempt.delete().where(ThrottleAttempt.at < than).execute()
    return removed > 0
