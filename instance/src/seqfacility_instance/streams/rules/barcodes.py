"""Which barcode a file belongs to, and which sample a barcode belongs to."""

import re
from collections.abc import Iterable, Mapping

from seqfacility_instance.core.barcodes import normalised_barcode

UNCLASSIFIED = "unclassified"
_FOLDER = re.compile(r"(?:barcode|bc)[0-9]+")
_PASSED = "fastq_pass"
_TOKEN = re.compile(r"(?<![a-z0-9])barcode[0-9]+(?![a-z0-9])")


def barcode_of(path: str, barcode_map: Mapping[str, str]) -> str:
    """Find the barcode of a file by its path below the watched directory; empty for none.

    The nearest folder that is a barcode by its name or a key of the map decides, then a barcode in the
    file's own name. MinKNOW writes the alias of a barcode in place of the barcode, and our sample sheet gives
    it the sample code: the file's own folder, or a part of its name, that is a code of the map stands for the
    barcode. `barcode_map` has lower-case keys.

    Decision: G216, G299, G480.
    """
    *folders, name = path.lower().split("/")
    aliases = {code.lower(): barcode for barcode, code in reversed(list(barcode_map.items()))}
    if folders and folders[-1] in aliases and folders[-1] not in barcode_map:
        return aliases[folders[-1]]
    for folder in reversed(folders):
        if _FOLDER.fullmatch(folder) or folder == UNCLASSIFIED or folder in barcode_map:
            return folder
    in_name = _TOKEN.search(name)
    if in_name:
        return in_name[0]
    named = max(
        (key for key in aliases.keys() | barcode_map.keys() if f"_{key}_" in name), key=len, default=""
    )
    return aliases.get(named, named)


def unknown_folder(path: str, barcode_map: Mapping[str, str]) -> str | None:
    """Return the folder of passed reads of a file without a barcode although there is a map.

    Decision: G480.
    """
    *above, folder, _name = ["", "", *path.lower().split("/")]
    return folder if barcode_map and above[-1] == _PASSED and not barcode_of(path, barcode_map) else None


def mapped_sample(barcode: str, barcode_map: Mapping[str, str]) -> str | None:
    """Return the sample code that the map has for a barcode, else for its one spelling.

    Decision: G203, G216.
    """
    if not barcode:
        return None
    return barcode_map.get(barcode, barcode_map.get(normalised_barcode(barcode) or ""))


def needs_warning(barcode: str, barcode_map: Mapping[str, str]) -> bool:
    """Return whether files of this barcode belong to nobody although they should. Decision: G213.

    Files that the instrument could not assign never have a sample.
    """
    return barcode not in {"", UNCLASSIFIED} and mapped_sample(barcode, barcode_map) is None


def map_from_assignments(assignments: Iterable[tuple[str | None, str, object]]) -> dict[str, str]:
    """Build a map from the (barcode, sample code, own alias) triples of a sequencing run.

    Decision: G210, G480.
    """
    known = list(assignments)
    aliases = {alias.lower(): code for barcode, code, alias in known if barcode and isinstance(alias, str)}
    return {alias: code for alias, code in aliases.items() if alias and alias != code.lower()} | {
        barcode.lower(): code for barcode, code, _ in known if barcode
    }
