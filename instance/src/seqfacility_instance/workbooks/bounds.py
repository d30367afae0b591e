"""How large a table in a workbook may be, and which sheet it stands in."""

from dataclasses import asdict, dataclass
from typing import Any, Final

from seqfacility_instance.core import limits
from seqfacility_instance.workbooks.errors import TooManyColumns, TooManyRows

_ROOM_FOR_BLANK_ROWS: Final = 5
_ROOM_FOR_BLANK_CELLS: Final = 2


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one kind of table may hold, and what the process that reads it may take.

    `sheet_names` are looked for in this order, in lower case. `idle_seconds` is processor time without
    progress.

    Decision: G524.
    """

    rows: int
    columns: int
    sheet_names: tuple[str, ...]
    idle_seconds: float
    processor_seconds: int
    memory_bytes: int

    @property
    def raw_rows(self) -> int:
        """Rows that hold something, be it only a space: a row of spaces is blank, but that shows later."""
        return _ROOM_FOR_BLANK_ROWS * self.rows

    @property
    def raw_cells(self) -> int:
        """Twice what a table may hold, for the same reason."""
        return _ROOM_FOR_BLANK_CELLS * self.rows * self.columns

    @property
    def elements(self) -> int:
        """Cells that are read. A row counts as two, and so does a shared string; each cell may have one."""
        return 2 * self.raw_cells + limits.WORKBOOK_MAX_BLANKS

    def task(self) -> dict[str, Any]:
        """Return all this in JSON."""
        return {
            **asdict(self),
            "raw_rows": self.raw_rows,
            "raw_cells": self.raw_cells,
            "elements": self.elements,
        }

    def check_rows(self, data_rows: int) -> None:
        """Raise `TooManyRows` beyond the rows of a table. Decision: G201."""
        if data_rows > self.rows:
            raise self.too_many_rows()

    def check_columns(self, last_column: int) -> None:
        """Raise `TooManyColumns` beyond the columns of a table. Decision: G201."""
        if last_column > self.columns:
            raise self.too_many_columns()

    def too_many_rows(self) -> TooManyRows:
        """Return the refusal in the words of this kind of table."""
        return TooManyRows(rows=self.rows)

    def too_many_columns(self) -> TooManyColumns:
        """Return the refusal in the words of this kind of table."""
        return TooManyColumns(columns=self.columns)
