"""Writing a plain table as a workbook: a bold header, and texts that stay texts."""

import io
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from seqfacility_instance.workbooks.text_cells import escaped_text

if TYPE_CHECKING:
    from openpyxl.cell.cell import Cell
    from openpyxl.worksheet._write_only import WriteOnlyWorksheet

XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

Written = str | int | float | bool | None


def table_workbook(sheet_name: str, header: Sequence[str], rows: Iterable[Sequence[Written]]) -> bytes:
    """Write a table as the one sheet of a workbook; row by row, so that a long one needs little memory.

    HAZARD: a text that begins with `=` would become a formula, and one like `#N/A` an error.

    Decision: G318.
    """
    from openpyxl import Workbook
    from openpyxl.styles import Font

    book = Workbook(write_only=True)
    sheet = book.create_sheet(sheet_name)
    sheet.freeze_panes = "A2"
    bold = Font(bold=True)
    titles = [_text_cell(sheet, title) for title in header]
    for title in titles:
        title.font = bold
    sheet.append(titles)
    for row in rows:
        sheet.append([_text_cell(sheet, value) if isinstance(value, str) else value for value in row])
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def _text_cell(sheet: "WriteOnlyWorksheet", text: str) -> "Cell":
    from openpyxl.cell import WriteOnlyCell

    cell = WriteOnlyCell(sheet, escaped_text(text))
    cell.data_type = "s"
    return cell
