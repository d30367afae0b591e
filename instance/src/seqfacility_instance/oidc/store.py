"""Queries on identities, the sessions that came from providers, and what was used once."""

import hashlib
from datetime import datetime

from peewee import Expression, IntegrityError

from seqfacility_instance.tables.people import Department, OidcIdentity, OidcUse, Session, User


def find_identity(issuer: str, subject: str) -> OidcIdentity | None:
    """Find who somebody is here, with the account."""
    is_theirs = (OidcIdentity.issuer == issuer) & (OidcIdentity.subject == subject)
    found: OidcIdentity | None = OidcIdentity.select(OidcIdentity, User).join(User).where(is_theirs).first()
    return found


def is_linked(user_id: str, issuer: str) -> bool:
    """Return whether an account belongs to somebody at this issuer already."""
    linked: bool = (
        OidcIdentity.select().where((OidcIdentity.user == user_id) & (OidcIdentity.issuer == issuer)).exists()
    )
    return linked


def insert_identity(user: User, issuer: str, subject: str, now: datetime) -> OidcIdentity | None:
    """Link an account; None when a simultaneous request was first, then the transaction is given up."""
    identity = OidcIdentity(user=user, issuer=issuer, subject=subject, created_at=now)
    try:
        identity.save(force_insert=True)
    except IntegrityError:
        return None
    return identity


def note_gave_admin(identity_id: str, *, gave_admin: bool) -> None:
    """Note whether the provider made the account an admin. Decision: G825."""
    OidcIdentity.update(gave_admin=gave_admin).where(OidcIdentity.id == identity_id).execute()


def delete_identities(user_id: str) -> int:
    """Unlink an account from every issuer, which ends its sessions from there; return from how many.

    Decision: G829, G876.
    """
    return int(OidcIdentity.delete().where(OidcIdentity.user == user_id).execute())


def find_department(name: str) -> Department | None:
    """Find an active department by its name."""
    found: Department | None = Department.get_or_none((Department.name == name) & Department.is_active)
    return found


def sessions_of(issuer: str, subject: str | None, sid: str | None) -> list[Session]:
    """Find the sessions of a subject, or of one of its sign-ins. Decision: G827."""
    chosen: Expression = OidcIdentity.issuer == issuer
    if subject is not None:
        chosen &= OidcIdentity.subject == subject
    if sid is not None:
        chosen &= Session.sid == sid
    return list(Session.select().join(OidcIdentity).where(chosen))


def claim_use(issuer: str, word: str, expires_at: datetime) -> bool:
    """Use a state or the id of a token; False when it was used before. Decision: G821, G827."""
    used_hash = hashlib.sha256(f"{issuer}\n{word}".encode("utf-8", "surrogateescape")).hexdigest()
    made: int = (
        OidcUse.insert(used_hash=used_hash, expires_at=expires_at)
        .on_conflict_ignore()
        .as_rowcount()
        .execute()
    )
    return bool(made)


def forget_uses(now: datetime) -> bool:
    """Remove what could not be used any more anyway; True when there was some."""
    removed: int = OidcUse.delete().where(OidcUse.expires_at <= now).execute()
    return removed > 0
