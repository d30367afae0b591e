"""What the technology catalog must keep before it is published."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from seqfacility_schemas import problems

COLLECTIONS = (
    "technologies",
    "devices",
    "flowCells",
    "kits",
    "software",
    "barcodeSchemes",
    "barcodeSets",
)
IMAGES_PATH = "/images/catalog/"


def check(document: Mapping[str, Any]) -> list[str]:
    """List what is wrong with a catalog: its shape, repeated ids, references that lead nowhere.

    Spec: registry, Catalog sync source 5. Gap: G230.
    """
    shape = problems("registry/sequencing-tech", document)
    return shape or [*_repeated_ids(document), *_dangling(document), *_contradictions(document)]


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
    """List items without a source, sources that are not described, and those that do not say where they are.

    A source whose address was not kept has none, and never stands alone behind a catalogue number.

    Gap: G458.
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
    """Give the families of the catalog's technologies, which pipelines name."""
    return {technology["platformFamily"] for technology in document["technologies"]}


def _repeated_ids(document: Mapping[str, Any]) -> Iterator[str]:
    for collection in COLLECTIONS:
        counts = Counter(item["id"] for item in document[collection])
        yield from (f"{collection}: id {name} stands twice" for name, count in counts.items() if count > 1)


def _dangling(document: Mapping[str, Any]) -> Iterator[str]:
    ids = {collection: {item["id"] for item in document[collection]} for collection in COLLECTIONS}
    for collection, item_id, key, target, wanted in _references(document):
        if wanted not in ids[target]:
            yield f"{collection}.{item_id}.{key}: {wanted} is not one of {target}"


def _references(document: Mapping[str, Any]) -> Iterator[tuple[str, str, str, str, str]]:
    for device in document["devices"]:
        yield "devices", device["id"], "platformId", "technologies", device["platformId"]
        for key, target in (
            ("compatibleFlowCells", "flowCells"),
            ("compatibleKits", "kits"),
            ("compatibleSoftware", "software"),
        ):
            for wanted in device[key]:
                yield "devices", device["id"], key, target, wanted
    for kit in document["kits"]:
        barcoding = kit.get("barcoding", {})
        if "barcodeSetId" in barcoding:
            yield "kits", kit["id"], "barcodeSetId", "barcodeSets", barcoding["barcodeSetId"]
        for wanted in barcoding.get("compatibleBarcodeKits", []):
            yield "kits", kit["id"], "compatibleBarcodeKits", "kits", wanted
    for barcodes in document["barcodeSets"]:
        yield "barcodeSets", barcodes["id"], "schemeId", "barcodeSchemes", barcodes["schemeId"]


def _contradictions(document: Mapping[str, Any]) -> Iterator[str]:
    sizes = {barcodes["id"]: barcodes["count"] for barcodes in document["barcodeSets"]}
    for collection in ("technologies", "devices"):
        for item in document[collection]:
            if item["comingSoon"] and item["available"]:
                yield f"{collection}.{item['id']}: available and still coming"
    for kit in document["kits"]:
        barcoding = kit.get("barcoding", {})
        most = barcoding.get("maxBarcodesPerRun", 0)
        if most > sizes.get(barcoding.get("barcodeSetId"), most):
            yield f"kits.{kit['id']}: maxBarcodesPerRun is more than its barcode set has"
