"""Queries on mail; writes the tables of outgoing mail and of preferences."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from peewee import JOIN, Expression

from seqfacility_instance.core import limits
from seqfacility_instance.core.ids import new_id
from seqfacility_instance.core.mentions import mentions_email, mentions_name
from seqfacility_instance.core.vocabulary.mail import MailKind, MailStatus, MailTiming
from seqfacility_instance.core.vocabulary.people import Role
from seqfacility_instance.facility_settings import store as settings_store
from seqfacility_instance.mail.rules import delay_after
from seqfacility_instance.tables.mail import MailPreference, OutgoingMail
from seqfacility_instance.tables.messages import Ticket
from seqfacility_instance.tables.orders import Order
from seqfacility_instance.tables.people import User
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_instance.tables.sequencing import DeliveryLink

_ENDED: Final = (MailStatus.SENT, MailStatus.DROPPED)


def is_on() -> bool:
    """Return whether the facility has a mail server; without one nothing is queued. Decision: G837."""
    stored = settings_store.stored_section(settings_store.find_row(), "mail")
    return bool(stored.get("host") and stored.get("from"))


def insert_mail(kind: MailKind, now: datetime, values: Mapping[str, object]) -> bool:
    """Queue a mail; False when there is one on the same topic."""
    row = {"id": new_id(), "kind": kind, "due_at": now, "created_at": now, **values}
    return bool(OutgoingMail.insert(row).on_conflict_ignore().as_rowcount().execute())


def find_recipient(user_id: str) -> User | None:
    """Find an account that may get mail: an active one, and none of the demo. Decision: G837."""
    return User.get_or_none((User.id == user_id) & _gets_mail())


def list_admins() -> list[str]:
    """List the admins who get mail."""
    admins = _gets_mail() & (User.role == Role.FACILITY_ADMIN)
    return [user.id for user in User.select(User.id).where(admins)]


def _gets_mail() -> Expression:
    gets_mail: Expression = User.is_active & ~User.is_demo
    return gets_mail


def preferences(user_id: str) -> dict[MailKind, MailTiming]:
    """Return what somebody has chosen."""
    rows = MailPreference.select().where(MailPreference.user == user_id)
    return {row.kind: row.timing for row in rows}


def save_preference(user_id: str, kind: MailKind, timing: MailTiming) -> None:
    MailPreference.insert(user=user_id, kind=kind, timing=timing).on_conflict(
        conflict_target=[MailPreference.user, MailPreference.kind],
        preserve=[MailPreference.timing],
    ).execute()


def claim_next(holder: str, now: datetime) -> OutgoingMail | None:
    """Claim the next mail that is due, for the time of a lease; an expired lease is as good as none.

    A mail in each of whose attempts the worker died has failed: it may be what kills it.

    Decision: G839.
    """
    candidates = (
        OutgoingMail.select()
        .where(
            (OutgoingMail.status == MailStatus.WAITING)
            & (OutgoingMail.due_at <= now)
            & (OutgoingMail.leased_until.is_null() | (OutgoingMail.leased_until < now))
        )
        .order_by(OutgoingMail.due_at, OutgoingMail.id)
        .limit(10)
    )
    for mail in candidates:
        # WHY: of several workers that read the same row, only one update finds it unchanged.
        unchanged = (
            (OutgoingMail.id == mail.id)
            & (OutgoingMail.status == MailStatus.WAITING)
            & (OutgoingMail.attempts == mail.attempts)
            & (OutgoingMail.leased_until == mail.leased_until)
        )
        if mail.attempts >= limits.MAIL_MAX_ATTEMPTS:
            _update(unchanged, **_end(MailStatus.FAILED, now), last_error="The worker ended in each attempt")
        elif _update(
            unchanged,
            attempts=mail.attempts + 1,
            lease_holder=holder,
            leased_until=now + limits.MAIL_LEASE,
        ):
            mail.attempts += 1
            return mail
    return None


def note_sent(mail: OutgoingMail, holder: str, now: datetime) -> None:
    """Note that the server has taken a mail; its content is forgotten."""
    _update(_held(mail, holder), **_end(MailStatus.SENT, now), facts={}, sealed=None, last_error=None)


def note_dropped(mail: OutgoingMail, holder: str, now: datetime) -> None:
    """Note that nobody is to get a mail any more; its content is forgotten."""
    _update(_held(mail, holder), **_end(MailStatus.DROPPED, now), facts={}, sealed=None, last_error=None)


def note_failure(mail: OutgoingMail, holder: str, error: str, now: datetime, *, is_final: bool) -> None:
    """Note why a mail was not sent: it waits for another attempt, or has failed. Decision: G839."""
    if is_final or mail.attempts >= limits.MAIL_MAX_ATTEMPTS:
        values = _end(MailStatus.FAILED, now)
    else:
        values = {"due_at": now + delay_after(mail.attempts), "lease_holder": None, "leased_until": None}
    _update(_held(mail, holder), **values, last_error=error)


def _held(mail: OutgoingMail, holder: str) -> Expression:
    return (
        (OutgoingMail.id == mail.id)
        & (OutgoingMail.status == MailStatus.WAITING)
        & (OutgoingMail.lease_holder == holder)
        & (OutgoingMail.attempts == mail.attempts)
    )


def _end(status: MailStatus, now: datetime) -> dict[str, object]:
    return {"status": status, "finished_at": now, "lease_holder": None, "leased_until": None}


def _update(condition: Expression, **values: object) -> bool:
    changed: int = OutgoingMail.update(**values).where(condition).execute()
    return changed == 1


def list_failed() -> list[OutgoingMail]:
    """List what could not be sent, newest first, with the accounts that it was for."""
    return list(
        OutgoingMail.select(OutgoingMail, User)
        .join(User, JOIN.LEFT_OUTER)
        .where(OutgoingMail.status == MailStatus.FAILED)
        .order_by(OutgoingMail.finished_at.desc(), OutgoingMail.id.desc())
        .limit(limits.MAIL_LISTED_MAX)
    )


def count_failed() -> int:
    return int(OutgoingMail.select().where(OutgoingMail.status == MailStatus.FAILED).count())


def count_waiting() -> int:
    return int(OutgoingMail.select().where(OutgoingMail.status == MailStatus.WAITING).count())


def claim_retry(mail_id: str, now: datetime) -> bool:
    """Let a failed mail wait again, as if it were new; False when it has not failed."""
    is_failed = (OutgoingMail.id == mail_id) & (OutgoingMail.status == MailStatus.FAILED)
    return _update(is_failed, status=MailStatus.WAITING, attempts=0, due_at=now, finished_at=None)


def list_requests(limit: int) -> list[OutgoingMail]:
    """List the reset links that somebody asked for and nobody has looked at yet, oldest first."""
    requested = OutgoingMail.status == MailStatus.REQUESTED
    return list(OutgoingMail.select().where(requested).order_by(OutgoingMail.id).limit(limit))


def claim_request(mail_id: str) -> bool:
    """Take a request off the list; False when another worker was faster."""
    requested = (OutgoingMail.id == mail_id) & (OutgoingMail.status == MailStatus.REQUESTED)
    return bool(OutgoingMail.delete().where(requested).execute())


def users_with_digest(now: datetime) -> list[str]:
    """List who has a digest to get."""
    due = (OutgoingMail.status == MailStatus.FOR_DIGEST) & (OutgoingMail.due_at <= now)
    return [str(row.user_id) for row in OutgoingMail.select(OutgoingMail.user).where(due).distinct()]


def take_digest(user_id: str, now: datetime) -> list[OutgoingMail]:
    """Take what is due for somebody's digest, oldest first; each goes into one digest only."""
    due = (
        (OutgoingMail.user == user_id)
        & (OutgoingMail.status == MailStatus.FOR_DIGEST)
        & (OutgoingMail.due_at <= now)
    )
    rows = OutgoingMail.select().where(due).order_by(OutgoingMail.id)
    ended = _end(MailStatus.DROPPED, now)
    return [row for row in rows if _update((OutgoingMail.id == row.id) & due, **ended, facts={})]


def forget_old(now: datetime) -> None:
    """Remove mail that was sent or dropped a week ago, and what failed a month ago."""
    is_old = OutgoingMail.finished_at < now - limits.MAIL_SENT_KEPT
    OutgoingMail.delete().where(OutgoingMail.status.in_(_ENDED) & is_old).execute()
    OutgoingMail.delete().where(OutgoingMail.finished_at < now - limits.MAIL_FAILED_KEPT).execute()


def delete_about(user_id: str, email: str, name: str) -> int:
    """Delete mail and preferences of an account, and mail to others that names it; return how many mails.

    A digest loses the lines that name it, and goes when nothing is left.

    Decision: G876, G880.
    """
    MailPreference.delete().where(MailPreference.user == user_id).execute()
    to_them = (OutgoingMail.user == user_id) | (OutgoingMail.address == email)
    deleted = int(OutgoingMail.delete().where(to_them).execute())
    may_name = OutgoingMail.facts.contains(email) | OutgoingMail.facts.contains(name)
    for mail in OutgoingMail.select().where(may_name):
        left = _without_person(mail.facts, email, name)
        if left is None:
            deleted += int(OutgoingMail.delete().where(OutgoingMail.id == mail.id).execute())
        else:
            _update(OutgoingMail.id == mail.id, facts=left)
    return deleted


def _without_person(facts: Mapping[str, object], email: str, name: str) -> dict[str, object] | None:
    """Return the facts of a mail without a person; None when nothing else is in them."""
    items = facts.get("items")
    parts = items if isinstance(items, list) else [facts]
    left = [part for part in parts if not mentions_email(part, [email]) and not mentions_name(part, name)]
    if not left:
        return None
    if not isinstance(items, list):
        return dict(facts)
    total = facts.get("total")
    gone = len(parts) - len(left)
    return {**facts, "items": left, "total": total - gone if isinstance(total, int) else len(left)}


def ending_links(now: datetime) -> list[DeliveryLink]:
    """List the open links of released deliveries that end soon and were made to live longer, with orders.

    Decision: G841.
    """
    soon = limits.LINK_ENDS_SOON
    ends_soon = (DeliveryLink.expires_at > now) & (DeliveryLink.expires_at <= now + soon)
    links = (
        DeliveryLink.select(DeliveryLink, Order)
        .join(Order)
        .where(
            ends_soon & DeliveryLink.revoked_at.is_null() & Order.sequencing_files_published_at.is_null(False)
        )
        .order_by(DeliveryLink.id)
    )
    return [link for link in links if link.expires_at - link.created_at > soon]


def subject_of_ticket(ticket_id: str) -> str:
    """Return what a ticket is about; empty when it is gone."""
    found = Ticket.get_or_none(Ticket.id == ticket_id)
    return "" if found is None else found.subject


def starter_of_run(run_id: str) -> str | None:
    """Return who made a run; None when it is gone."""
    run = PipelineRun.get_or_none(PipelineRun.id == run_id)
    return None if run is None else run.user_id
