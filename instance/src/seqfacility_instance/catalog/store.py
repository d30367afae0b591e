"""Queries on the stored catalog and its images; writes their tables."""

from collections.abc import Collection
from datetime import datetime

from seqfacility_instance.catalog.document import Catalog
from seqfacility_instance.catalog.images import Asset
from seqfacility_instance.tables.site import CatalogImage, SequencingTechCatalog

ROW_ID = "sequencing-tech"


def find_row() -> SequencingTechCatalog | None:
    """Read the stored catalog; None when none is stored. Decision: G228."""
    table = SequencingTechCatalog
    # WHY: without `upstream`, which is as large as the document and seldom needed.
    columns = (table.document, table.version, table.sync_url, table.last_synced_at, table.row_version)
    row: SequencingTechCatalog | None = table.select(*columns).first()
    return row


def find_upstream() -> Catalog | None:
    """Read the registry's own version of its items; None before a sync stored it. Decision: G1047."""
    row = SequencingTechCatalog.select(SequencingTechCatalog.upstream).first()
    return None if row is None or row.upstream is None else Catalog.read(row.upstream)


def last_synced_at() -> datetime | None:
    """Read when the stored catalog was last fetched; None when none is, or it never was."""
    row = SequencingTechCatalog.select(SequencingTechCatalog.last_synced_at).first()
    return None if row is None else row.last_synced_at


def sync_url() -> str | None:
    """Return the configured address to sync from; None for that of the registry."""
    row = SequencingTechCatalog.select(SequencingTechCatalog.sync_url).first()
    return None if row is None else row.sync_url


def is_stored() -> bool:
    return SequencingTechCatalog.select(SequencingTechCatalog.id).exists()


def claim_saved(
    seen_row_version: int | None,
    catalog: Catalog,
    sync_url: str | None,
    last_synced_at: datetime | None,
    now: datetime,
    upstream: Catalog | None = None,
) -> bool:
    """Save the catalog over the row version that was read (None: no row); False when somebody else saved.

    Without `upstream` the stored version of the registry's items stays.
    """
    columns: dict[str, object] = {
        "document": catalog.document(),
        "version": catalog.version,
        "sync_url": sync_url,
        "last_synced_at": last_synced_at,
        "updated_at": now,
    }
    if upstream is not None:
        columns["upstream"] = {"version": upstream.version, **upstream.document()}
    if seen_row_version is None:
        made = SequencingTechCatalog.insert(id=ROW_ID, row_version=1, **columns).on_conflict_ignore()
        return bool(made.as_rowcount().execute())
    changed: int = (
        SequencingTechCatalog.update(row_version=seen_row_version + 1, **columns)
        .where((SequencingTechCatalog.id == ROW_ID) & (SequencingTechCatalog.row_version == seen_row_version))
        .execute()
    )
    return changed == 1


def images_by_address() -> dict[str, Asset]:
    """Return the images that were fetched, without their contents."""
    columns = (CatalogImage.address, CatalogImage.name, CatalogImage.width, CatalogImage.height)
    return {row.address: Asset(row.name, row.width, row.height) for row in CatalogImage.select(*columns)}


def image_times() -> dict[str, datetime]:
    """Return when each image was fetched."""
    return {
        row.address: row.fetched_at
        for row in CatalogImage.select(CatalogImage.address, CatalogImage.fetched_at)
    }


def find_image(name: str) -> str | None:
    """Find the content of an image, in Base64, by the name that it has here."""
    content: str | None = CatalogImage.select(CatalogImage.content).where(CatalogImage.name == name).scalar()
    return content


def save_image(address: str, name: str, size: tuple[int, int], content: str, now: datetime) -> None:
    """Keep an image under its address, in place of an older one."""
    width, height = size
    values = {"name": name, "width": width, "height": height, "content": content}
    values |= {"fetched_at": now, "named_at": now}
    CatalogImage.insert(address=address, **values).on_conflict(
        conflict_target=[CatalogImage.address], update=values
    ).execute()


def note_named(addresses: Collection[str], now: datetime) -> None:
    """Note that the catalog in use names these images; there are few, however large the catalog is."""
    here = [address for address in image_times() if address in addresses]
    CatalogImage.update(named_at=now).where(CatalogImage.address.in_(here)).execute()


def forget_images(before: datetime, most: int) -> None:
    """Remove images that were named last before a time, and of more than `most` those named longest ago."""
    CatalogImage.delete().where(CatalogImage.named_at < before).execute()
    newest_first = (CatalogImage.named_at.desc(), CatalogImage.address)
    named = [row.address for row in CatalogImage.select(CatalogImage.address).order_by(*newest_first)]
    CatalogImage.delete().where(CatalogImage.address.in_(named[most:])).execute()
