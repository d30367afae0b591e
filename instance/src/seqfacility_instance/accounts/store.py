"""Queries on accounts."""

from datetime import datetime

from peewee import IntegrityError

from seqfacility_instance.core.vocabulary import Role
from seqfacility_instance.tables import User


def find_user_by_email(email: str) -> User | None:
    """Find an account by its normalized e-mail."""
    return User.get_or_none(User.email == email)


def find_user(user_id: str) -> User | None:
    """Find an account by id."""
    return User.get_or_none(User.id == user_id)


def insert_user(
    *,
    email: str,
    password_hash: str,
    first_name: str,
    last_name: str,
    role: Role,
    now: datetime,
    must_change_password: bool = False,
) -> User | None:
    """Make an account; None when the e-mail is taken, also by a simultaneous request."""
    user = User(
        email=email,
        password_hash=password_hash,
        first_name=first_name,
        last_name=last_name,
        role=role,
        must_change_password=must_change_password,
        created_at=now,
        updated_at=now,
    )
    try:
        user.save(force_insert=True)
    except IntegrityError:
        return None
    return user


def note_sign_in(user_id: str, now: datetime, renewed_hash: str | None) -> None:
    """Note a sign-in, with a renewed hash when the old one was outdated. Gap: G28, G33."""
    columns: dict[str, object] = {"last_sign_in_at": now}
    if renewed_hash is not None:
        columns["password_hash"] = renewed_hash
    User.update(**columns).where(User.id == user_id).execute()


def claim_password(user_id: str, old_hash: str, new_hash: str, now: datetime) -> bool:
    """Replace a password hash unless another request replaced it first. Gap: G28, G35."""
    changed: int = (
        User.update(password_hash=new_hash, must_change_password=False, updated_at=now)
        .where((User.id == user_id) & (User.password_hash == old_hash))
        .execute()
    )
    return changed == 1


def has_active_admin() -> bool:
    """Tell whether anybody can administer the facility. Gap: G38."""
    return User.select().where((User.role == Role.FACILITY_ADMIN) & User.is_active & ~User.is_demo).exists()


def has_unchanged_password() -> bool:
    """Tell whether an account still has the password that `init` made. Gap: G35, G38."""
    return User.select().where(User.must_change_password).exists()
