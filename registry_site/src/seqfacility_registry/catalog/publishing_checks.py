"""What the technology catalog must keep before it is published."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from seqfacility_schemas import problems
from seqfacility_schemas.catalog_rules import COLLECTIONS, contradictions, reference_findings

IMAGES_PATH = "/images/catalog/"


def check(document: Mapping[str, Any]) -> list[str]:
    """List what is wrong with a catalog: its shape, repeated ids, references that lead nowhere.

    Spec: registry, Catalog sync source 5. Decision: G230.
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
    """List items without a source, and sources without a description or place.

    A source whose address was not kept has none, and never stands alone behind a catalogue number.

    Decision: G458.
    """
    known = {source["code"] for source in sources["sources"]}
    addressed = {source["code"] for source in sources["sources"] if source["url"]}
    found = [
        f"sources.{source['code']}: {key} is missing"
        for source in sources["sources"]
        for key in ("title", "where", "date", "licence")
        if not source[key]
    ]
    for collection in COLLECTIONS:
        cited = sources["items"].get(collection, {})
        for item in document[collection]:
            codes = cited.get(item["id"], [])
            if not codes:
                found.append(f"{collection}.{item['id']}: no source")
            found.extend(
                f"{collection}.{item['id']}: unknown source {code}" for code in codes if code not in known
            )
            if "sku" in item and not addressed & set(codes):
                found.append(f"{collection}.{item['id']}: nobody can look up where its sku is from")
    return found


def platform_families(document: Mapping[str, Any]) -> set[str]:
    """Return the families of the catalog's technologies, which pipelines name."""
    return {technology["platformFamily"] for technology in document["technologies"]}


def _repeated_ids(document: Mapping[str, Any]) -> Iterator[str]:
    for collection in COLLECTIONS:
        counts = Counter(item["id"] for item in document[collection])
        yield from (f"{collection}: id {name} stands twice" for name, count in counts.items() if count > 1)
