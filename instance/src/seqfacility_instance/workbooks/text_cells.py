"""Text as a workbook holds it."""

import re
from typing import Final

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\r\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")


def escaped_text(text: str) -> str:
    """Write what XML cannot hold, and the beginning of what would be read as that, as `_x000B_`."""
    return _CONTROL.sub(_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    return f"_x{ord(found[0]):04X}_"
