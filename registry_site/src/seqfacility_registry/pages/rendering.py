"""The templates, their filters, and the static files beside them."""

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader

_HERE: Final = Path(__file__).parent
_UNITS: Final = ("bytes", "kB", "MB", "GB", "TB")


def number(value: float) -> str:
    """Format a figure: 1,234,567, or 0.0127 and 3.45e-06 for small ones."""
    if float(value).is_integer():
        return f"{int(value):,}"
    return f"{value:,.2f}" if abs(value) >= 10 else f"{value:.3g}"


def size(length: int) -> str:
    """Format a number of bytes in decimal units: 1.2 MB."""
    value, unit = float(length), 0
    while value >= 1000 and unit < len(_UNITS) - 1:
        value, unit = value / 1000, unit + 1
    return f"{length:,} bytes" if unit == 0 else f"{value:.1f} {_UNITS[unit]}"


@cache
def environment() -> Environment:
    """Return the templates, with all values escaped."""
    # WHY: escape in every template, not by its file name: content comes from many authors.
    made = Environment(
        loader=FileSystemLoader(_HERE / "templates"), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    made.filters |= {"number": number, "size": size}
    return made


@cache
def style_sheet() -> bytes:
    """Return the design tokens that both services share, and the style of these pages, as one file."""
    tokens = files("seqfacility_wire").joinpath("look/tokens.css").read_bytes()
    return tokens + look_file("registry.css")


@cache
def look_file(name: str) -> bytes:
    """Return a static file of the pages."""
    return (_HERE / "look" / name).read_bytes()
