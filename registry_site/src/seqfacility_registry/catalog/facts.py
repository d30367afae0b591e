"""Whether what the catalog says of products agrees with itself: yields, catalogue numbers, what fits what."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

TOLERANCE = 0.15
"""Makers round reads and yields on their own."""

_SKU = re.compile(r"[A-Z0-9]+([.-][A-Z0-9]+)*")
_GIGABASES = re.compile(r"([0-9]+(?:\.[0-9]+)?) Gb")
_READ = re.compile(r"(?:([12]) x )?([0-9]+)")
_UP_TO = re.compile(r"up to ([0-9]+(?:\.[0-9]+)?)")


def contradictions(document: Mapping[str, Any]) -> list[str]:
    """List what a catalog of this shape would mislead an order with; `document` has passed the schema.

    Reads times length is the yield. A device gives no more than its flow cells. A device that can be ordered
    has flow cells and kits; each of these, and each program, belongs to a device. What can be ordered has one
    catalogue number, or says why it has none.

    Decision: G456.
    """
    return [*_yields(document), *_outputs(document), *_left_over(document), *_numbers(document)]


def _yields(document: Mapping[str, Any]) -> Iterator[str]:
    for cell in document["flowCells"]:
        output, read = (
            _GIGABASES.fullmatch(cell.get("maxOutput", "")),
            _READ.fullmatch(cell.get("maxRead", "")),
        )
        if output is None or read is None or "maxReads" not in cell:
            continue
        expected = cell["maxReads"] * int(read[1] or 1) * int(read[2]) / 1e9
        if abs(float(output[1]) - expected) > TOLERANCE * expected:
            yield f"flowCells.{cell['id']}: {cell['maxOutput']}, but its reads make {expected:g} Gb"


def _outputs(document: Mapping[str, Any]) -> Iterator[str]:
    outputs = {
        cell["id"]: float(found[1])
        for cell in document["flowCells"]
        if (found := _GIGABASES.fullmatch(cell.get("maxOutput", "")))
    }
    for device in document["devices"]:
        specs = {spec["label"]: spec["value"] for spec in device.get("specs", [])}
        stated = _UP_TO.fullmatch(specs.get("Output per run", ""))
        largest = max((outputs.get(name, 0) for name in device["compatibleFlowCells"]), default=0)
        positions = specs.get("Flow cell positions", "1")
        if stated is None or largest == 0 or not positions.isdigit():
            continue
        if float(stated[1]) > int(positions) * largest * (1 + TOLERANCE):
            yield f"devices.{device['id']}: {stated[1]} Gb is more than its flow cells give"


def _left_over(document: Mapping[str, Any]) -> Iterator[str]:
    used = {
        key: {name for device in document["devices"] for name in device[key]}
        for key in ("compatibleFlowCells", "compatibleKits", "compatibleSoftware")
    }
    for key, collection in zip(used, ("flowCells", "kits", "software"), strict=True):
        for item in document[collection]:
            if item["id"] not in used[key]:
                yield f"{collection}.{item['id']}: belongs to no device"
    for device in document["devices"]:
        for key in ("compatibleFlowCells", "compatibleKits"):
            if device["available"] and not device[key]:
                yield f"devices.{device['id']}.{key}: is empty, so nothing can be ordered for it"


def _numbers(document: Mapping[str, Any]) -> Iterator[str]:
    for collection in ("flowCells", "kits"):
        for item in document[collection]:
            if "sku" in item and not _SKU.fullmatch(item["sku"]):
                yield f"{collection}.{item['id']}: sku is not one catalogue number"
            if item["available"] and not item.keys() & {"sku", "skuNote"}:
                yield f"{collection}.{item['id']}: has neither sku nor skuNote"
