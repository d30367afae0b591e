"""Who may read what: one rule for each kind of object that belongs to somebody."""

from typing import Protocol

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.errors import Forbidden


class Owned(Protocol):
    """A row that belongs to a user: an order, a study, a ticket."""

    @property
    def user_id(self) -> str:
        """The owner's id."""


def may_read_order(caller: SignedIn, order: Owned) -> bool:
    """Tell whether `caller` may read an order in reach: its owner, or an admin. Gap: G13, G74."""
    return _owns(caller, order)


def check_may_read_order(caller: SignedIn, order: Owned) -> None:
    """Raise `Forbidden` unless `caller` may read the order. Gap: G14."""
    if not may_read_order(caller, order):
        raise Forbidden


def may_read_study(caller: SignedIn, study: Owned) -> bool:
    """Tell whether `caller` may read a study in reach: its owner, or an admin. Gap: G13, G83."""
    return _owns(caller, study)


def check_may_read_study(caller: SignedIn, study: Owned) -> None:
    """Raise `Forbidden` unless `caller` may read the study. Gap: G14."""
    if not may_read_study(caller, study):
        raise Forbidden


def check_may_read_ticket(caller: SignedIn, ticket: Owned) -> None:
    """Raise `Forbidden` unless `caller` may read the ticket: its creator, or an admin. Gap: G251."""
    if not _owns(caller, ticket):
        raise Forbidden


def _owns(caller: SignedIn, row: Owned) -> bool:
    return caller.is_admin or row.user_id == caller.user_id
