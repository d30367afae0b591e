"""Text as a workbook holds it, and values as text."""

import re
from datetime import datetime
from typing import Final

from seqfacility_instance.workbooks.reading import CellValue

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\r\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")


def escaped_text(text: str) -> str:
    """Write what XML cannot hold, and the beginning of what would be read as that, as `_x000B_`."""
    return _CONTROL.sub(_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    return f"_x{ord(found[0]):04X}_"


def cell_text(value: CellValue) -> str:
    """Write a value as text: `5`, `12.5`, `TRUE`, `2031-05-04`; a moment with its time unless midnight."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds").removesuffix("T00:00:00")
    return str(value)
