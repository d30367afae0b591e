"""Queries on the stored catalog; writes its one row."""

from datetime import datetime

from seqfacility_instance.catalog.document import Catalog
from seqfacility_instance.tables.site import SequencingTechCatalog

ROW_ID = "sequencing-tech"


def find_row() -> SequencingTechCatalog | None:
    """Read the stored catalog; None when none is stored. Decision: G228."""
    return SequencingTechCatalog.get_or_none(SequencingTechCatalog.id == ROW_ID)


def last_synced_at() -> datetime | None:
    """Read when the stored catalog was last fetched; None when none is, or it never was."""
    row = SequencingTechCatalog.select(SequencingTechCatalog.last_synced_at).first()
    return None if row is None else row.last_synced_at


def is_stored() -> bool:
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
