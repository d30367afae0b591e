"""Named leases: something that one process at a time may do, and whether it failed lately."""

from datetime import datetime, timedelta

from peewee import Expression

from seqfacility_instance.tables.site import NamedLease


def claim_lease(name: str, holder: str, now: datetime, life: timedelta, failure_counts: timedelta) -> bool:
    """Take a lease; False while another holds it, or when it failed less than `failure_counts` ago.

    Decision: G228, G264.
    """
    # WHY: the row has to exist for the conditional update to decide between processes.
    NamedLease.insert(name=name).on_conflict_ignore().execute()
    free = NamedLease.leased_until.is_null() | (NamedLease.leased_until <= now)
    untried = NamedLease.failed_at.is_null() | (NamedLease.failed_at <= now - failure_counts)
    changed: int = (
        NamedLease.update(holder=holder, leased_until=now + life, failed_at=None)
        .where(_named(name) & free & untried)
        .execute()
    )
    return changed == 1


def is_held(name: str, now: datetime) -> bool:
    return NamedLease.select(NamedLease.name).where(_named(name) & (NamedLease.leased_until > now)).exists()


def has_failed_since(name: str, timestamp: datetime) -> bool:
    """Return whether the last holder of a lease could not do its work."""
    return (
        NamedLease.select(NamedLease.name).where(_named(name) & (NamedLease.failed_at > timestamp)).exists()
    )


def release_lease(name: str, holder: str, failed_at: datetime | None) -> None:
    """Release a lease; a failure is recorded with it."""
    NamedLease.update(holder=None, leased_until=None, failed_at=failed_at).where(
        _named(name) & (NamedLease.holder == holder)
    ).execute()


def _named(name: str) -> Expression:
    return NamedLease.name == name
