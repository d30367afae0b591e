"""What of a catalog is shown, when a remote one is an update, and how the two are merged."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urljoin, urlsplit

from seqfacility_instance.catalog.document import Catalog, Item
from seqfacility_instance.catalog.errors import SyncUrlInvalid
from seqfacility_instance.core.vocabulary.catalog import CatalogCollection

_HIDES_COMING_SOON: Final = frozenset({CatalogCollection.TECHNOLOGIES, CatalogCollection.DEVICES})
_UNFILTERED: Final = frozenset({CatalogCollection.BARCODE_SCHEMES, CatalogCollection.BARCODE_SETS})
_ASSETS: Final = ("icon", "image")
CATALOG_STALE: Final = timedelta(days=90)
_KIT_BARCODING: Final = ("kitKind", "basecallerKitName", "barcoding")


@dataclass(frozen=True, slots=True)
class CollectionChange:
    """Which items of a collection a merge adds and changes, by id. Decision: G224.

    `kept` are those that differ in an older remote catalog and therefore stay as they are (G444).
    """

    added: tuple[str, ...]
    changed: tuple[str, ...]
    kept: tuple[str, ...] = ()


def shown(catalog: Catalog) -> dict[str, list[Item]]:
    """Return what the local read serves: what is available, each collection in its order.

    `comingSoon` hides a technology or a device. Items without an order come last, equal ones keep theirs.

    Spec: registry, Instance: local catalog read. Decision: G229.
    """
    return {collection.value: _shown_items(catalog, collection) for collection in CatalogCollection}


def _shown_items(catalog: Catalog, collection: CatalogCollection) -> list[Item]:
    items = catalog.items(collection)
    if collection in _UNFILTERED:
        return list(items)
    hides_coming_soon = collection in _HIDES_COMING_SOON
    included = [
        item
        for item in items
        if item.get("available") is True and not (hides_coming_soon and item.get("comingSoon"))
    ]
    return sorted(included, key=_display_order)


def _display_order(item: Item) -> tuple[bool, float]:
    order = item.get("order")
    if isinstance(order, bool) or not isinstance(order, int | float):
        return True, 0
    return False, order


def is_update(local: Catalog, remote: Catalog) -> bool:
    """Return whether a remote catalog brings something: a higher version, new items, or barcoding of a kit.

    Spec: registry, Sync behaviour 2. Decision: G227.
    """
    if remote.version > local.version:
        return True
    if any(
        remote.by_id(collection).keys() - local.by_id(collection).keys() for collection in CatalogCollection
    ):
        return True
    kits = local.by_id(CatalogCollection.KITS)
    return any(
        _adds_barcoding(kits[kit_id], kit)
        for kit_id, kit in remote.by_id(CatalogCollection.KITS).items()
        if kit_id in kits
    )


def _adds_barcoding(local: Item, remote: Item) -> bool:
    """Return whether a merge would give the kit barcoding metadata that it lacks.

    The fields of a kit with local overrides win as a whole, so there only missing ones count: else the
    update would be announced for ever.

    Decision: G227, G308.
    """
    if any(key in remote and key not in local for key in _KIT_BARCODING):
        return True
    if local.get("localOverrides") is True:
        return False
    here, there = local.get("barcoding"), remote.get("barcoding")
    if not isinstance(there, Mapping):
        return False
    if not isinstance(here, Mapping):
        return True
    return any(key not in here for key in there) or _kit_count(there) > _kit_count(here)


def _kit_count(barcoding: Mapping[str, object]) -> int:
    kits = barcoding.get("compatibleBarcodeKits")
    return len(kits) if isinstance(kits, list) else 0


def is_stale(synced_at: datetime | None, now: datetime) -> bool:
    """Return whether the last sync is too long ago; a catalog without a sync is not stale. Decision: G543."""
    return synced_at is not None and synced_at < now - CATALOG_STALE


def merged(local: Catalog, remote: Catalog) -> Catalog:
    """Merge a remote catalog into the local one, item by item; nothing is deleted.

    The version is the remote one, even when it is lower. An older catalog only adds: items, and barcoding
    that a kit lacks.

    Spec: registry, Sync behaviour 3, 4. Decision: G227, G285, G444.
    """
    merge = completed_item if remote.version < local.version else merged_item
    return Catalog(
        remote.version,
        {
            collection: tuple(_merged_items(local.by_id(collection), remote.by_id(collection), merge))
            for collection in CatalogCollection
        },
    )


def _merged_items(
    local: Mapping[str, Item], remote: Mapping[str, Item], merge: Callable[[Item, Item], Item]
) -> Iterable[Item]:
    for item_id, item in local.items():
        yield merge(item, remote[item_id]) if item_id in remote else item
    yield from (item for item_id, item in remote.items() if item_id not in local)


def merged_item(local: Item, remote: Item) -> Item:
    """Merge one item: with local overrides the local fields win, else the remote item, `available` apart.

    Spec: registry, Sync behaviour 3. Decision: G227, G285.
    """
    if local.get("localOverrides") is True:
        return {**remote, **local}
    return {**remote, "available": local["available"]} if "available" in local else remote


def completed_item(local: Item, remote: Item) -> Item:
    """Return a local item with the barcoding that it lacks and an older remote one has. Decision: G444."""
    if not _adds_barcoding(local, remote):
        return local
    barcoding = {key: remote[key] for key in _KIT_BARCODING if key in remote}
    return {**barcoding, **local} if local.get("localOverrides") is True else {**local, **barcoding}


def changes(local: Catalog, remote: Catalog) -> dict[CatalogCollection, CollectionChange]:
    """Return what a merge adds, changes and, from an older catalog, leaves out. Decision: G224, G444."""
    result = merged(local, remote)
    found = {}
    for collection in CatalogCollection:
        before, after = local.by_id(collection), result.by_id(collection)
        there = remote.by_id(collection)
        found[collection] = CollectionChange(
            added=tuple(item_id for item_id in after if item_id not in before),
            changed=tuple(item_id for item_id in before if after[item_id] != before[item_id]),
            kept=tuple(
                item_id
                for item_id in before
                if remote.version < local.version
                and item_id in there
                and merged_item(before[item_id], there[item_id]) != after[item_id]
            ),
        )
    return found


def with_absolute_assets(catalog: Catalog, sync_url: str) -> Catalog:
    """Resolve relative icons and images against the origin of the sync address; absolute ones stay.

    Spec: registry, Catalog sync source. Decision: G227.
    """
    parts = urlsplit(sync_url)
    origin = f"{parts.scheme}://{parts.netloc}/"
    return Catalog(
        catalog.version,
        {
            collection: tuple(_with_absolute_assets(item, origin) for item in items)
            for collection, items in catalog.collections.items()
        },
    )


def _with_absolute_assets(item: Item, origin: str) -> Item:
    assets = {key: item[key] for key in _ASSETS if isinstance(item.get(key), str) and item[key]}
    return (
        {**item, **{key: _absolute(origin, str(asset)) for key, asset in assets.items()}} if assets else item
    )


def _absolute(origin: str, asset: str) -> str:
    try:
        return urljoin(origin, asset)
    except ValueError:
        return asset


def is_http_url(text: object) -> bool:
    if not isinstance(text, str) or len(text) > 2048 or not text.isascii() or any(c.isspace() for c in text):
        return False
    try:
        parts = urlsplit(text)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def optional_sync_url(value: object) -> str | None:
    """Read an address that may be synced from, None for `null` or `""`; raises `SyncUrlInvalid`.

    Spec: registry, Errors: admin save. Decision: G223.
    """
    if value is None or value == "":
        return None
    if not is_http_url(value):
        raise SyncUrlInvalid
    return str(value)


def item_problems(body: Mapping[str, object]) -> list[str]:
    """List what keeps a configuration from being saved: each item is an object with an id of its own.

    Decision: G223.
    """
    problems = []
    for collection in CatalogCollection:
        items = body.get(collection.value)
        seen: set[str] = set()
        for position, item in enumerate(items if isinstance(items, list) else []):
            place = f"{collection.value}[{position}]"
            if not isinstance(item, dict):
                problems.append(f"{place}: must be an object")
            elif not isinstance(item.get("id"), str) or not item["id"]:
                problems.append(f"{place}.id: must be a string")
            elif item["id"] in seen:
                problems.append(f"{place}.id: is used more than once")
            else:
                seen.add(item["id"])
    return problems


def named_selection(catalog: Catalog, selection: Mapping[str, object]) -> dict[str, object]:
    """Return a selection with the catalog's names, so that later changes do not alter the order.

    What the catalog does not know stays as it was sent.

    Decision: G231, G307.
    """
    technology = catalog.by_id(CatalogCollection.TECHNOLOGIES).get(str(selection.get("technologyId")))
    device = catalog.by_id(CatalogCollection.DEVICES).get(str(selection.get("deviceId")))
    named = dict(selection)
    if technology is not None:
        named["technologyName"] = technology.get("name")
        copied = ("platformFamily", "readLengthClass", "supportedReadLayouts")
        named |= {key: technology[key] for key in copied if key in technology}
    if device is not None:
        named["deviceName"] = device.get("name")
    return {"supportedReadLayouts": [], "softwareIds": [], **named}


def selection_problem(catalog: Catalog, selection: Mapping[str, object]) -> str | None:
    """Return why a selection does not fit the catalog; None when it does, or without a catalog.

    Decision: G307.
    """
    technologies = catalog.by_id(CatalogCollection.TECHNOLOGIES)
    technology_id = selection.get("technologyId")
    if not technologies or technology_id is None or technology_id in technologies:
        return None
    return "technologyId is not in the catalog"
