"""Queries on invites."""

from datetime import datetime

from peewee import JOIN, Expression

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.owned_rows import in_reach
from seqfacility_instance.tables.people import AdminInvite, User


def list_invites(caller: SignedIn) -> list[AdminInvite]:
    """List the invites that exist for `caller`, newest first, with maker and user. Decision: G31."""
    maker, guest = User.alias("maker"), User.alias("guest")
    return list(
        AdminInvite.select(AdminInvite, maker, guest)
        .join_from(AdminInvite, maker, on=AdminInvite.created_by)
        .join_from(AdminInvite, guest, JOIN.LEFT_OUTER, on=AdminInvite.used_by)
        .where(in_reach(caller, AdminInvite.created_by))
        .order_by(AdminInvite.created_at.desc(), AdminInvite.id.desc())
    )


def find_invite(invite_id: str) -> AdminInvite | None:
    """Find an invite by id."""
    return AdminInvite.get_or_none(AdminInvite.id == invite_id)


def find_open_invite(code_hash: str, email: str | None, now: datetime) -> AdminInvite | None:
    """Find an invite that is neither used nor expired, nor bound to another e-mail. Decision: G30."""
    return AdminInvite.get_or_none((AdminInvite.code_hash == code_hash) & _is_open(email, now))


def insert_invite(
    code_hash: str, code_ending: str, email: str | None, creator_id: str, now: datetime, expires_at: datetime
) -> AdminInvite:
    """Keep an invite, by the hash of its code. Decision: G31."""
    return AdminInvite.create(
        code_hash=code_hash,
        code_ending=code_ending,
        email=email,
        expires_at=expires_at,
        created_by=creator_id,
        created_at=now,
    )


def claim_invite(invite_id: str, email: str, user_id: str, now: datetime) -> bool:
    """Use an invite for an account; False when somebody else used it first. Decision: G30."""
    changed: int = (
        AdminInvite.update(used_at=now, used_by=user_id)
        .where((AdminInvite.id == invite_id) & _is_open(email, now))
        .execute()
    )
    return changed == 1


def erase_email(email: str) -> int:
    """Delete the unused invites for an e-mail, and take it out of used ones; return how many there were.

    WHY: without its e-mail an unused invite would let anybody in.

    Decision: G876.
    """
    is_unused = AdminInvite.used_at.is_null()
    deleted = AdminInvite.delete().where((AdminInvite.email == email) & is_unused).execute()
    return int(deleted + AdminInvite.update(email=None).where(AdminInvite.email == email).execute())


def claim_deletion(invite_id: str) -> bool:
    """Delete an invite unless it was used; False when it was. Decision: G31."""
    removed: int = (
        AdminInvite.delete().where((AdminInvite.id == invite_id) & AdminInvite.used_at.is_null()).execute()
    )
    return removed == 1


def _is_open(email: str | None, now: datetime) -> Expression:
    is_open: Expression = AdminInvite.used_at.is_null() & (AdminInvite.expires_at > now)
    if email is None:
        return is_open
    return is_open & (AdminInvite.email.is_null() | (AdminInvite.email == email))
