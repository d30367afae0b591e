"""What of a remote catalog is taken: items with sound values, and addresses that a browser may open."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from seqfacility_schemas.catalog_rules import contradictions, reference_findings, type_findings
from seqfacility_schemas.findings import Finding

from seqfacility_instance.catalog.document import Catalog, Item
from seqfacility_instance.core.vocabulary.catalog import CatalogCollection

_ADDRESS_KEYS = frozenset({"icon", "image"})


@dataclass(frozen=True, slots=True)
class ValidatedCatalog:
    """A remote catalog without what was wrong with it: items left out, and lesser faults. Decision: G443."""

    catalog: Catalog
    skipped: tuple[Finding, ...] = ()
    warnings: tuple[Finding, ...] = ()


def validated(remote: Catalog, local: Catalog) -> ValidatedCatalog:
    """Leave out the items of a remote catalog that hold wrong kinds of values or belong to no platform.

    References may lead to items of `local` too. `localOverrides` is what a facility decides, so a remote one
    counts for nothing; an address that is not http(s) is dropped from its item.

    Decision: G443.
    """
    found: list[Finding] = []
    collections: dict[CatalogCollection, list[Item]] = {}
    for collection in CatalogCollection:
        collections[collection] = []
        for item in remote.items(collection):
            wrong = list(type_findings(collection.value, item))
            found.extend(wrong or _address_findings(collection, item))
            if not wrong:
                collections[collection].append(_without_harm(item))
    found.extend(
        reference_findings(
            {collection.value: items for collection, items in collections.items()},
            {collection.value: frozenset(local.by_id(collection)) for collection in CatalogCollection},
        )
    )
    skipped = {(fault.collection, fault.item_id) for fault in found if fault.is_harmful}
    kept = Catalog(
        remote.version,
        {
            collection: tuple(item for item in items if (collection.value, item["id"]) not in skipped)
            for collection, items in collections.items()
        },
    )
    found.extend(contradictions(kept.document_items()))
    return ValidatedCatalog(
        kept,
        skipped=tuple(fault for fault in found if fault.is_harmful),
        warnings=tuple(
            fault
            for fault in found
            if not fault.is_harmful and (fault.collection, fault.item_id) not in skipped
        ),
    )


def _without_harm(item: Item) -> Item:
    bad = {"localOverrides", *(key for key, text in _addresses(item).items() if not _is_web_address(text))}
    return {key: value for key, value in item.items() if key not in bad} if bad & item.keys() else item


def _address_findings(collection: CatalogCollection, item: Item) -> Iterator[Finding]:
    for key, text in _addresses(item).items():
        if not _is_web_address(text):
            yield Finding(collection.value, str(item["id"]), "is not an http(s) address and was dropped", key)


def _addresses(item: Item) -> Mapping[str, str]:
    return {
        key: value
        for key, value in item.items()
        if isinstance(value, str) and value and (key in _ADDRESS_KEYS or key.lower().endswith("url"))
    }


def _is_web_address(text: str) -> bool:
    """Return whether a browser, which skips blanks and controls, would open http(s) or a path there."""
    try:
        scheme = urlsplit("".join(char for char in text if char > " ")).scheme
    except ValueError:
        return False
    return scheme in {"", "http", "https"}
