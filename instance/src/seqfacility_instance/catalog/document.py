"""A catalog as a value: seven collections of items by id, and a version."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Self

from seqfacility_instance.core.vocabulary.catalog import CatalogCollection

Item = Mapping[str, object]

_LARGEST_VERSION: Final = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Catalog:
    """All items of a catalog; unknown keys are kept. Spec: registry, Catalog configuration."""

    version: int
    collections: Mapping[CatalogCollection, tuple[Item, ...]]

    @classmethod
    def empty(cls) -> Self:
        return cls(0, dict.fromkeys(CatalogCollection, ()))

    @classmethod
    def read(cls, document: Mapping[str, object]) -> Self:
        """Read a catalog; what is no array is empty, items without a text `id` are left out.

        Of two items with one id the last counts, in the place of the first.

        Spec: registry, Catalog configuration. Decision: G227.
        """
        return cls(
            read_version(document.get("version")),
            {collection: _items(document.get(collection.value)) for collection in CatalogCollection},
        )

    def items(self, collection: CatalogCollection) -> tuple[Item, ...]:
        """Return the items of a collection in stored order."""
        return self.collections[collection]

    def by_id(self, collection: CatalogCollection) -> dict[str, Item]:
        return {str(item["id"]): item for item in self.collections[collection]}

    def document_items(self) -> dict[str, tuple[Item, ...]]:
        """Return the items under the documented names of their collections."""
        return {collection.value: self.collections[collection] for collection in CatalogCollection}

    def document(self) -> dict[str, object]:
        """Write the seven collections as they are stored and served."""
        return {
            collection.value: [dict(item) for item in self.collections[collection]]
            for collection in CatalogCollection
        }


def read_version(value: object) -> int:
    """Read a version; what is no number counts as 0.

    Spec: registry, Catalog configuration. Decision: G285.
    """
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return 0
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:  # noqa: PLR0124  # NaN
        return 0
    return int(max(min(value, _LARGEST_VERSION), -_LARGEST_VERSION))


def unwrapped(body: object) -> object:
    """Return the configuration inside `{config: ...}`, or the bare one.

    Spec: registry, Catalog sync source.
    """
    if isinstance(body, dict) and isinstance(body.get("config"), dict):
        return body["config"]
    return body


def _items(value: object) -> tuple[Item, ...]:
    if not isinstance(value, list):
        return ()
    found: dict[str, Item] = {}
    for item in value:
        if isinstance(item, dict) and isinstance(item.get("id"), str) and item["id"]:
            found[item["id"]] = item
    return tuple(found.values())
