"""Decisions on orders: who may change what in which status."""

from datetime import datetime, timedelta
from typing import Final, Protocol

from seqfacility_instance.core.vocabulary.orders import NoteType, OrderStatus
from seqfacility_instance.orders.errors import (
    NoteKept,
    NoteRequired,
    OrderNotDeletable,
    OrderNotDraft,
    OrderNotSubmitted,
    SequencingNotAllowed,
    StatusChangeRefused,
)

MAX_DETAILS: Final = 1000
"""Enough for a person; an answer with a line for each cell of 5,000 samples helps nobody."""

OWNERS_MOVES: Final = frozenset({(OrderStatus.DRAFT, OrderStatus.SUBMITTED)})
ADMINS_MOVES: Final = OWNERS_MOVES | {
    (OrderStatus.SUBMITTED, OrderStatus.COMPLETED),
    (OrderStatus.COMPLETED, OrderStatus.SUBMITTED),
    (OrderStatus.SUBMITTED, OrderStatus.DRAFT),
}
"""Decision: G75."""

_STEPS: Final = (NoteType.SAMPLES_SENT, NoteType.ORDER_ACCEPTED, NoteType.SAMPLES_RECEIVED)


NOTE_TAKEN_BACK: Final = timedelta(minutes=10)
"""How long a step may be taken back: long enough for a slip, too short to rewrite history."""


class HasStatus(Protocol):
    """Anything with the status of an order."""

    @property
    def status(self) -> OrderStatus:
        """Where the order stands."""


def check_status_change(
    current: OrderStatus, wanted: OrderStatus, note: str | None, *, is_admin: bool
) -> None:
    """Raise `StatusChangeRefused` for a move not open to the caller, `NoteRequired` for one without words.

    Decision: G75.
    """
    if (current, wanted) not in (ADMINS_MOVES if is_admin else OWNERS_MOVES):
        raise StatusChangeRefused(current=current.value, wanted=wanted.value)
    if wanted is OrderStatus.DRAFT and not note:
        raise NoteRequired


def check_editable(order: HasStatus, *, is_admin: bool) -> None:
    """Raise `OrderNotDraft` unless the order may be changed: a draft, or by an admin. Decision: G74, G79."""
    if not is_admin and order.status is not OrderStatus.DRAFT:
        raise OrderNotDraft


def check_deletable(order: HasStatus, *, is_admin: bool, allows_submitted: bool) -> None:
    """Raise `OrderNotDeletable` unless it is a draft, or an admin may delete later ones too.

    Decision: G74.
    """
    if order.status is not OrderStatus.DRAFT and not (is_admin and allows_submitted):
        raise OrderNotDeletable


def check_sequencing_allowed(order: HasStatus) -> None:
    """Raise `SequencingNotAllowed` unless the order is submitted or completed.

    Spec: instance, Sequencing uploads. Decision: G84, G90.
    """
    if order.status is OrderStatus.DRAFT:
        raise SequencingNotAllowed


def check_note_allowed(order: HasStatus, note_type: NoteType) -> None:
    """Raise `OrderNotSubmitted` for a step in the way of samples of an order that is not submitted.

    Decision: G77, G536.
    """
    if note_type in _STEPS and order.status is not OrderStatus.SUBMITTED:
        raise OrderNotSubmitted


def check_note_removable(
    note_type: NoteType, writer_id: str | None, written_at: datetime, caller_id: str, now: datetime
) -> None:
    """Raise `NoteKept` unless it is a step in the way of samples that the caller has just noted.

    Decision: G700.
    """
    is_recent = now - written_at <= NOTE_TAKEN_BACK
    if note_type not in _STEPS or writer_id != caller_id or not is_recent:
        raise NoteKept


def note_types_for(*, is_admin: bool) -> tuple[NoteType, ...]:
    """Name the notes that a caller may write. Decision: G77, G536."""
    if not is_admin:
        return (NoteType.SAMPLES_SENT,)
    return (NoteType.SAMPLES_SENT, NoteType.INTERNAL, NoteType.ORDER_ACCEPTED, NoteType.SAMPLES_RECEIVED)


def status_note(current: OrderStatus, wanted: OrderStatus, note: str | None) -> str:
    """Return the content of the note that a status change leaves. Decision: G75, G305."""
    return note or f"Status changed from {current.value} to {wanted.value}"
