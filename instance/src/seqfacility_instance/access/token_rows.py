"""Queries on API tokens and machines."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from peewee import Expression, ModelSelect

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.owned_rows import in_reach
from seqfacility_instance.access.sessions import token_hash
from seqfacility_instance.access.token_text import TokenKind, new_token
from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.people import Scope
from seqfacility_instance.tables.base import locked
from seqfacility_instance.tables.people import User
from seqfacility_instance.tables.tokens import ApiToken, Machine


def lock_owner(user_id: str) -> User | None:
    """Find an account that may have tokens, and keep it as it is until the end of the transaction.

    A token that is made while its owner is deactivated is thereby refused, or ended with the others.
    """
    may_own = (User.id == user_id) & User.is_active & ~User.is_demo
    found: User | None = locked(User.select().where(may_own), lets_refer=True).first()
    return found


def list_tokens(user_id: str) -> list[ApiToken]:
    """List the tokens of an account, newest first; expired ones for a while. Decision: G802."""
    newest_first = (ApiToken.created_at.desc(), ApiToken.id.desc())
    return list(ApiToken.select().where(ApiToken.user == user_id).order_by(*newest_first))


def count_open(user_id: str, now: datetime) -> int:
    """Count the tokens of an account that have not expired."""
    counted: int = ApiToken.select().where((ApiToken.user == user_id) & (ApiToken.expires_at > now)).count()
    return counted


def insert_token(
    user_id: str, kind: TokenKind, name: str, scopes: Collection[Scope], days: int, now: datetime
) -> tuple[ApiToken, str]:
    """Keep a new token by the hash of its text, and give both; its scopes in the order of the vocabulary.

    Decision: G800, G802.
    """
    text = new_token(kind)
    row = ApiToken.create(
        token_hash=token_hash(text),
        user=user_id,
        name=name,
        scopes=[scope.value for scope in Scope if scope in scopes],
        created_at=now,
        expires_at=now + timedelta(days=days),
    )
    return row, text


def claim_revoked(user_id: str, token_id: str) -> bool:
    """Revoke a token of an account; False when there is none. Decision: G803."""
    removed: int = ApiToken.delete().where((ApiToken.id == token_id) & (ApiToken.user == user_id)).execute()
    return removed == 1


def end_tokens(user_id: str) -> list[ApiToken]:
    """Revoke every token of an account; returns what they were. Decision: G803."""
    ended = list_tokens(user_id)
    ApiToken.delete().where(ApiToken.user == user_id).execute()
    return ended


def forget_expired(now: datetime) -> bool:
    """Remove tokens of people that expired long ago; True when there were some. Decision: G802."""
    is_old = ApiToken.expires_at <= now - limits.TOKENS_KEPT_EXPIRED
    removed: int = ApiToken.delete().where(is_old & ApiToken.user.not_in(machine_accounts())).execute()
    return removed > 0


def machine_accounts() -> "ModelSelect[Machine]":
    """Select the accounts that belong to machines, deleted ones too."""
    return Machine.select(Machine.user)


def is_machine(user_id: str) -> bool:
    """Return whether an account belongs to a machine that is there: nothing else about it says so."""
    return Machine.select().where((Machine.user == user_id) & Machine.deleted_at.is_null()).exists()


def list_machines(caller: SignedIn) -> list[tuple[Machine, ApiToken]]:
    """List the machines that exist for `caller`, newest first, with maker and token. Decision: G804."""
    rows = (
        Machine.select(Machine, ApiToken, User)
        .join_from(Machine, ApiToken, on=(ApiToken.user == Machine.user), attr="token")
        .join_from(Machine, User, on=Machine.created_by)
        .where(Machine.deleted_at.is_null() & in_reach(caller, Machine.created_by))
        .order_by(Machine.created_at.desc(), Machine.id.desc())
    )
    return [(machine, machine.token) for machine in rows]


def count_machines() -> int:
    """Count the machines."""
    counted: int = Machine.select().where(Machine.deleted_at.is_null()).count()
    return counted


def insert_machine(
    user_id: str, name: str, addresses: Sequence[str], creator_id: str, now: datetime
) -> Machine:
    """Keep a new machine. Decision: G804."""
    return Machine.create(
        user=user_id, name=name, addresses=list(addresses), created_by=creator_id, created_at=now
    )


def claim_deleted(machine_id: str, now: datetime) -> Machine | None:
    """Delete a machine and its token; None when somebody else did, or there is none. Decision: G804."""
    is_there: Expression = (Machine.id == machine_id) & Machine.deleted_at.is_null()
    if not Machine.update(deleted_at=now).where(is_there).execute():
        return None
    machine = Machine.get_by_id(machine_id)
    end_tokens(machine.user_id)
    return machine
