"""Queues mail, in the transaction of what it tells of."""

from collections.abc import Collection, Mapping
from datetime import datetime

from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.mail import MailKind, MailTiming
from seqfacility_instance.core.vocabulary.outgoing import SendingStatus
from seqfacility_instance.facility_settings import store as settings_store
from seqfacility_instance.mail import store
from seqfacility_instance.mail.rules import next_digest, shown_time
from seqfacility_instance.tables.people import User


def is_on() -> bool:
    """Return whether the facility has a mail server; without one nothing is queued. Decision: G837."""
    stored = settings_store.stored_section(settings_store.find_row(), "mail")
    return bool(stored.get("host") and stored.get("from"))


def send_always(kind: MailKind, now: datetime, to: User | str) -> None:
    """Queue a mail that nobody can switch off, to an account or an address. Decision: G837."""
    if is_on():
        store.insert_mail(kind, now, _to(to))


def send_secret(kind: MailKind, now: datetime, to: User | str, sealed: str, ends_at: datetime) -> None:
    """Queue a mail whose link holds a secret, encrypted until it is sent, and useless from `ends_at` on."""
    if is_on():
        link = {"sealed": sealed, "facts": {"until": shown_time(ends_at)}, "useful_until": ends_at}
        store.insert_mail(kind, now, {**_to(to), **link})


def _to(person: User | str) -> dict[str, object]:
    return {"address": person} if isinstance(person, str) else {"user": person.id}


def tell(
    kind: MailKind, now: datetime, user_ids: Collection[str], facts: Mapping[str, object], topic: str
) -> None:
    """Queue a mail to each of some accounts as they have chosen, once for each topic.

    Decision: G837, G840.
    """
    if not is_on():
        return
    for user_id, timing in store.timings(kind, user_ids).items():
        values: dict[str, object] = {"user": user_id, "facts": dict(facts), "topic": f"{topic}:{user_id}"}
        if timing is MailTiming.DAILY:
            values |= {"status": SendingStatus.FOR_DIGEST, "due_at": next_digest(now)}
        if timing is not MailTiming.NEVER:
            store.insert_mail(kind, now, values)


def tell_admins(kind: MailKind, now: datetime, facts: Mapping[str, object], topic: str) -> None:
    """Queue a mail to each admin."""
    tell(kind, now, store.list_admins(), facts, topic)


def request_reset(email: str, now: datetime) -> None:
    """Note that somebody wants a reset link; the worker finds out whether there is such an account.

    Decision: G842.
    """
    store.insert_mail(MailKind.PASSWORD_RESET, now, {"address": email, "status": SendingStatus.REQUESTED})


def reset_requests() -> list[tuple[str, str]]:
    """Return the requests that nobody has looked at yet: their ids, and the e-mails that were typed."""
    return [(mail.id, mail.address or "") for mail in store.list_requests(limits.MAIL_LISTED_MAX)]


def claim_reset_request(mail_id: str) -> bool:
    """Take a request off the list; False when another worker was faster."""
    return store.claim_request(mail_id)


def may_get_mail(user_id: str) -> bool:
    """Return whether an account is active, and none of the demo."""
    return store.find_recipient(user_id) is not None
