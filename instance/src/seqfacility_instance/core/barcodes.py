"""How barcodes are spelled, so that a sample sheet, a folder and a form mean the same one."""

import re

_NUMBERED = re.compile(r"(?:barcode|bc)?([0-9]{1,9})")


def normalised_barcode(text: str) -> str | None:
    """Return the canonical form of a barcode: `BC1` and `1` are `barcode01`, another name is lower-cased.

    Empty text is None.

    Decision: G203.
    """
    lowered = text.strip().lower()
    numbered = _NUMBERED.fullmatch(lowered)
    return f"barcode{int(numbered[1]):02d}" if numbered else lowered or None
