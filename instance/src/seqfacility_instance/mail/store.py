"""Queries on mail; writes the tables of outgoing mail and of preferences."""

from collections.abc import Collection, Mapping
from datetime import datetime

from peewee import JOIN, Expression

from seqfacility_instance.core import limits
from seqfacility_instance.core.ids import new_id
from seqfacility_instance.core.mentions import mentions_email, mentions_name
from seqfacility_instance.core.vocabulary.mail import MailKind, MailTiming
from seqfacility_instance.core.vocabulary.outgoing import SendingStatus
from seqfacility_instance.core.vocabulary.people import Role
from seqfacility_instance.mail.rules import FOR_ADMINS, default_timing
from seqfacility_instance.outgoing import store as outgoing
from seqfacility_instance.tables.mail import MailPreference, OutgoingMail
from seqfacility_instance.tables.messages import Ticket
from seqfacility_instance.tables.orders import Order
from seqfacility_instance.tables.people import User
from seqfacility_instance.tables.sequencing import DeliveryLink


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


def timings(kind: MailKind, user_ids: Collection[str]) -> dict[str, MailTiming]:
    """Return when those of some accounts who get mail are told of a kind."""
    ids = list(user_ids)
    rows = MailPreference.select().where((MailPreference.kind == kind) & MailPreference.user.in_(ids))
    chosen = {row.user_id: row.timing for row in rows}
    people = User.select(User.id).where(User.id.in_(ids) & _gets_mail())
    return {user.id: chosen.get(user.id, default_timing(kind)) for user in people}


def preferences(user_id: str) -> dict[MailKind, MailTiming]:
    """Return what somebody has chosen."""
    rows = MailPreference.select().where(MailPreference.user == user_id)
    return {row.kind: row.timing for row in rows}


def save_preference(user_id: str, kind: MailKind, timing: MailTiming) -> None:
    MailPreference.insert(user=user_id, kind=kind, timing=timing).on_conflict(
        conflict_target=[MailPreference.user, MailPreference.kind],
        preserve=[MailPreference.timing],
    ).execute()


def list_failed() -> list[OutgoingMail]:
    """List what could not be sent, newest first, with the accounts that it was for."""
    return list(
        OutgoingMail.select(OutgoingMail, User)
        .join(User, JOIN.LEFT_OUTER)
        .where(OutgoingMail.status == SendingStatus.FAILED)
        .order_by(OutgoingMail.finished_at.desc(), OutgoingMail.id.desc())
        .limit(limits.MAIL_LISTED_MAX)
    )


def count_mails(status: SendingStatus) -> int:
    return int(OutgoingMail.select().where(OutgoingMail.status == status).count())


def count_retrying() -> int:
    """Count the mails that wait for another attempt after a failed one."""
    waits = OutgoingMail.status == SendingStatus.WAITING
    has_failed = (OutgoingMail.attempts > 0) & OutgoingMail.last_error.is_null(False)
    return int(OutgoingMail.select().where(waits & has_failed).count())


def list_requests(limit: int) -> list[OutgoingMail]:
    """List the reset links that somebody asked for and nobody has looked at yet, oldest first."""
    requested = OutgoingMail.status == SendingStatus.REQUESTED
    return list(OutgoingMail.select().where(requested).order_by(OutgoingMail.id).limit(limit))


def claim_request(mail_id: str) -> bool:
    """Take a request off the list; False when another worker was faster."""
    requested = (OutgoingMail.id == mail_id) & (OutgoingMail.status == SendingStatus.REQUESTED)
    return bool(OutgoingMail.delete().where(requested).execute())


def queue_digests(now: datetime) -> None:
    """Queue a mail to each who has news of the day to get, once a day."""
    due = (OutgoingMail.status == SendingStatus.FOR_DIGEST) & (OutgoingMail.due_at <= now)
    for news in OutgoingMail.select(OutgoingMail.user).where(due).distinct():
        topic = f"digest:{now:%Y-%m-%d}:{news.user_id}"
        insert_mail(MailKind.DIGEST, now, {"user": news.user_id, "topic": topic})


def facts_of(mail: OutgoingMail) -> dict[str, object]:
    """Return what a mail tells; a digest tells what its reader may still be told, oldest first.

    Decision: G840.
    """
    if mail.kind is not MailKind.DIGEST or mail.user is None:
        return mail.facts
    is_admin = mail.user.role is Role.FACILITY_ADMIN
    is_recent = OutgoingMail.due_at >= mail.created_at - limits.MAIL_LATE
    news = OutgoingMail.select().where(_is_news_for(mail) & is_recent).order_by(OutgoingMail.id)
    shown = [one for one in news if is_admin or one.kind not in FOR_ADMINS]
    items = [{"kind": one.kind.value, "facts": one.facts} for one in shown[: limits.MAIL_DIGEST_MAX]]
    return {"items": items, "total": len(shown)}


def claim_end(mail: OutgoingMail, status: SendingStatus, now: datetime) -> None:
    """Note that a mail is on its way, or that nobody is to get it; its content is forgotten."""
    ended = outgoing.claim_end(mail, status, now, facts={}, sealed=None, last_error=None)
    if ended and mail.kind is MailKind.DIGEST:
        # WHY: the rows stay for a while: by their topics nobody is told of the same again.
        values = {"status": SendingStatus.DROPPED, "finished_at": now, "facts": {}}
        OutgoingMail.update(values).where(_is_news_for(mail)).execute()


def _is_news_for(digest: OutgoingMail) -> Expression:
    is_kept = (OutgoingMail.user == digest.user_id) & (OutgoingMail.status == SendingStatus.FOR_DIGEST)
    is_news: Expression = is_kept & (OutgoingMail.due_at <= digest.created_at)
    return is_news


def forget_old(now: datetime) -> None:
    """Remove mail that was sent or dropped a week ago, and what failed a month ago."""
    has_not_failed = OutgoingMail.status != SendingStatus.FAILED
    outgoing.forget_ended(OutgoingMail, now - limits.MAIL_SENT_KEPT, has_not_failed)
    outgoing.forget_ended(OutgoingMail, now - limits.MAIL_FAILED_KEPT)


def delete_about(user_id: str, email: str, name: str) -> int:
    """Delete mail and preferences of an account, and mail to others that names it; return how many mails.

    Decision: G876, G880.
    """
    MailPreference.delete().where(MailPreference.user == user_id).execute()
    to_them = (OutgoingMail.user == user_id) | (OutgoingMail.address == email)
    may_name = OutgoingMail.facts.contains(email) | OutgoingMail.facts.contains(name)
    # WHY: the pattern also meets an e-mail or a name as a part of a longer one, which is somebody else's.
    named = [
        mail.id
        for mail in OutgoingMail.select().where(may_name)
        if mentions_email(mail.facts, [email]) or mentions_name(mail.facts, name)
    ]
    return int(OutgoingMail.delete().where(to_them | OutgoingMail.id.in_(named)).execute())


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
