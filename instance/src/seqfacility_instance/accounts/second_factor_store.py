"""Queries on authenticator apps and their recovery codes."""

from collections.abc import Sequence
from datetime import datetime

from peewee import Expression, IntegrityError

from seqfacility_instance.tables.base import locked
from seqfacility_instance.tables.second_factors import SecondFactor


def find(user_id: str) -> SecondFactor | None:
    """Find the app of an account, also one that no code has shown yet."""
    return SecondFactor.get_or_none(SecondFactor.user == user_id)


def lock(user_id: str) -> SecondFactor | None:
    """Find the app of an account and keep it as it is until the end of the transaction.

    Of two requests with one recovery code the second so finds it used.
    """
    found: SecondFactor | None = locked(SecondFactor.select().where(SecondFactor.user == user_id)).first()
    return found


def replace_begun(user_id: str, sealed_secret: str, now: datetime) -> bool:
    """Keep a new secret instead of one that no code has shown; False when one is in use.

    Stands at the end of a transaction that is given up when the answer is False.
    """
    SecondFactor.delete().where(_begun(user_id)).execute()
    try:
        SecondFactor.insert(user=user_id, sealed_secret=sealed_secret, created_at=now).execute()
    except IntegrityError:
        return False
    return True


def claim_enabled(factor_id: str, counter: int, hashes: Sequence[str], now: datetime) -> bool:
    """Put an app to use by its first code; False when it was replaced or put to use meanwhile."""
    changed: int = (
        SecondFactor.update(enabled_at=now, last_counter=counter, recovery_hashes=hashes)
        .where((SecondFactor.id == factor_id) & SecondFactor.enabled_at.is_null())
        .execute()
    )
    return changed == 1


def claim_counter(factor_id: str, counter: int) -> bool:
    """Take a code of an app; False when it, or a later one, was taken before. Decision: G815."""
    changed: int = (
        SecondFactor.update(last_counter=counter)
        .where((SecondFactor.id == factor_id) & (SecondFactor.last_counter < counter))
        .execute()
    )
    return changed == 1


def claim_removed(user_id: str) -> bool:
    """Remove the app of an account with its recovery codes; False when there was none in use."""
    in_use = (SecondFactor.user == user_id) & SecondFactor.enabled_at.is_null(False)
    removed: int = SecondFactor.delete().where(in_use).execute()
    SecondFactor.delete().where(_begun(user_id)).execute()
    return removed == 1


def keep_codes(factor_id: str, left: Sequence[str]) -> None:
    """Keep the recovery codes that are left of a locked app. Decision: G816."""
    SecondFactor.update(recovery_hashes=left).where(SecondFactor.id == factor_id).execute()


def _begun(user_id: str) -> Expression:
    return (SecondFactor.user == user_id) & SecondFactor.enabled_at.is_null()
