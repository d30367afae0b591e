"""What the page of technology compares: platforms by the properties that their makers state."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

COMPARED: Final = ("Read length", "Output per run", "Run time", "Accuracy", "Typical error")


def catalog_values(catalog: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Return what the template shows of a catalog; `catalog` is None where there is none."""
    if catalog is None:
        return {"catalog": None}
    return {
        "catalog": catalog,
        "compared": COMPARED,
        "rows": [_row(technology) for technology in _ordered(catalog["technologies"])],
        "devices": list(_devices(catalog)),
        "flow_cells": _ordered(catalog["flowCells"]),
        "kits": _ordered(catalog["kits"]),
    }


def _row(technology: Mapping[str, Any]) -> tuple[Mapping[str, Any], list[str]]:
    stated = {
        spec["label"]: f"{spec['value']} {spec.get('unit', '')}".strip()
        for spec in technology.get("specs", [])
    }
    return technology, [stated.get(label, "") for label in COMPARED]


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
