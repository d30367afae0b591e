"""Queries on authenticator apps and recovery codes."""

from collections.abc import Collection
from datetime import datetime

from peewee import Expression, IntegrityError

from seqfacility_instance.tables.second_factors import RecoveryCode, SecondFactor


def find(user_id: str) -> SecondFactor | None:
    """Find the app of an account, also one that no code has shown yet."""
    return SecondFactor.get_or_none(SecondFactor.user == user_id)


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


def claim_enabled(factor_id: str, counter: int, now: datetime) -> bool:
    """Put an app to use by its first code; False when it was replaced or put to use meanwhile."""
    changed: int = (
        SecondFactor.update(enabled_at=now, last_counter=counter)
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
    _delete_codes(user_id)
    in_use = (SecondFactor.user == user_id) & SecondFactor.enabled_at.is_null(False)
    removed: int = SecondFactor.delete().where(in_use).execute()
    SecondFactor.delete().where(_begun(user_id)).execute()
    return removed == 1


def replace_codes(user_id: str, hashes: Collection[str], now: datetime) -> None:
    """Keep new recovery codes instead of all earlier ones."""
    _delete_codes(user_id)
    rows = [{"user": user_id, "code_hash": code_hash, "created_at": now} for code_hash in hashes]
    RecoveryCode.insert_many(rows).execute()


def claim_code(user_id: str, code_hash: str) -> bool:
    """Use up a recovery code; False when it is none, or was used before. Decision: G816."""
    is_this = (RecoveryCode.user == user_id) & (RecoveryCode.code_hash == code_hash)
    used: int = RecoveryCode.delete().where(is_this).execute()
    return used == 1


def count_codes(user_id: str) -> int:
    """Count the recovery codes that are left."""
    return RecoveryCode.select().where(RecoveryCode.user == user_id).count()


def _begun(user_id: str) -> Expression:
    return (SecondFactor.user == user_id) & SecondFactor.enabled_at.is_null()


def _delete_codes(user_id: str) -> None:
    RecoveryCode.delete().where(RecoveryCode.user == user_id).execute()
