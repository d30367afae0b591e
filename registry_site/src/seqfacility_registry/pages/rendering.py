"""The templates, and how they write numbers."""

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader

_HERE: Final = Path(__file__).parent
_UNITS: Final = ("bytes", "kB", "MB", "GB", "TB")


def number(value: float) -> str:
    """Write a figure for people: 1,234,567, or 0.0127 and 3.45e-06 for what is small."""
    if float(value).is_integer():
        return f"{int(value):,}"
    return f"{value:,.2f}" if abs(value) >= 10 else f"{value:.3g}"


def size(length: int) -> str:
    """Write a number of bytes for people, in steps of a thousand."""
    value, unit = float(length), 0
    while value >= 1000 and unit < len(_UNITS) - 1:
        value, unit = value / 1000, unit + 1
    return f"{length:,} bytes" if unit == 0 else f"{value:.1f} {_UNITS[unit]}"


@cache
def environment() -> Environment:
    """Return the templates; everything that they are given is escaped, wherever it comes from."""
    # WHY true for all names: content is written by many, and no page trusts any of it.
    made = Environment(
        loader=FileSystemLoader(_HERE / "templates"), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    made.filters |= {"number": number, "size": size}
    return made


@cache
def style_sheet() -> bytes:
    """Return the tokens of both services and the style of these pages, as one file."""
    tokens = files("seqfacility_wire").joinpath("look/tokens.css").read_bytes()
    return tokens + look_file("registry.css")


@cache
def look_file(name: str) -> bytes:
    return (_HERE / "look" / name).read_bytes()
