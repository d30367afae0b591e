"""What admins see about each stored item beside the item itself."""

from collections.abc import Mapping
from dataclasses import dataclass

from seqfacility_instance.catalog.comparison import as_offered, origin_of
from seqfacility_instance.catalog.document import Catalog, Item
from seqfacility_instance.catalog.images import KEYS, Asset, find_asset
from seqfacility_instance.catalog.rules import shown
from seqfacility_instance.core.vocabulary.catalog import CatalogCollection, ItemOrigin


@dataclass(frozen=True, slots=True)
class ItemStanding:
    """The origin of one stored item, and whether it can be selected. Decision: G1047.

    `offered` is the registry's version of an item that was changed here; `origin` is None until the first
    sync that stores the registry's version.
    """

    item_id: str
    origin: ItemOrigin | None
    is_selectable: bool
    offered: Item | None
    image: Asset | None


def standings(
    catalog: Catalog, upstream: Catalog | None, fetched: Mapping[str, Asset]
) -> dict[CatalogCollection, list[ItemStanding]]:
    """Return the standing of each item, in stored order; `fetched` are the local images by address."""
    selectable = shown(catalog)
    result = {}
    for collection in CatalogCollection:
        listed = {item["id"] for item in selectable[collection.value]}
        offered = None if upstream is None else upstream.by_id(collection)
        result[collection] = [
            _standing(item, offered, item["id"] in listed, fetched) for item in catalog.items(collection)
        ]
    return result


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
