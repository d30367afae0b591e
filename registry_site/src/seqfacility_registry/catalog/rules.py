"""What the technology catalog must keep before it is published."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from seqfacility_schemas import problems
from seqfacility_schemas.catalog_rules import COLLECTIONS, contradictions, reference_findings

IMAGES_PATH = "/images/catalog/"


def check(document: Mapping[str, Any]) -> list[str]:
    """List what is wrong with a catalog: its shape, repeated ids, references that lead nowhere.

    Spec: registry, Catalog sync source 5. Gap: G230.
    """
    shape = problems("registry/sequencing-tech", document)
    return shape or item_problems(document)


def item_problems(document: Mapping[str, Any]) -> list[str]:
    """List repeated ids, references that lead nowhere and contradictions of items that have their shape."""
    found = [*reference_findings(document), *contradictions(document)]
    lines = [
        f"{fault.collection}.{fault.item_id}{'.' if fault.key else ': '}{fault.reason_with_key}"
        for fault in found
    ]
    return [*_repeated_ids(document), *lines]


def check_images(document: Mapping[str, Any], file_names: Sequence[str]) -> list[str]:
    """List icons and images that no file in `images/` answers."""
    known = {IMAGES_PATH + name for name in file_names}
    return [
        f"{collection}.{item['id']}.{key}: no file for {item[key]}"
        for collection in COLLECTIONS
        for item in document[collection]
        for key in ("icon", "image")
        if str(item.get(key, "")).startswith("/") and item[key] not in known
    ]


def check_sources(document: Mapping[str, Any], sources: Mapping[str, Any]) -> list[str]:
    """List items without a source, and sources that are not described."""
    known = {source["code"] for source in sources["sources"]}
    found = []
    for collection in COLLECTIONS:
        cited = sources["items"].get(collection, {})
        for item in document[collection]:
            codes = cited.get(item["id"], [])
            if not codes:
                found.append(f"{collection}.{item['id']}: no source")
            found.extend(
                f"{collection}.{item['id']}: unknown source {code}" for code in codes if code not in known
            )
    return found


def _repeated_ids(document: Mapping[str, Any]) -> Iterator[str]:
    for collection in COLLECTIONS:
        counts = Counter(item["id"] for item in document[collection])
        yield from (f"{collection}: id {name} stands twice" for name, count in counts.items() if count > 1)
