"""What the cells of a sample table show, and what they say of a sample."""

import json
import math
import re
from typing import Final, TypeGuard

from seqfacility_instance.core.json_text import compact_json
from seqfacility_instance.core.vocabulary.forms import FieldType
from seqfacility_instance.forms.form import FormField
from seqfacility_instance.workbooks.reading import CellValue
from seqfacility_instance.workbooks.text_cells import cell_text
from seqfacility_instance.workbooks.writing import Written

LIST_SEPARATOR: Final = ";"
_LARGEST_EXACT: Final = 10**15
"""A spreadsheet keeps 15 digits of a number; longer whole numbers go as text."""

_ROUNDED: Final = 1e-14
_LARGEST_ROUNDED: Final = 1e300
"""A larger number could be rounded to none; it goes as text."""

_DECIMAL: Final = re.compile(r"[+-]?[0-9]{1,100}(?:[.,][0-9]{1,100})?(?:[eE][+-]?[0-9]{1,3})?")
_FLAGS: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_IN_JSON: Final = frozenset(
    {FieldType.MIXS, FieldType.FUNDING, FieldType.BILLING, FieldType.SEQUENCING_TECH, FieldType.MULTISELECT}
)


def shown(value: object) -> Written:
    """Return what a cell shows of a stored answer: plain values as they are, a list of plain texts with `;`.

    Everything else is JSON, and so is a number that a spreadsheet would round.

    Decision: G318.
    """
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int | float):
        return _number(value)
    if isinstance(value, list) and value and all(_is_plain(entry) for entry in value):
        return f"{LIST_SEPARATOR} ".join(value)
    return compact_json(value)


def says(value: object, cell: CellValue | None) -> bool:
    """Return whether a cell shows a stored answer, so that a table sent back as it came changes nothing.

    HAZARD: spreadsheets and their libraries keep 15 or 16 digits of a number, so nearly equal is equal.

    Decision: G318.
    """
    if _is_number(value) and isinstance(shown(value), int | float):
        number = _parsed_number(cell) if isinstance(cell, str) else cell
        return _is_number(number) and math.isclose(value, number, rel_tol=_ROUNDED)
    return _line_ends(_text(shown(value))) == _line_ends("" if cell is None else cell_text(cell))


def read(field: FormField | None, stored: object, cell: CellValue | None) -> object:
    """Read a changed cell as an answer to `field`; None for an empty one, which clears the answer.

    What cannot be read as the field wants it is given as the text it is: the check of answers refuses it in
    its own words. An answer without a field keeps its kind as long as the cell allows.

    Decision: G318.
    """
    text = "" if cell is None else cell_text(cell)
    if not text:
        return None
    return _unasked(stored, text) if field is None else _answer(field.type, cell, text)


def _answer(kind: FieldType, cell: CellValue | None, text: str) -> object:
    if kind is FieldType.NUMBER:
        return cell if isinstance(cell, int | float) and not isinstance(cell, bool) else _parsed_number(text)
    if kind is FieldType.CHECKBOX:
        return _FLAGS.get(text.lower(), text)
    if kind is FieldType.MULTISELECT and not text.startswith("["):
        return [entry.strip() for entry in text.split(LIST_SEPARATOR) if entry.strip()]
    return _parsed(text) if kind in _IN_JSON else text


def _unasked(stored: object, text: str) -> object:
    if isinstance(stored, bool):
        return _FLAGS.get(text.lower(), text)
    return text if stored is None or isinstance(stored, str) else _parsed(text)


def _is_plain(entry: object) -> bool:
    """Return whether an entry of a list survives being joined and split again."""
    is_text = isinstance(entry, str) and entry != "" and entry == entry.strip()
    return is_text and LIST_SEPARATOR not in str(entry) and not str(entry).startswith("[")


def _number(value: float) -> Written:
    if isinstance(value, int):
        return value if abs(value) <= _LARGEST_EXACT else str(value)
    if abs(value) > _LARGEST_ROUNDED:
        return str(value)
    return int(value) if value.is_integer() and abs(value) <= _LARGEST_EXACT else value


def _is_number(value: object) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _text(value: Written) -> str:
    return "" if value is None else cell_text(value).strip()


def _line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _parsed_number(text: str) -> object:
    if not _DECIMAL.fullmatch(text):
        return text
    number = float(text.replace(",", "."))
    if math.isinf(number):
        return text
    return int(number) if number.is_integer() and abs(number) <= _LARGEST_EXACT else number


def _parsed(text: str) -> object:
    try:
        parsed: object = json.loads(text, parse_constant=_finite, parse_float=_finite)
    except (ValueError, RecursionError):
        return text
    return parsed


def _finite(word: str) -> float:
    number = float(word)
    if not math.isfinite(number):
        raise ValueError(word)
    return number
