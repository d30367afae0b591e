"""The barcodes of the sets that the catalog names, written as they are stored."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from seqfacility_instance.catalog.document import Item
from seqfacility_instance.core.barcodes import normalised_barcode

_NUMBERED: Final = re.compile(r"(.*?)([0-9]+)")
_NANOPORE: Final = "ont-"
"""How the ids of Oxford Nanopore's schemes begin: its software calls every barcode of them `barcodeNN`."""

MAX_BARCODES: Final = 1000


@dataclass(frozen=True, slots=True)
class SetBarcode:
    """A barcode: its name in the kit, how it is stored in a run, and its bases where the catalog has them."""

    name: str
    barcode: str
    sequence: str | None


@dataclass(frozen=True, slots=True)
class BarcodeSet:
    """A set of the catalog with the kits that come with it; empty where its range can't be read."""

    id: str
    name: str
    scheme: str
    kits: list[str]
    barcodes: list[SetBarcode]


def barcode_sets(catalog: Mapping[str, Sequence[Item]]) -> list[BarcodeSet]:
    """List the sets of a catalog in its order. Decision: G678."""
    schemes = {str(item["id"]): str(item.get("name") or item["id"]) for item in catalog["barcodeSchemes"]}
    kits: dict[str, list[str]] = {}
    for kit in catalog["kits"]:
        barcoding = kit.get("barcoding")
        set_id = barcoding.get("barcodeSetId") if isinstance(barcoding, Mapping) else None
        if isinstance(set_id, str):
            kits.setdefault(set_id, []).append(str(kit["id"]).upper())
    return [
        BarcodeSet(
            str(item["id"]),
            str(item.get("name") or item["id"]),
            schemes.get(str(item.get("schemeId")), ""),
            kits.get(str(item["id"]), []),
            _barcodes(item),
        )
        for item in catalog["barcodeSets"]
    ]


def set_of_run(sets: Sequence[BarcodeSet], set_id: str, kit: str) -> BarcodeSet | None:
    """Find the set that a run names, or else that of its kits; of several kits the last one counts."""
    for one in sets:
        if one.id == set_id:
            return one
    for code in reversed(kit.upper().split()):
        for one in sets:
            if code in one.kits:
                return one
    return None


def _barcodes(item: Item) -> list[SetBarcode]:
    listed, count = item.get("barcodeRange"), item.get("count")
    given = item.get("sequences")
    sequences = given if isinstance(given, Mapping) else {}
    is_nanopore = str(item.get("schemeId", "")).startswith(_NANOPORE)
    names: Iterable[str] = [str(name) for name in sequences]
    if not names and isinstance(listed, list) and len(listed) == 2 and isinstance(count, int):
        names = names_between(str(listed[0]), str(listed[1]), count)
    return [
        SetBarcode(name, _stored(name, is_nanopore=is_nanopore), _text(sequences.get(name))) for name in names
    ]


def names_between(first: str, last: str, count: int) -> list[str]:
    """Name the barcodes of a range; empty when the range does not hold that many.

    `BC01` to `BC12`, `D701+D501` to `D712+D508` in all combinations, and `BC01` to `RLB12A`, whose last one
    has a name of its own.
    """
    if not 0 < count <= MAX_BARCODES:
        return []
    parts = [
        _numbered(*ends)
        for ends in zip(first.split("+"), last.split("+"), strict=False)
        if first.count("+") == last.count("+")
    ]
    names = ["+".join(together) for together in product(*parts)] if parts else []
    if len(names) == count:
        return names
    begin = _NUMBERED.fullmatch(first)
    if begin is None or not begin[1] or last.startswith(begin[1]):
        return []
    width = len(begin[2])
    before = [f"{begin[1]}{int(begin[2]) + place:0{width}d}" for place in range(count - 1)]
    return [*before, last] if f"{count:0{width}d}" in last else []


def _numbered(first: str, last: str) -> list[str]:
    begin, end = _NUMBERED.fullmatch(first), _NUMBERED.fullmatch(last)
    if begin is None or end is None or begin[1] != end[1] or int(end[2]) - int(begin[2]) >= MAX_BARCODES:
        return []
    return [f"{begin[1]}{number:0{len(begin[2])}d}" for number in range(int(begin[2]), int(end[2]) + 1)]


def _stored(name: str, *, is_nanopore: bool) -> str:
    digits = re.search(r"[0-9]+", name)
    if is_nanopore and digits is not None:
        return f"barcode{int(digits[0]):02d}"
    return normalised_barcode(name) or name


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
