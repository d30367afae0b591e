"""What the cells of a plan say: trimmed texts, barcodes, dates, concentrations."""

import math
import re
from datetime import date, datetime, timedelta
from typing import Final

from seqfacility_instance.core.barcodes import normalised_barcode
from seqfacility_instance.run_plans.headers import Field
from seqfacility_instance.workbooks.reading import CellValue
from seqfacility_instance.workbooks.text_cells import cell_text

PlanValue = str | int | float | bool
"""A value as it is shown in a preview and stored."""

_GERMAN_DATE: Final = re.compile(r"([0-9]{2})\.([0-9]{2})\.([0-9]{4})")
_DECIMAL: Final = re.compile(
    r"[+-]?(?:[0-9]{1,30}(?:[.,][0-9]{1,30})?|[.,][0-9]{1,30})(?:[eE][+-]?[0-9]{1,3})?"
)
_SERIAL_DAYS: Final = range(20_000, 80_000)
"""Days since the end of 1899, in 1954 to 2119: five digits, so that a bare year is none."""

_DAY_ZERO: Final = date(1899, 12, 30)


def shown(value: CellValue) -> PlanValue:
    """Return a value of an unmapped column: numbers stay numbers, dates become text. Decision: G202, G281."""
    return cell_text(value) if isinstance(value, datetime) else value


def barcode(value: CellValue | None) -> str | None:
    """Read a barcode in its one spelling. Decision: G203."""
    return None if value is None else normalised_barcode(cell_text(value))


def custom_value(field: Field, value: CellValue) -> PlanValue:
    """Read the value of a custom field as it is shown and stored. Decision: G203."""
    if field is Field.SAMPLING_DATE:
        return sampling_date(value)
    if field is Field.CONCENTRATION:
        return concentration(value)
    return cell_text(value)


def sampling_date(value: CellValue) -> str:
    """Write a date as `YYYY-MM-DD`: one of Excel, its bare serial number, or `dd.mm.yyyy`.

    Other text stays; so does a number that is no recent day, a year perhaps.

    Decision: G203, G293.
    """
    if isinstance(value, datetime):
        return value.date().isoformat()
    if isinstance(value, int) and value in _SERIAL_DAYS:
        return (_DAY_ZERO + timedelta(days=value)).isoformat()
    text = cell_text(value)
    german = _GERMAN_DATE.fullmatch(text)
    if german is None:
        return text
    try:
        return date(int(german[3]), int(german[2]), int(german[1])).isoformat()
    except ValueError:
        return text


def concentration(value: CellValue) -> PlanValue:
    """Read a number, with a decimal point or comma; other text stays. Decision: G203."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    text = cell_text(value)
    if not _DECIMAL.fullmatch(text):
        return text
    number = float(text.replace(",", "."))
    if math.isinf(number):
        return text
    return int(number) if number.is_integer() and abs(number) < 2**53 else number
