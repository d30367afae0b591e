"""Take a person out of the facility: the account gets a pseudonym, what only served to sign in goes."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Final, cast

from peewee import OP, Expression, Field

from seqfacility_instance.access import audit, token_rows
from seqfacility_instance.access.audit_chain import erase_personal
from seqfacility_instance.access.sessions import Sessions
from seqfacility_instance.accounts import invite_store, second_factor_store, store, throttle
from seqfacility_instance.accounts.errors import LastAdmin
from seqfacility_instance.accounts.rules import erased_email, is_erased
from seqfacility_instance.core.vocabulary.people import AuditAction, Role
from seqfacility_instance.delivery_links import store as link_store
from seqfacility_instance.mail import store as mail_store
from seqfacility_instance.notifications import store as notification_store
from seqfacility_instance.oidc import store as oidc_store
from seqfacility_instance.tables.base import Entity, database
from seqfacility_instance.tables.messages import Ticket, TicketMessage
from seqfacility_instance.tables.orders import Order, Sample, StatusNote
from seqfacility_instance.tables.people import User
from seqfacility_instance.tables.sequencing import SequencingRun, SequencingRunSample
from seqfacility_instance.tables.studies import Study

_TEXTS: Final[dict[str, tuple[type[Entity], tuple[Field, ...], Field | None, Field]]] = {
    "orders": (Order, (Order.name, Order.custom_fields), Order.user, Order.order_number),
    "notes": (StatusNote, (StatusNote.content,), StatusNote.user, StatusNote.id),
    "studies": (Study, (Study.title, Study.description, Study.metadata), Study.user, Study.title),
    "samples": (Sample, (Sample.custom_fields, Sample.checklist_data), None, Sample.sample_code),
    "sequencingRuns": (SequencingRun, (SequencingRun.notes,), SequencingRun.saved_by, SequencingRun.id),
    "sequencingRunSamples": (
        SequencingRunSample,
        (SequencingRunSample.notes, SequencingRunSample.custom_fields),
        None,
        SequencingRunSample.id,
    ),
    "tickets": (Ticket, (Ticket.subject,), Ticket.user, Ticket.id),
    "messages": (TicketMessage, (TicketMessage.body,), TicketMessage.sender, TicketMessage.id),
}
"""Where people write freely: the texts, who wrote them where that is known, and how the object is called."""

NOT_REACHED: Final = (
    "Free text is kept as it was written; the objects that hold some are listed under freeText.",
    "So are notes and other words of the audit trail without an e-mail, as its rows never change.",
    "Names and contents of files are not looked at.",
    "Backups and logs that exist already hold the old name and e-mail until they are removed.",
)


@dataclass(frozen=True, slots=True)
class Erased:
    """What an erasure did, or would do."""

    pseudonym: str
    email: str
    removed: dict[str, int]
    """What ended or went with the person, each with how many rows that were."""
    free_text: dict[str, list[str]]


def whole_name(user: User) -> str:
    return f"{user.first_name} {user.last_name}"


def erase(user: User, now: datetime, *, is_rehearsal: bool) -> Erased:
    """Take a person out of the facility, or with `is_rehearsal` tell what that would do.

    One transaction; a rehearsal takes it back. What was erased before stays as it is. Raises `LastAdmin`.

    Decision: G876.
    """
    with database.atomic() as transaction:
        erased = _erase(user, now)
        if is_rehearsal:
            transaction.rollback()
    return erased


def _erase(user: User, now: datetime) -> Erased:
    if is_erased(user.email):
        return Erased(whole_name(user), user.email, {}, _free_text(user))
    if store.lock_active_admins() == {user.id}:
        raise LastAdmin
    store.lock_signing_in(user.id)
    free_text = _free_text(user)
    removed = {
        "sessions": Sessions.end_all(user.id),
        "tokens": len(token_rows.end_tokens(user.id)),
        "providerAccounts": oidc_store.delete_identities(user.id),
        "secondFactor": int(second_factor_store.claim_removed(user.id)),
        "resetLinks": store.delete_reset_links(user.id),
        "deliveryLinks": link_store.revoke_links_of_maker(user.id, now),
        "mail": mail_store.delete_about(user.id, user.email, whole_name(user)),
        "notifications": notification_store.delete_about(user.id, whole_name(user)),
        "invites": invite_store.erase_email(user.email),
        "signInAttempts": throttle.forget_kind("", user.email),
        "auditRows": erase_personal(user.id, [user.email], now),
    }
    short = user.id[-6:]
    columns = {
        "email": erased_email(user.id),
        "password_hash": "",
        "first_name": "Former user",
        "last_name": short,
        "role": Role.RESEARCHER,
        "researcher_role": None,
        "institution": None,
        "department": None,
        "is_active": False,
        "must_change_password": False,
        "pending_since": None,
        "last_sign_in_at": None,
    }
    store.update_user(user.id, columns, now)
    audit.record(None, AuditAction.USER_ERASED, "user", user.id, now, removed=removed)
    return Erased(f"Former user {short}", str(columns["email"]), removed, free_text)


def _free_text(user: User) -> dict[str, list[str]]:
    """List the objects whose text the person wrote, or that hold their e-mail or whole name."""
    listed = {}
    for what, (table, texts, writer, shown) in _TEXTS.items():
        conditions = [] if writer is None else [Expression(writer, OP.EQ, user.id)]
        conditions += [text.contains(named) for text in texts for named in (user.email, whole_name(user))]
        chosen = reduce(or_, conditions)
        named = table.select(shown).where(chosen).order_by(table.id).tuples()
        listed[what] = [str(name) for (name,) in cast("Iterable[tuple[object]]", named)]
    return listed
