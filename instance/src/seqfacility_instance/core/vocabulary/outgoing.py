"""The closed set of what becomes of a mail or of a webhook's delivery."""

from enum import StrEnum


class SendingStatus(StrEnum):
    """The way of what is sent: it waits and comes to an end. Decision: G839, G853.

    Before it waits, mail may be asked for or kept for the digest; it is dropped when nobody is to get it.
    """

    REQUESTED = "requested"
    FOR_DIGEST = "for-digest"
    WAITING = "waiting"
    DELIVERED = "delivered"
    FAILED = "failed"
    DROPPED = "dropped"
