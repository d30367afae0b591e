"""What an admin sees of each stored item beside the item itself."""

from collections.abc import Mapping
from dataclasses import dataclass

from seqfacility_instance.catalog.comparison import as_offered, origin_of
from seqfacility_instance.catalog.document import Catalog, Item
from seqfacility_instance.catalog.images import KEYS, Asset, find_asset
from seqfacility_instance.catalog.rules import shown
from seqfacility_instance.core.vocabulary.catalog import CatalogCollection, ItemOrigin


@dataclass(frozen=True, slots=True)
class ItemStanding:
    """Where one stored item comes from, and whether it may be selected. Decision: G1047.

    `offered` is what the registry says of an item that was changed here; `origin` is None as long as
    no sync told what the registry says.
    """

    item_id: str
    origin: ItemOrigin | None
    is_selectable: bool
    offered: Item | None
    image: Asset | None


def standings(
    catalog: Catalog, upstream: Catalog | None, fetched: Mapping[str, Asset]
) -> dict[CatalogCollection, list[ItemStanding]]:
    """Tell of each item, in stored order; `fetched` are the images that are here, by address."""
    selectable = shown(catalog)
    found = {}
    for collection in CatalogCollection:
        listed = {item["id"] for item in selectable[collection.value]}
        there = None if upstream is None else upstream.by_id(collection)
        found[collection] = [
            _standing(item, there, item["id"] in listed, fetched) for item in catalog.items(collection)
        ]
    return found


def _standing(
    item: Item, upstream: Mapping[str, Item] | None, is_selectable: bool, fetched: Mapping[str, Asset]
) -> ItemStanding:
    item_id = str(item["id"])
    offered = None if upstream is None else upstream.get(item_id)
    origin = None if upstream is None else origin_of(item, offered)
    images = (find_asset(item.get(key), fetched) for key in KEYS)
    return ItemStanding(
        item_id,
        origin,
        is_selectable,
        as_offered(item, offered) if offered is not None and origin is ItemOrigin.CHANGED else None,
        next((image for image in images if image is not None), None),
    )
