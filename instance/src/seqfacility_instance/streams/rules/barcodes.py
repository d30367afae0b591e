"""Which barcode a file belongs to, and which sample a barcode belongs to."""

import re
from collections.abc import Iterable, Mapping

from seqfacility_instance.core.barcodes import normalised_barcode

UNCLASSIFIED = "unclassified"
_FOLDER = re.compile(r"(?:barcode|bc)[0-9]+")
_TOKEN = re.compile(r"(?<![a-z0-9])barcode[0-9]+(?![a-z0-9])")


def barcode_of(path: str, barcode_map: Mapping[str, str]) -> str:
    """Find the barcode of a file by its path below the watched directory; empty for none.

    The nearest folder that is a barcode by its name or a key of the map decides, then a barcode in the
    file's own name. `barcode_map` has lower-case keys.

    Gap: G216.
    """
    *folders, name = path.lower().split("/")
    for folder in reversed(folders):
        if _FOLDER.fullmatch(folder) or folder == UNCLASSIFIED or folder in barcode_map:
            return folder
    in_name = _TOKEN.search(name)
    return in_name[0] if in_name else ""


def mapped_sample(barcode: str, barcode_map: Mapping[str, str]) -> str | None:
    """Give the sample code that the map has for a barcode, else for its one spelling. Gap: G203, G216."""
    if not barcode:
        return None
    return barcode_map.get(barcode, barcode_map.get(normalised_barcode(barcode) or ""))


def wants_warning(barcode: str, barcode_map: Mapping[str, str]) -> bool:
    """Tell whether files of this barcode belong to nobody although they should. Gap: G213.

    Files that the instrument could not tell apart are nobody's by their nature.
    """
    return barcode not in {"", UNCLASSIFIED} and mapped_sample(barcode, barcode_map) is None


def map_from_assignments(assignments: Iterable[tuple[str | None, str]]) -> dict[str, str]:
    """Build a map from the (barcode, sample code) pairs of a sequencing run. Gap: G210."""
    return {barcode.lower(): code for barcode, code in assignments if barcode}
