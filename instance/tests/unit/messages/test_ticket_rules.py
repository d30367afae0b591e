"""Who may change what of a ticket, and what a reply makes of its status."""

import pytest
from seqfacility_instance.access.errors import Forbidden
from seqfacility_instance.core.vocabulary.messages import TicketPriority, TicketStatus
from seqfacility_instance.messages.errors import TicketClosed
from seqfacility_instance.messages.rules import check_change, status_after_reply


def test_an_owner_may_close_a_ticket_and_nothing_else() -> None:
    check_change(TicketStatus.CLOSED, None, is_admin=False)
    check_change(None, None, is_admin=False)

    for status in set(TicketStatus) - {TicketStatus.CLOSED}:
        with pytest.raises(Forbidden):
            check_change(status, None, is_admin=False)
    with pytest.raises(Forbidden):
        check_change(TicketStatus.CLOSED, TicketPriority.NORMAL, is_admin=False)


@pytest.mark.parametrize("status", TicketStatus)
def test_an_admin_may_give_any_status_and_priority(status: TicketStatus) -> None:
    check_change(status, TicketPriority.URGENT, is_admin=True)


@pytest.mark.parametrize(
    ("before", "by_owner", "after"),
    [
        (TicketStatus.OPEN, True, TicketStatus.OPEN),
        (TicketStatus.OPEN, False, TicketStatus.IN_PROGRESS),
        (TicketStatus.IN_PROGRESS, True, TicketStatus.IN_PROGRESS),
        (TicketStatus.IN_PROGRESS, False, TicketStatus.IN_PROGRESS),
        (TicketStatus.RESOLVED, True, TicketStatus.OPEN),
        (TicketStatus.RESOLVED, False, TicketStatus.RESOLVED),
    ],
)
def test_a_reply_moves_a_ticket_to_whoever_is_to_act(
    before: TicketStatus, by_owner: bool, after: TicketStatus
) -> None:
    assert status_after_reply(before, by_owner=by_owner) is after


@pytest.mark.parametrize("by_owner", [True, False])
def test_nobody_replies_to_a_closed_ticket(by_owner: bool) -> None:
    with pytest.raises(TicketClosed):
        status_after_reply(TicketStatus.CLOSED, by_owner=by_owner)
