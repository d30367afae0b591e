"""Who may do what with an order in which status."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import product

import pytest
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
from seqfacility_instance.orders.rules import (
    NOTE_TAKEN_BACK,
    check_deletable,
    check_editable,
    check_note_allowed,
    check_note_removable,
    check_sequencing_allowed,
    check_status_change,
    note_types_for,
    status_note,
)

NOTED_AT = datetime(2026, 11, 24, 12, tzinfo=UTC)
D, S, C = OrderStatus.DRAFT, OrderStatus.SUBMITTED, OrderStatus.COMPLETED
ALLOWED = {True: {(D, S), (S, C), (C, S), (S, D)}, False: {(D, S)}}


@dataclass(frozen=True)
class AnOrder:
    status: OrderStatus


@pytest.mark.parametrize(
    ("current", "wanted", "is_admin"), list(product(OrderStatus, OrderStatus, (True, False)))
)
def test_the_moves_are_those_of_the_table(current: OrderStatus, wanted: OrderStatus, is_admin: bool) -> None:
    if (current, wanted) in ALLOWED[is_admin]:
        check_status_change(current, wanted, "why", is_admin=is_admin)
    else:
        with pytest.raises(StatusChangeRefused) as refused:
            check_status_change(current, wanted, "why", is_admin=is_admin)
        assert refused.value.text == f"Cannot change order status from {current} to {wanted}"


@pytest.mark.parametrize("note", [None, ""])
def test_only_a_return_to_draft_needs_words(note: str | None) -> None:
    check_status_change(D, S, note, is_admin=True)
    with pytest.raises(NoteRequired):
        check_status_change(S, D, note, is_admin=True)


@pytest.mark.parametrize("status", OrderStatus)
def test_an_owner_edits_drafts_and_an_admin_everything(status: OrderStatus) -> None:
    check_editable(AnOrder(status), is_admin=True)
    if status is D:
        check_editable(AnOrder(status), is_admin=False)
    else:
        with pytest.raises(OrderNotDraft):
            check_editable(AnOrder(status), is_admin=False)


@pytest.mark.parametrize(
    ("status", "is_admin", "allows"), list(product(OrderStatus, (True, False), (True, False)))
)
def test_later_orders_are_deleted_by_admins_who_may(
    status: OrderStatus, is_admin: bool, allows: bool
) -> None:
    if status is D or (is_admin and allows):
        check_deletable(AnOrder(status), is_admin=is_admin, allows_submitted=allows)
    else:
        with pytest.raises(OrderNotDeletable):
            check_deletable(AnOrder(status), is_admin=is_admin, allows_submitted=allows)


def test_sequencing_waits_for_the_submission() -> None:
    check_sequencing_allowed(AnOrder(S))
    check_sequencing_allowed(AnOrder(C))
    with pytest.raises(SequencingNotAllowed):
        check_sequencing_allowed(AnOrder(D))


def test_samples_are_sent_for_submitted_orders() -> None:
    check_note_allowed(AnOrder(S), NoteType.SAMPLES_SENT)
    check_note_allowed(AnOrder(D), NoteType.INTERNAL)
    for status in (D, C):
        with pytest.raises(OrderNotSubmitted):
            check_note_allowed(AnOrder(status), NoteType.SAMPLES_SENT)


def test_researchers_write_no_internal_notes() -> None:
    assert note_types_for(is_admin=False) == (NoteType.SAMPLES_SENT,)
    assert NoteType.INTERNAL in note_types_for(is_admin=True)


def test_a_status_note_says_what_was_said_or_what_was_done() -> None:
    assert status_note(D, S, "hurry") == "hurry"
    assert status_note(D, S, None) == "Status changed from DRAFT to SUBMITTED"


@pytest.mark.parametrize("seconds", [0, NOTE_TAKEN_BACK.total_seconds()])
def test_a_step_can_be_taken_back_for_ten_minutes(seconds: float) -> None:
    now = NOTED_AT + timedelta(seconds=seconds)

    check_note_removable(NoteType.ORDER_ACCEPTED, "ada", NOTED_AT, "ada", now)


@pytest.mark.parametrize(
    ("note_type", "writer", "seconds"),
    [
        (NoteType.ORDER_ACCEPTED, "ada", NOTE_TAKEN_BACK.total_seconds() + 1),
        (NoteType.ORDER_ACCEPTED, "ben", 0),
        (NoteType.ORDER_ACCEPTED, None, 0),
        (NoteType.INTERNAL, "ada", 0),
        (NoteType.STATUS_CHANGE, "ada", 0),
    ],
)
def test_other_notes_are_kept(note_type: NoteType, writer: str | None, seconds: float) -> None:
    now = NOTED_AT + timedelta(seconds=seconds)

    with pytest.raises(NoteKept):
        check_note_removable(note_type, writer, NOTED_AT, "ada", now)
