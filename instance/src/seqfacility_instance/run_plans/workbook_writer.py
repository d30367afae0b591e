"""Writing workbooks: the export of a run, and a template to fill in."""

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Final, Literal

from seqfacility_wire.timestamps import parse_date

from seqfacility_instance.core import limits
from seqfacility_instance.run_plans.headers import WRITTEN_HEADERS, Field
from seqfacility_instance.workbooks.columns import column_letters, column_number
from seqfacility_instance.workbooks.text_cells import escaped_text

if TYPE_CHECKING:
    from openpyxl.workbook.workbook import Workbook
    from openpyxl.worksheet.datavalidation import DataValidation
    from openpyxl.worksheet.worksheet import Worksheet

SHEET_NAME: Final = "Run Samples"
LISTS_NAME: Final = "Lists"
XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

_LAST_ROW: Final = limits.RUN_PLAN_MAX_ROWS + 1
_WIDTHS: Final[Mapping[Field, int]] = {Field.SAMPLE_CODE: 26, Field.MATERIAL: 22, Field.RUN_ID: 22}
_DEFAULT_WIDTH: Final = 16
_FIRST_YEAR: Final = 1901
"""Spreadsheets believe in a 29 February 1900, so the days before are written as text."""

WrittenValue = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Choices:
    """What a template offers in its drop-downs."""

    run_ids: Sequence[str]
    sample_codes: Sequence[str]
    barcodes: Sequence[str]


def export_workbook(rows: Iterable[Mapping[Field, WrittenValue]]) -> bytes:
    """Write a plan that the import reads back: sheet `Run Samples`, one row for each place. Decision: G88."""
    book, sheet = _new_book()
    _write_rows(sheet, rows)
    return _saved(book)


def template_workbook(rows: Iterable[Mapping[Field, WrittenValue]], choices: Choices) -> bytes:
    """Write a plan to fill in: drop-downs for runs, samples and barcodes, checks on numbers and dates.

    The choices stand in a hidden sheet. Another run or barcode may be typed after a warning, another sample
    may not.

    Decision: G294.
    """
    book, sheet = _new_book()
    _write_rows(sheet, rows)
    lists = book.create_sheet(LISTS_NAME)
    lists.sheet_state = "hidden"
    _offer(sheet, lists, Field.RUN_ID, choices.run_ids, "warning")
    _offer(sheet, lists, Field.SAMPLE_CODE, choices.sample_codes, "stop")
    _offer(sheet, lists, Field.BARCODE, choices.barcodes, "warning")
    _check_values(sheet)
    return _saved(book)


def _new_book() -> "tuple[Workbook, Worksheet]":
    from openpyxl import Workbook
    from openpyxl.styles import Font

    book = Workbook()
    sheet: Worksheet = book.worksheets[0]
    sheet.title = SHEET_NAME
    sheet.freeze_panes = "A2"
    for column, (field, header) in enumerate(WRITTEN_HEADERS.items(), start=1):
        sheet.cell(1, column, header).font = Font(bold=True)
        sheet.column_dimensions[column_letters(column)].width = _WIDTHS.get(field, _DEFAULT_WIDTH)
    return book, sheet


def _write_rows(sheet: "Worksheet", rows: Iterable[Mapping[Field, WrittenValue]]) -> None:
    for number, values in enumerate(rows, start=2):
        for column, field in enumerate(WRITTEN_HEADERS, start=1):
            value = values.get(field)
            day = _day(value) if field is Field.SAMPLING_DATE else None
            if day is not None:
                cell = sheet.cell(number, column, day)
                cell.number_format = "yyyy-mm-dd"
            elif value is not None:
                _set(sheet, number, column, value)


def _set(sheet: "Worksheet", row: int, column: int, value: str | float | bool) -> None:
    """Write a value as what it is.

    HAZARD: a text that begins with `=` would become a formula, and one like `#N/A` an error.
    """
    if not isinstance(value, str):
        sheet.cell(row, column, value)
        return
    cell = sheet.cell(row, column, escaped_text(value))
    cell.data_type = "s"


def _day(value: WrittenValue) -> date | None:
    try:
        day = parse_date(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return day if day is not None and day.year >= _FIRST_YEAR else None


def _offer(
    sheet: "Worksheet",
    lists: "Worksheet",
    field: Field,
    offered: Sequence[str],
    severity: Literal["stop", "warning"],
) -> None:
    """Offer texts in a column of the plan: they are listed in the column of the same letter of `lists`."""
    from openpyxl.worksheet.datavalidation import DataValidation

    letters = _letters(field)
    column = column_number(letters)
    for row, text in enumerate((WRITTEN_HEADERS[field], *offered), start=1):
        _set(lists, row, column, text)
    if offered:
        source = f"={LISTS_NAME}!${letters}$2:${letters}${len(offered) + 1}"
        rule = DataValidation(
            type="list", formula1=source, errorStyle=severity, error="This is not in the list."
        )
        _add_rule(sheet, field, rule)


def _check_values(sheet: "Worksheet") -> None:
    from openpyxl.worksheet.datavalidation import DataValidation

    number = DataValidation(type="decimal", operator="greaterThanOrEqual", formula1="0", errorStyle="warning")
    number.error = "A concentration is a number of ng/µl."
    day = DataValidation(type="date", operator="greaterThanOrEqual", formula1="1", errorStyle="warning")
    day.error = "A sampling date is a date."
    _add_rule(sheet, Field.CONCENTRATION, number)
    _add_rule(sheet, Field.SAMPLING_DATE, day)


def _add_rule(sheet: "Worksheet", field: Field, rule: "DataValidation") -> None:
    rule.allow_blank = True
    rule.showErrorMessage = True
    rule.errorTitle = WRITTEN_HEADERS[field]
    rule.add(f"{_letters(field)}2:{_letters(field)}{_LAST_ROW}")
    sheet.add_data_validation(rule)


def _letters(field: Field) -> str:
    return column_letters(list(WRITTEN_HEADERS).index(field) + 1)


def _saved(book: "Workbook") -> bytes:
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()
