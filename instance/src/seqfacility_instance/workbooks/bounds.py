"""How large a table in a workbook may be, and which sheet it stands in."""

from dataclasses import dataclass
from typing import Final

from seqfacility_instance.workbooks.errors import TooManyColumns, TooManyRows

_ROOM_FOR_BLANK_ROWS: Final = 5
_ROOM_FOR_BLANK_CELLS: Final = 2


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one kind of table may hold: data rows, columns, and XML in all its parts together.

    `sheet_names` are looked for in this order, in lower case.
    """

    rows: int
    columns: int
    pieces: int
    sheet_names: tuple[str, ...]

    @property
    def raw_rows(self) -> int:
        """Rows that hold something, be it only a space: a row of spaces is blank, but that shows later."""
        return _ROOM_FOR_BLANK_ROWS * self.rows

    @property
    def raw_cells(self) -> int:
        """Twice what a table may hold, for the same reason."""
        return _ROOM_FOR_BLANK_CELLS * self.rows * self.columns

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
