"""Tables as CSV: written so that no spreadsheet runs a text as a formula, and read back unchanged."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Final

from seqfacility_instance.workbooks.bounds import Bounds
from seqfacility_instance.workbooks.errors import NotCsv
from seqfacility_instance.workbooks.reading import SheetRow
from seqfacility_instance.workbooks.text_cells import cell_text
from seqfacility_instance.workbooks.writing import Written

CSV: Final = "text/csv; charset=utf-8"

BYTE_ORDER_MARK: Final = "\ufeff"
_LIKE_A_FORMULA: Final = re.compile(r"'*[=+\-@\t\r]")
_DELIMITERS: Final = ",;\t"


def table_csv(header: Sequence[str], rows: Iterable[Sequence[Written]]) -> bytes:
    """Write a table in UTF-8, with a byte-order mark: without it spreadsheets take it for something else.

    A text that a spreadsheet would run as a formula gets an apostrophe before it, and one more when it has
    some already.

    Decision: G318.
    """
    return (BYTE_ORDER_MARK + csv_lines([header]) + csv_lines(rows)).encode()


def csv_lines(rows: Iterable[Sequence[Written]]) -> str:
    """Write a part of a table, for tables that are too long to be held."""
    file = io.StringIO(newline="")
    csv.writer(file).writerows([_cell(value) for value in row] for row in rows)
    return file.getvalue()


def read_csv(content: bytes, bounds: Bounds) -> list[SheetRow]:
    """Read the rows that are not blank, the header first; comma, semicolon or tab, as the header has it.

    Raises `NotCsv`, `TooManyRows` or `TooManyColumns`.

    Decision: G318.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as other:
        raise NotCsv from other
    first_line = text.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=first_line.count)
    rows: list[SheetRow] = []
    try:
        records = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        for number, record in enumerate(records, start=1):
            cells = {column: _unquoted(cell.strip()) for column, cell in enumerate(record, 1) if cell.strip()}
            if cells:
                bounds.check_columns(max(cells))
                bounds.check_rows(len(rows))
                rows.append(SheetRow(number, {**cells}))
    except csv.Error as broken:
        raise NotCsv from broken
    return rows


def _cell(value: Written) -> str:
    if value is None:
        return ""
    return _quoted(value) if isinstance(value, str) else cell_text(value)


def _quoted(text: str) -> str:
    return f"'{text}" if _LIKE_A_FORMULA.match(text) else text


def _unquoted(text: str) -> str:
    return text[1:] if text.startswith("'") and _LIKE_A_FORMULA.match(text) else text
