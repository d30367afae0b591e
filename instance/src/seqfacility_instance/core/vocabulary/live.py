"""What live hints are about."""

from enum import StrEnum


class ChangeKind(StrEnum):
    """What has changed, as the triggers of the database write it."""

    ORDER = "order"
    ORDER_WORK = "order-work"
    """Work on an order that its line in the list does not show: an upload, a run plan, a stream."""
    RUN = "run"
    STUDY = "study"
    MESSAGE = "message"
    NOTIFICATION = "notification"
    STREAM = "stream"
    UPLOAD = "upload"
    SESSION = "session"
    """A session was ended before its time."""
    USER = "user"
    """The role of a user changed, or whether the account is active."""
