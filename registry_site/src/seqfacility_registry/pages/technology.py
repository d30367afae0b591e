"""Values of the technology page: platforms compared by the properties that their manufacturers state."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from seqfacility_registry.pages.documents import CATALOG, Documents

COMPARED: Final = ("Read length", "Output per run", "Run time", "Accuracy", "Typical error")


def catalog_values(documents: Documents) -> Mapping[str, Any]:
    """Return the values of the template; `catalog` is None when the registry has none."""
    catalog = documents.find(CATALOG)
    if catalog is None:
        return {"catalog": None}
    return {
        "catalog": catalog,
        "compared": COMPARED,
        "rows": [_row(technology, documents) for technology in _ordered(catalog["technologies"])],
        "devices": list(_devices(catalog)),
        "flow_cells": _ordered(catalog["flowCells"]),
        "kits": _ordered(catalog["kits"]),
    }


def _row(
    technology: Mapping[str, Any], documents: Documents
) -> tuple[Mapping[str, Any], list[str], str | None]:
    """Return a platform, its value of each compared property, and its image, if the registry has it."""
    stated = {
        spec["label"]: f"{spec['value']} {spec.get('unit', '')}".strip()
        for spec in technology.get("specs", [])
    }
    drawing = technology.get("icon", "").removeprefix("/")
    return (
        technology,
        [stated.get(label, "") for label in COMPARED],
        drawing if drawing in documents else None,
    )


def _devices(catalog: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield each device with the names of its platform, flow cells and kits."""
    names = {
        collection: {item["id"]: item["name"] for item in catalog[collection]}
        for collection in ("technologies", "flowCells", "kits")
    }
    for device in _ordered(catalog["devices"]):
        yield {
            **device,
            "platform": names["technologies"].get(device.get("platformId"), ""),
            "flowCellNames": [names["flowCells"].get(one, one) for one in device["compatibleFlowCells"]],
            "kitNames": [names["kits"].get(one, one) for one in device["compatibleKits"]],
        }


def _ordered(items: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return sorted(items, key=lambda item: (item.get("order", 0), item["id"]))
