"""Queries on the stored catalog; writes its one row, and the lease of its first fetch."""

from datetime import datetime, timedelta

from peewee import Expression

from seqfacility_instance.catalog.document import Catalog
from seqfacility_instance.tables import NamedLease, SequencingTechCatalog

ROW_ID = "sequencing-tech"
FETCH_LEASE = "catalog-first-fetch"


def find_row() -> SequencingTechCatalog | None:
    """Read the stored catalog; None when none is stored. Gap: G228."""
    return SequencingTechCatalog.get_or_none(SequencingTechCatalog.id == ROW_ID)


def is_stored() -> bool:
    """Tell whether a catalog is stored, without reading it."""
    return SequencingTechCatalog.select(SequencingTechCatalog.id).exists()


def claim_saved(
    seen_row_version: int | None,
    catalog: Catalog,
    sync_url: str | None,
    last_synced_at: datetime | None,
    now: datetime,
) -> bool:
    """Save the catalog over the row version that was read (None: no row); False when somebody else saved."""
    columns: dict[str, object] = {
        "document": catalog.document(),
        "version": catalog.version,
        "sync_url": sync_url,
        "last_synced_at": last_synced_at,
        "updated_at": now,
    }
    if seen_row_version is None:
        made = SequencingTechCatalog.insert(id=ROW_ID, row_version=1, **columns).on_conflict_ignore()
        return bool(made.as_rowcount().execute())
    changed: int = (
        SequencingTechCatalog.update(row_version=seen_row_version + 1, **columns)
        .where((SequencingTechCatalog.id == ROW_ID) & (SequencingTechCatalog.row_version == seen_row_version))
        .execute()
    )
    return changed == 1


def claim_first_fetch(holder: str, now: datetime, life: timedelta, failure_counts: timedelta) -> bool:
    """Take the right to fetch; False while another holds it, or shortly after a failure. Gap: G228."""
    NamedLease.insert(name=FETCH_LEASE).on_conflict_ignore().execute()
    free = NamedLease.leased_until.is_null() | (NamedLease.leased_until <= now)
    changed: int = (
        NamedLease.update(holder=holder, leased_until=now + life, failed_at=None)
        .where(_lease() & free & _has_no_failure_since(now - failure_counts))
        .execute()
    )
    return changed == 1


def has_failed_since(moment: datetime) -> bool:
    """Tell whether the first fetch failed lately."""
    return NamedLease.select(NamedLease.name).where(_lease() & (NamedLease.failed_at > moment)).exists()


def is_being_fetched(now: datetime) -> bool:
    """Tell whether somebody fetches right now."""
    return NamedLease.select(NamedLease.name).where(_lease() & (NamedLease.leased_until > now)).exists()


def release_first_fetch(holder: str, failed_at: datetime | None) -> None:
    """Give the right back, remembering a failure."""
    NamedLease.update(holder=None, leased_until=None, failed_at=failed_at).where(
        _lease() & (NamedLease.holder == holder)
    ).execute()


def _lease() -> Expression:
    return NamedLease.name == FETCH_LEASE


def _has_no_failure_since(moment: datetime) -> Expression:
    return NamedLease.failed_at.is_null() | (NamedLease.failed_at <= moment)
