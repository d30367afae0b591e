"""Queries on tickets; writes the tables of tickets and their messages."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final, cast

from peewee import EXCLUDED, SQL, Case, Expression, fn

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.errors import TicketNotFound
from seqfacility_instance.access.owned_rows import listed_for, sees_nearly_all
from seqfacility_instance.core.json_text import compact_json
from seqfacility_instance.core.vocabulary.messages import TicketStatus
from seqfacility_instance.tables.base import locked
from seqfacility_instance.tables.fields import timestamp_of
from seqfacility_instance.tables.messages import MessageCount, Ticket, TicketMessage
from seqfacility_instance.tables.orders import Order
from seqfacility_instance.tables.people import User
from seqfacility_instance.tables.studies import Study

_ALL: Final = ""
"""In a count: the messages of every owner, or whoever has read them."""


@dataclass(frozen=True, slots=True)
class UnreadTicket:
    """A ticket with messages that somebody has not read, the oldest of `since`."""

    id: str
    subject: str
    since: datetime
    count: int


@dataclass(frozen=True, slots=True)
class TicketFilter:
    """What a list of tickets is narrowed to, as it was asked; `text` is a part of the subject."""

    status: str | None = None
    text: str | None = None


def lock_ticket(ticket_id: str) -> Ticket:
    """Read a ticket again inside a transaction and keep others from changing it until its end.

    Raises `TicketNotFound` when it was deleted meanwhile.
    """
    found: Ticket | None = locked(Ticket.select().where(Ticket.id == ticket_id)).first()
    if found is None:
        raise TicketNotFound
    return found


def list_tickets(caller: SignedIn, wanted: TicketFilter, limit: int, offset: int) -> tuple[list[Ticket], int]:
    """List the tickets that `caller` may see, newest first, and count them all.

    Decision: G16, G251, G617.
    """
    condition = listed_for(caller, Ticket.user)
    if wanted.status is not None:
        if wanted.status not in TicketStatus.__members__:
            return [], 0
        condition &= Ticket.status == TicketStatus(wanted.status)
    if wanted.text is not None:
        condition &= Ticket.subject.contains(wanted.text)
    total: int = Ticket.select().where(condition).count()
    page = (
        Ticket.select(Ticket, User)
        .join(User, on=Ticket.user)
        .where(condition)
        .order_by(Ticket.created_at.desc(), Ticket.id.desc())
        .limit(limit)
        .offset(offset)
    )
    return list(page), total


def create_ticket(columns: Mapping[str, object]) -> Ticket:
    """Add a ticket; return it as it is stored."""
    created: Ticket = next(iter(Ticket.insert(**columns).returning(Ticket).execute()))
    return created


def update_ticket(ticket_id: str, columns: Mapping[str, object]) -> Ticket:
    """Change a ticket that this transaction has locked; return it as it is stored."""
    query = Ticket.update(**columns).where(Ticket.id == ticket_id).returning(Ticket)
    changed: Ticket = next(iter(query.execute()))
    return changed


def delete_ticket(ticket_id: str) -> None:
    """Delete a ticket with its messages; only those of the demo are. Decision: G246."""
    gone: Counter[str] = Counter()
    for message in TicketMessage.select().where(TicketMessage.ticket == ticket_id):
        gone.subtract({_ALL, message.sender_id, *message.read_by})
    _count(ticket_id, gone)
    Ticket.delete().where(Ticket.id == ticket_id).execute()


def add_message(ticket_id: str, sender_id: str, body: str, now: datetime) -> str:
    """Add a message that its sender has read; return its id. Decision: G253."""
    message = TicketMessage.create(
        ticket=ticket_id, sender=sender_id, body=body, read_by=[sender_id], created_at=now
    )
    _count(ticket_id, {_ALL: 1, sender_id: 1})
    return message.id


def list_messages(ticket_id: str) -> list[TicketMessage]:
    """List the messages of a ticket with their senders, oldest first. Decision: G250."""
    return list(
        TicketMessage.select(TicketMessage, User)
        .join(User, on=TicketMessage.sender)
        .where(TicketMessage.ticket == ticket_id)
        .order_by(TicketMessage.created_at, TicketMessage.id)
    )


def get_message(message_id: str) -> TicketMessage:
    """Read a message that was just written, with its sender."""
    message: TicketMessage = (
        TicketMessage.select(TicketMessage, User)
        .join(User, on=TicketMessage.sender)
        .where(TicketMessage.id == message_id)
        .get()
    )
    return message


def mark_read(ticket_id: str, user_id: str) -> None:
    """Add a reader to the messages of a ticket; one statement for each set of readers. Decision: G251."""
    unread = (TicketMessage.ticket == ticket_id) & _is_unread_by(user_id)
    readers = {tuple(row.read_by) for row in TicketMessage.select(TicketMessage.read_by).where(unread)}
    marked = 0
    for read_by in readers:
        is_theirs = TicketMessage.read_by.cast("TEXT") == compact_json(list(read_by))
        marked += TicketMessage.update(read_by=[*read_by, user_id]).where(unread & is_theirs).execute()
    if marked:
        _count(ticket_id, {user_id: marked})


def mark_unread(ticket_id: str, user_id: str, since: datetime) -> None:
    """Take a reader from the messages that others wrote from `since` on; a statement for each set of readers.

    Decision: G701.
    """
    of_others = (TicketMessage.ticket == ticket_id) & (TicketMessage.sender != user_id)
    meant = of_others & (TicketMessage.created_at >= since) & ~_is_unread_by(user_id)
    readers = {tuple(row.read_by) for row in TicketMessage.select(TicketMessage.read_by).where(meant)}
    marked = 0
    for read_by in readers:
        is_theirs = TicketMessage.read_by.cast("TEXT") == compact_json(list(read_by))
        without = [reader for reader in read_by if reader != user_id]
        marked += TicketMessage.update(read_by=without).where(meant & is_theirs).execute()
    if marked:
        _count(ticket_id, {user_id: -marked})


def unread_counts(ticket_ids: Collection[str], user_id: str) -> dict[str, int]:
    if not ticket_ids:
        return {}
    query = (
        TicketMessage.select(TicketMessage.ticket, fn.COUNT(TicketMessage.id))
        .where(TicketMessage.ticket.in_(list(ticket_ids)) & _is_unread_by(user_id))
        .group_by(TicketMessage.ticket)
    )
    return dict(cast("Iterable[tuple[str, int]]", query.tuples()))


def count_unread(caller: SignedIn) -> int:
    """Count the unread messages of all tickets that `caller` may see. Decision: G253, G599."""
    owner, reader = MessageCount.owner_id, MessageCount.reader_id
    whose = owner == _ALL if sees_nearly_all(caller) else listed_for(caller, owner)
    signed = Case(None, [(reader == _ALL, MessageCount.messages)], MessageCount.messages * -1)
    query = MessageCount.select(fn.SUM(signed)).where(whose, reader.in_([_ALL, caller.user_id]))
    return int(query.scalar() or 0)


def _count(ticket_id: str, changes: Mapping[str, int]) -> None:
    """Change the counts of a ticket's owner, and of all, by reader; stands in the transaction of the change.

    WHY: in order, so that transactions that change the same counts wait for each other and never deadlock.
    """
    owner: User = User.select(User.id, User.is_demo).join(Ticket).where(Ticket.id == ticket_id).get()
    owners = [owner.id] if owner.is_demo else [_ALL, owner.id]
    rows = [
        {"owner_id": owner_id, "reader_id": reader_id, "messages": changes[reader_id]}
        for owner_id in owners
        for reader_id in sorted(changes)
    ]
    MessageCount.insert_many(rows).on_conflict(
        conflict_target=[MessageCount.owner_id, MessageCount.reader_id],
        update={MessageCount.messages: MessageCount.messages + EXCLUDED.messages},
    ).execute()


def list_unread(caller: SignedIn, statuses: Collection[TicketStatus]) -> list[UnreadTicket]:
    """List the tickets of these statuses with messages that `caller` has not read, oldest message first.

    WHY: the statuses are constants, as in the index `tickets_open`: SQLite compares no variable with them.
    And no join, with which it walks all tickets, since it groups by these.

    Decision: G543.
    """
    words = ", ".join(f"'{status}'" for status in statuses)
    is_meant = Ticket.status.in_(SQL(f"({words})"))
    tickets = Ticket.select(Ticket.id).where(is_meant, listed_for(caller, Ticket.user))
    named = Ticket.alias()
    subject = named.select(named.subject).where(named.id == TicketMessage.ticket)
    first = fn.MIN(TicketMessage.created_at).coerce(_coerce=False)
    query = (
        TicketMessage.select(TicketMessage.ticket, subject, first, fn.COUNT(TicketMessage.id))
        .where(TicketMessage.ticket.in_(tickets), _is_unread_by(caller.user_id))
        .group_by(TicketMessage.ticket)
        .order_by(first, TicketMessage.ticket)
    )
    rows = cast("Iterable[tuple[str, str, int, int]]", query.tuples())
    return [UnreadTicket(ticket, subject, timestamp_of(at), count) for ticket, subject, at, count in rows]


def _is_unread_by(user_id: str) -> Expression:
    """Return the condition that a message was sent by somebody else and not read by a user.

    The readers are a JSON text; taking the quoted id out of it changes it exactly when the id is in it.
    """
    without = fn.REPLACE(TicketMessage.read_by, f'"{user_id}"', "")
    return (without == TicketMessage.read_by) & (TicketMessage.sender != user_id)


def find_order(caller: SignedIn, order_id: str) -> Order | None:
    """Find the order that a ticket is about, if `caller` may read it."""
    return Order.get_or_none((Order.id == order_id) & listed_for(caller, Order.user))


def find_study(caller: SignedIn, study_id: str) -> Study | None:
    """Find the study that a ticket is about, if `caller` may read it."""
    return Study.get_or_none((Study.id == study_id) & listed_for(caller, Study.user))
