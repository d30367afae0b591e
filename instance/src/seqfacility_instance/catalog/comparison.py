"""Differences between the items of the stored catalog and those of the registry."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from seqfacility_instance.catalog.document import Catalog, Item
from seqfacility_instance.catalog.rules import merged, merged_item
from seqfacility_instance.core.vocabulary.catalog import CatalogCollection, ItemChangeKind, ItemOrigin

_OVERRIDES: Final = "localOverrides"


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field with both values, None when missing. If it is kept, `after` is the value of the registry."""

    key: str
    before: object
    after: object
    is_kept: bool = False


@dataclass(frozen=True, slots=True)
class ItemChange:
    """What a sync does to one item, by field. Decision: G1048."""

    collection: CatalogCollection
    item_id: str
    name: str
    kind: ItemChangeKind
    fields: tuple[FieldChange, ...] = ()


def item_changes(local: Catalog, remote: Catalog) -> Iterator[ItemChange]:
    """Yield the items that a sync adds or changes, or that local overrides keep from it. Decision: G1048."""
    result = merged(local, remote)
    for collection in CatalogCollection:
        before, offered = local.by_id(collection), remote.by_id(collection)
        for item in result.items(collection):
            change = _item_change(collection, before.get(str(item["id"])), item, offered.get(str(item["id"])))
            if change is not None:
                yield change


def _item_change(
    collection: CatalogCollection, before: Item | None, after: Item, offered: Item | None
) -> ItemChange | None:
    item_id = str(after["id"])
    if before is None:
        return ItemChange(collection, item_id, _name(after), ItemChangeKind.NEW)
    changed = field_changes(before, after)
    kept: tuple[FieldChange, ...] = ()
    if offered is not None and before.get(_OVERRIDES) is True:
        kept = field_changes(after, as_offered(after, offered))
    if not changed and not kept:
        return None
    kind = ItemChangeKind.CHANGED if changed else ItemChangeKind.KEPT
    fields = (*changed, *(replace(one, is_kept=True) for one in kept))
    return ItemChange(collection, item_id, _name(after), kind, fields)


def as_offered(local: Item, offered: Item) -> Item:
    """Return an item as a sync would make it without local overrides. Spec: registry, Sync behaviour 3."""
    return merged_item({key: value for key, value in local.items() if key != _OVERRIDES}, offered)


def origin_of(item: Item, offered: Item | None) -> ItemOrigin:
    """Return the origin of an item; `offered` is the registry's item, if it has one.

    Availability is a choice of each facility and does not count as a change.

    Decision: G1047.
    """
    if offered is None:
        return ItemOrigin.OWN
    is_changed = item.get(_OVERRIDES) is True or field_changes(item, as_offered(item, offered))
    return ItemOrigin.CHANGED if is_changed else ItemOrigin.REGISTRY


def field_changes(before: Item, after: Item) -> tuple[FieldChange, ...]:
    """List the fields that differ, except the marker of local overrides."""
    return tuple(
        FieldChange(key, before.get(key), after.get(key))
        for key in {**before, **after}
        if key != _OVERRIDES and before.get(key) != after.get(key)
    )


def _name(item: Item) -> str:
    name = item.get("name")
    return name if isinstance(name, str) and name else str(item["id"])
