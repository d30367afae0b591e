"""What the items of a technology catalog must keep, whoever publishes it. Decision: G443."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from seqfacility_schemas import load_schema
from seqfacility_schemas.findings import Finding

_DEFINITIONS = {
    "technologies": "Technology",
    "devices": "Device",
    "flowCells": "FlowCell",
    "kits": "Kit",
    "software": "Software",
    "barcodeSchemes": "BarcodeScheme",
    "barcodeSets": "BarcodeSet",
}
COLLECTIONS = tuple(_DEFINITIONS)
_COMPATIBLE = {
    "compatibleFlowCells": "flowCells",
    "compatibleKits": "kits",
    "compatibleSoftware": "software",
}
_KINDS: Mapping[str, type | tuple[type, ...]] = {
    "string": str,
    "array": list,
    "object": dict,
    "boolean": bool,
    "integer": (int, float),
    "number": (int, float),
}

Item = Mapping[str, Any]


def type_findings(collection: str, item: Item) -> Iterator[Finding]:
    """Find the keys of an item that hold another kind of value than the published schema gives them.

    A key that is missing, `null` or unknown is no fault: a catalog of one's own needs nothing but ids.
    """
    for key, kind in _kinds_of(collection).items():
        value = item.get(key)
        wrong = value is not None and not isinstance(value, _KINDS[kind])
        if wrong or (isinstance(value, bool) and kind != "boolean"):
            article = "an" if kind[0] in "aio" else "a"
            yield Finding(collection, str(item.get("id")), f"is not {article} {kind}", key, is_harmful=True)


def reference_findings(
    catalog: Mapping[str, Sequence[Item]], known: Mapping[str, frozenset[str]] | None = None
) -> Iterator[Finding]:
    """Find references between items that lead nowhere, neither in the catalog nor to the ids of `known`."""
    ids = {
        collection: {str(item["id"]) for item in catalog[collection]}
        | (known or {}).get(collection, frozenset())
        for collection in COLLECTIONS
    }
    for collection, item, key, target, wanted in _references(catalog):
        if wanted not in ids[target]:
            reason = f"{wanted} is not one of {target}"
            yield Finding(collection, str(item["id"]), reason, key, is_harmful=key == "platformId")


def contradictions(catalog: Mapping[str, Sequence[Item]]) -> Iterator[Finding]:
    """Find items that say two things at once."""
    sizes = {barcodes["id"]: barcodes.get("count") for barcodes in catalog["barcodeSets"]}
    for collection in ("technologies", "devices"):
        for item in catalog[collection]:
            if item.get("comingSoon") and item.get("available"):
                yield Finding(collection, str(item["id"]), "available and still coming")
    for kit in catalog["kits"]:
        barcoding = _part(kit, "barcoding")
        most, size = barcoding.get("maxBarcodesPerRun"), sizes.get(barcoding.get("barcodeSetId"))
        if isinstance(most, int) and isinstance(size, int) and most > size:
            yield Finding("kits", str(kit["id"]), "maxBarcodesPerRun is more than its barcode set has")


def _references(catalog: Mapping[str, Sequence[Item]]) -> Iterator[tuple[str, Item, str, str, str]]:
    for device in catalog["devices"]:
        if "platformId" in device:
            yield "devices", device, "platformId", "technologies", str(device["platformId"])
        for key, target in _COMPATIBLE.items():
            for wanted in device.get(key) or ():
                yield "devices", device, key, target, str(wanted)
    for kit in catalog["kits"]:
        barcoding = _part(kit, "barcoding")
        if "barcodeSetId" in barcoding:
            yield "kits", kit, "barcodeSetId", "barcodeSets", str(barcoding["barcodeSetId"])
        compatible = barcoding.get("compatibleBarcodeKits")
        for wanted in compatible if isinstance(compatible, list) else ():
            yield "kits", kit, "compatibleBarcodeKits", "kits", str(wanted)
    for barcodes in catalog["barcodeSets"]:
        if "schemeId" in barcodes:
            yield "barcodeSets", barcodes, "schemeId", "barcodeSchemes", str(barcodes["schemeId"])


def _part(item: Item, key: str) -> Item:
    value = item.get(key)
    return value if isinstance(value, dict) else {}


@cache
def _kinds_of(collection: str) -> Mapping[str, str]:
    """Return the kind of value of each key, as the schema of the published catalog has it."""
    document = load_schema("registry/sequencing-tech")
    properties = document["$defs"][_DEFINITIONS[collection]]["properties"]
    return {key: kind for key, schema in properties.items() if (kind := _kind(schema)) is not None}


def _kind(schema: Mapping[str, Any]) -> str | None:
    kind = schema.get("type", "string" if "enum" in schema else None)
    return kind if isinstance(kind, str) else None
