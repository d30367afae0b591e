"""How items of the stored catalog differ from what the registry says of them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from seqfacility_instance.catalog.document import Catalog, Item
from seqfacility_instance.catalog.rules import merged, merged_item
from seqfacility_instance.core.vocabulary.catalog import CatalogCollection, ItemChangeKind, ItemOrigin

_OVERRIDES: Final = "localOverrides"


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field with both values, None where it is missing; of a kept one the second is the registry's."""

    key: str
    before: object
    after: object
    is_kept: bool = False


@dataclass(frozen=True, slots=True)
class ItemChange:
    """What a sync makes of one item, field by field. Decision: G1048."""

    collection: CatalogCollection
    item_id: str
    name: str
    kind: ItemChangeKind
    fields: tuple[FieldChange, ...] = ()


def item_changes(local: Catalog, remote: Catalog) -> Iterator[ItemChange]:
    """Tell of each item that a sync adds or changes, and of what local overrides keep. Decision: G1048."""
    result = merged(local, remote)
    for collection in CatalogCollection:
        before, there = local.by_id(collection), remote.by_id(collection)
        for item in result.items(collection):
            item_id = str(item["id"])
            if item_id not in before:
                yield ItemChange(collection, item_id, _name(item), ItemChangeKind.NEW)
                continue
            here = before[item_id]
            changed = field_changes(here, item)
            kept = (
                field_changes(item, as_offered(item, there[item_id])) if _is_overridden(here, there) else ()
            )
            if changed or kept:
                kind = ItemChangeKind.CHANGED if changed else ItemChangeKind.KEPT
                fields = (*changed, *(FieldChange(one.key, one.before, one.after, True) for one in kept))
                yield ItemChange(collection, item_id, _name(item), kind, fields)


def as_offered(local: Item, offered: Item) -> Item:
    """Return an item as a sync would have it without local overrides. Spec: registry, Sync behaviour 3."""
    return merged_item({key: value for key, value in local.items() if key != _OVERRIDES}, offered)


def origin_of(item: Item, offered: Item | None) -> ItemOrigin:
    """Tell where an item comes from; `offered` is what the registry says of it, if anything.

    Availability is a choice of each facility and changes no item.

    Decision: G1047.
    """
    if offered is None:
        return ItemOrigin.OWN
    is_changed = item.get(_OVERRIDES) is True or field_changes(item, as_offered(item, offered))
    return ItemOrigin.CHANGED if is_changed else ItemOrigin.REGISTRY


def field_changes(before: Item, after: Item) -> tuple[FieldChange, ...]:
    """List the fields that differ, the mark of local overrides apart."""
    return tuple(
        FieldChange(key, before.get(key), after.get(key))
        for key in {**before, **after}
        if key != _OVERRIDES and before.get(key) != after.get(key)
    )


def _is_overridden(local: Item, remote: Mapping[str, Item]) -> bool:
    return local.get(_OVERRIDES) is True and local["id"] in remote


def _name(item: Item) -> str:
    name = item.get("name")
    return name if isinstance(name, str) and name else str(item["id"])
