"""Queries on notifications; writes their table."""

from collections.abc import Collection, Mapping
from datetime import datetime

from peewee import Expression

from seqfacility_instance.core.ids import new_id
from seqfacility_instance.core.vocabulary.messages import NotificationType
from seqfacility_instance.core.vocabulary.people import Role
from seqfacility_instance.core.vocabulary.site import ModuleId
from seqfacility_instance.facility_settings import store as settings_store
from seqfacility_instance.facility_settings.modules import read_modules
from seqfacility_instance.tables.messages import Notification
from seqfacility_instance.tables.people import User


def notify(
    kind: NotificationType,
    title: str,
    *,
    owner_id: str,
    actor_id: str,
    now: datetime,
    order_id: str | None = None,
    ticket_id: str | None = None,
    pipeline_run_id: str | None = None,
) -> None:
    """Add notifications of what `actor_id` did, in the transaction that does it.

    The owner is notified; of what the owner does, the facility's admins are. Nobody is notified of an act of
    their own, and nobody of anything while the module is off.

    Decision: G319.
    """
    row = settings_store.find_row()
    if row is None or not read_modules(row.modules_config).is_on(ModuleId.NOTIFICATIONS):
        return
    recipients = [owner_id] if owner_id != actor_id else _admins_but(actor_id)
    about = {"order": order_id, "ticket": ticket_id, "pipeline_run": pipeline_run_id}
    _add(recipients, kind, title, now, about)


def notify_admins(kind: NotificationType, title: str, now: datetime) -> None:
    """Add notifications of what nobody here did, for every admin of the facility, whatever the module says.

    Decision: G319, G933, G924.
    """
    _add(_admins_but(None), kind, title, now, {})


def _add(
    recipients: Collection[str],
    kind: NotificationType,
    title: str,
    now: datetime,
    about: Mapping[str, str | None],
) -> None:
    rows = [
        {"id": new_id(), "user": recipient, "type": kind, "title": title, **about, "created_at": now}
        for recipient in recipients
    ]
    if rows:
        Notification.insert_many(rows).execute()


def list_notifications(
    user_id: str, *, unread_only: bool, limit: int, offset: int
) -> tuple[list[Notification], int]:
    """List a user's notifications, newest first, and count them all. Decision: G16, G319."""
    condition = _unread(user_id) if unread_only else Notification.user == user_id
    listed = Notification.select().where(condition)
    newest_first = listed.order_by(Notification.created_at.desc(), Notification.id.desc())
    return list(newest_first.limit(limit).offset(offset)), listed.count()


def count_unread(user_id: str) -> int:
    return int(Notification.select().where(_unread(user_id)).count())


def mark_read(user_id: str, ids: Collection[str] | None, now: datetime) -> None:
    """Mark somebody's own notifications read, all of them for None; the first mark stays. Decision: G319."""
    condition = _unread(user_id)
    if ids is not None:
        condition &= Notification.id.in_(list(ids))
    Notification.update(read_at=now).where(condition).execute()


def delete_about(user_id: str, name: str) -> int:
    """Delete what somebody was told, and what admins were told of their registration; return how many.

    Decision: G876.
    """
    of_registration = (Notification.type == NotificationType.ACCOUNT_PENDING) & Notification.title.contains(
        name
    )
    return int(Notification.delete().where((Notification.user == user_id) | of_registration).execute())


def _unread(user_id: str) -> Expression:
    return (Notification.user == user_id) & Notification.read_at.is_null()


def _admins_but(actor_id: str | None) -> list[str]:
    admins = (User.role == Role.FACILITY_ADMIN) & User.is_active & ~User.is_demo
    return [user.id for user in User.select(User.id).where(admins) if user.id != actor_id]
