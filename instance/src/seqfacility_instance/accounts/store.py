"""Queries on accounts and reset links."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from peewee import JOIN, Expression, Field, Function, IntegrityError, ModelSelect, Ordering, fn
from seqfacility_wire.paging import Page

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.owned_rows import in_reach
from seqfacility_instance.access.token_rows import machine_accounts
from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.people import AccountSort, AccountState, Role
from seqfacility_instance.tables.base import locked
from seqfacility_instance.tables.people import Department, PasswordResetLink, User


def find_user_by_email(email: str) -> User | None:
    """Find an account of a person by its normalized e-mail."""
    return User.get_or_none((User.email == email) & _is_person())


def find_user(user_id: str) -> User | None:
    """Find an account by id, with its department."""
    found: User | None = _with_departments().where(User.id == user_id).first()
    return found


def find_user_in_reach(caller: SignedIn, user_id: str) -> User | None:
    """Find an account that exists for `caller`, with its department. Decision: G246, G283."""
    is_there = (User.id == user_id) & in_reach(caller, User.id) & _is_person()
    found: User | None = _with_departments().where(is_there).first()
    return found


@dataclass(frozen=True, slots=True)
class AccountFilter:
    """Filter and order of a list of accounts; an unknown role, state or department matches nothing.

    Decision: G33, G410, G1085.
    """

    role: str | None = None
    text: str | None = None
    department_id: str | None = None
    state: str | None = None
    sort: AccountSort = AccountSort.NEWEST


def list_users(caller: SignedIn, wanted: AccountFilter, page: Page) -> tuple[list[User], int]:
    """List the accounts that exist for `caller`, and count them all. Decision: G16, G33, G1085."""
    condition = in_reach(caller, User.id) & _is_person()
    if wanted.state is not None:
        if wanted.state not in set(AccountState):
            return [], 0
        condition &= _has_state(AccountState(wanted.state))
    if wanted.role is not None:
        if wanted.role not in set(Role):
            return [], 0
        condition &= User.role == Role(wanted.role)
    if wanted.department_id is not None:
        condition &= User.department == wanted.department_id
    if wanted.text is not None:
        whole_name = User.first_name.concat(" ").concat(User.last_name)
        condition &= User.email.contains(wanted.text) | whole_name.contains(wanted.text)
    total: int = User.select().where(condition).count()
    found = _with_departments().where(condition).order_by(*_ordering(wanted.sort))
    return list(found.limit(page.limit).offset(page.offset)), total


def _has_state(state: AccountState) -> Expression:
    """Return the condition of a state; an account that waits for approval is in no other. Decision: G410."""
    if state is AccountState.WAITING:
        return User.pending_since.is_null(False)
    is_decided = User.pending_since.is_null()
    return is_decided & User.is_active if state is AccountState.ACTIVE else is_decided & ~User.is_active


def _ordering(sort: AccountSort) -> list[Ordering]:
    """Return the columns to sort by, the id last, so that pages are stable.

    Accounts that never signed in count as seen before all others.
    """
    columns_by_key: dict[str, tuple[Field | Function, ...]] = {
        "created": (User.created_at,),
        "name": (fn.LOWER(User.last_name), fn.LOWER(User.first_name)),
        "seen": (User.last_sign_in_at,),
    }
    columns = (*columns_by_key[sort.removeprefix("-")], User.id)
    if sort.startswith("-"):
        return [column.desc(nulls="last") for column in columns]
    return [column.asc(nulls="first") for column in columns]


def list_accounts() -> list[User]:
    """List all accounts by e-mail, without those of the demo. Decision: G472."""
    return list(_with_departments().where(~User.is_demo & _is_person()).order_by(User.email))


def count_researchers() -> tuple[int, int]:
    """Count the active researchers and the registrations that wait for approval, without the demo's."""
    researchers = User.select().where((User.role == Role.RESEARCHER) & ~User.is_demo & _is_person())
    waiting = researchers.where(User.pending_since.is_null(False))
    return researchers.where(User.is_active).count(), waiting.count()


def _is_person() -> Expression:
    """Machines are looked after elsewhere; nobody is to activate their accounts. Decision: G804."""
    return User.id.not_in(machine_accounts())


def _with_departments() -> "ModelSelect[User]":
    return User.select(User, Department).join(Department, JOIN.LEFT_OUTER, on=User.department)


def insert_user(columns: Mapping[str, object], now: datetime) -> User | None:
    """Make an account; None when the e-mail is taken, also by a simultaneous request.

    Stands at the end of a transaction that is given up when the answer is None.
    """
    user = User(**columns, created_at=now, updated_at=now)
    try:
        user.save(force_insert=True)
    except IntegrityError:
        return None
    return user


def update_user(user_id: str, columns: Mapping[str, object], now: datetime) -> None:
    """Change columns of an account."""
    User.update(**columns, updated_at=now).where(User.id == user_id).execute()


def delete_demo_user(user_id: str) -> None:
    """Delete an account of the demo. Decision: G33, G246."""
    User.delete().where((User.id == user_id) & User.is_demo).execute()


def claim_declined(user_id: str) -> bool:
    """Delete an account that waits for approval; False when it does no longer. Decision: G410."""
    removed: int = User.delete().where((User.id == user_id) & User.pending_since.is_null(False)).execute()
    return removed == 1


def lock_signing_in(user_id: str, password_hash: str | None = None) -> User | None:
    """Find an active account again, with the hash that a password was right for, and keep it as it is.

    Whoever ends all sessions of an account changes its row first, so a sign-in comes before or after it.

    Decision: G896.
    """
    is_same = (User.id == user_id) & User.is_active
    if password_hash is not None:
        is_same &= User.password_hash == password_hash
    found: User | None = locked(User.select().where(is_same), lets_refer=True).first()
    return found


def note_sign_in(user_id: str, now: datetime, renewed_hash: str | None) -> None:
    """Note a sign-in, with a renewed hash when the old one was outdated. Decision: G28, G33."""
    columns: dict[str, object] = {"last_sign_in_at": now}
    if renewed_hash is not None:
        columns["password_hash"] = renewed_hash
    User.update(**columns).where(User.id == user_id).execute()


def claim_password(user_id: str, old_hash: str, new_hash: str, now: datetime) -> bool:
    """Replace a password hash unless another request replaced it first. Decision: G28, G35."""
    changed: int = (
        User.update(password_hash=new_hash, must_change_password=False, updated_at=now)
        .where((User.id == user_id) & (User.password_hash == old_hash))
        .execute()
    )
    return changed == 1


def has_active_admin() -> bool:
    """Return whether anybody can administer the facility. Decision: G38."""
    return _active_admins().exists()


def lock_active_admins() -> set[str]:
    """Name the active facility admins and keep them as they are until the end of the transaction.

    Two admins who take each other's role away are thereby answered one after the other.

    Decision: G269.
    """
    return {admin.id for admin in locked(_active_admins().order_by(User.id))}


def _active_admins() -> "ModelSelect[User]":
    is_admin = (User.role == Role.FACILITY_ADMIN) & User.is_active & ~User.is_demo
    return User.select(User.id).where(is_admin)


def has_unchanged_password() -> bool:
    """Return whether an account still has the password that `init` made. Decision: G35, G38."""
    return User.select().where(User.must_change_password).exists()


def insert_reset_link(
    token_hash: str, user_id: str, admin_id: str | None, now: datetime, expires_at: datetime
) -> None:
    """Keep a reset link, by the hash of its token. Decision: G33."""
    PasswordResetLink.insert(
        token_hash=token_hash, user=user_id, created_by=admin_id, created_at=now, expires_at=expires_at
    ).execute()


def find_user_of_link(token_hash: str, now: datetime) -> User | None:
    """Find the active account that an unused, unexpired reset link belongs to. Decision: G33."""
    found: User | None = (
        User.select()
        .join(PasswordResetLink, on=PasswordResetLink.user)
        .where(_is_open(token_hash, now) & User.is_active)
        .first()
    )
    return found


def claim_reset_link(token_hash: str, now: datetime) -> bool:
    """Use a reset link; False when it was used or expired meanwhile. Decision: G33."""
    changed: int = PasswordResetLink.update(used_at=now).where(_is_open(token_hash, now)).execute()
    return changed == 1


def delete_reset_links(user_id: str) -> int:
    """Delete the reset links of an account; return how many there were. Decision: G876."""
    return int(PasswordResetLink.delete().where(PasswordResetLink.user == user_id).execute())


def end_reset_links(user_id: str, now: datetime) -> None:
    """Make every unused reset link of an account useless."""
    is_unused = (PasswordResetLink.user == user_id) & PasswordResetLink.used_at.is_null()
    PasswordResetLink.update(used_at=now).where(is_unused).execute()


def end_requested_links(user_id: str, now: datetime) -> None:
    """Make the unused reset links useless that no admin has made. Decision: G834."""
    is_unused = (PasswordResetLink.user == user_id) & PasswordResetLink.used_at.is_null()
    requested = is_unused & PasswordResetLink.created_by.is_null()
    PasswordResetLink.update(used_at=now).where(requested).execute()


def forget_reset_links(now: datetime) -> bool:
    """Remove the reset links that ended long ago; True when there were any. Decision: G834."""
    is_old = PasswordResetLink.expires_at < now - limits.RESET_LINK_KEPT
    return bool(PasswordResetLink.delete().where(is_old).execute())


def _is_open(token_hash: str, now: datetime) -> Expression:
    return (
        (PasswordResetLink.token_hash == token_hash)
        & PasswordResetLink.used_at.is_null()
        & (PasswordResetLink.expires_at > now)
    )
