"""Reading the rows of one worksheet, and the shared strings that they refer to, as raw as they are stored."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from seqfacility_instance.workbooks.bounds import Bounds
from seqfacility_instance.workbooks.columns import column_number
from seqfacility_instance.workbooks.errors import NotAWorkbook
from seqfacility_instance.workbooks.xml_parts import (
    Attributes,
    Budget,
    Enough,
    Handlers,
    OnEnd,
    OnStart,
    spreadsheet_names,
    walk,
)

LAST_ROW: Final = 1_048_576
LAST_COLUMN: Final = 16_384

CELL_MAX_CHARACTERS: Final = 32_767
"""What a cell of a spreadsheet program holds."""

NUMBER: Final = "n"
SHARED_STRING: Final = "s"
"""Types of a cell that are looked at; a cell without a type is a number."""

_REFERENCE: Final = re.compile(r"[A-Z]{1,3}[1-9][0-9]{0,6}")
_ESCAPED: Final = re.compile(r"_x([0-9A-Fa-f]{4})_")
_SURROGATES: Final = range(0xD800, 0xE000)


class RawCell(NamedTuple):
    """A cell as stored: its type, its text (for a shared string the number of it) and its format."""

    kind: str
    text: str
    style: int


@dataclass(frozen=True, slots=True)
class RawRow:
    """A row that holds something: its number in the sheet and its cells by column, both from 1."""

    number: int
    cells: dict[int, RawCell]


@dataclass(slots=True)
class _TextReader:
    """Collects the texts of one cell or string: what stands in `v` and `t`, but not how it is pronounced."""

    texts: list[str] = field(default_factory=list)
    characters: int = 0
    is_wanted: bool = True
    collects: bool = False
    is_phonetic: bool = False

    def handlers(self, starts: Mapping[str, OnStart], ends: Mapping[str, OnEnd]) -> Handlers:
        """Return what happens at each element: `starts` and `ends` beside what collects texts."""
        text_starts = {"v": self.start_text, "t": self.start_text, "rPh": self.start_phonetic}
        text_ends = {"v": self.end_text, "t": self.end_text, "rPh": self.end_phonetic}
        return Handlers(
            spreadsheet_names({**text_starts, **starts}),
            spreadsheet_names({**text_ends, **ends}),
            self.take_text,
        )

    def begin(self) -> None:
        """Forget the texts before."""
        self.texts, self.characters = [], 0

    def text(self) -> str:
        """Return the text of this cell or string, `_x000D_` and the like decoded."""
        text = "".join(self.texts)
        return _ESCAPED.sub(_decoded, text) if "_x" in text else text

    def start_text(self, _attributes: Attributes) -> None:
        self.collects = self.is_wanted and not self.is_phonetic

    def end_text(self) -> None:
        self.collects = False

    def start_phonetic(self, _attributes: Attributes) -> None:
        self.is_phonetic = True

    def end_phonetic(self) -> None:
        self.is_phonetic = False

    def take_text(self, text: str) -> None:
        if self.collects:
            self.characters += len(text)
            if self.characters > CELL_MAX_CHARACTERS:
                raise NotAWorkbook
            self.texts.append(text)


@dataclass(slots=True)
class _SheetReader(_TextReader):
    """Collects the rows of a worksheet while its part streams by.

    Positions come from the cells and rows themselves; what a sheet declares as its dimension is not heard.
    """

    bounds: Bounds = field(kw_only=True)
    rows: list[RawRow] = field(default_factory=list)
    number: int = 0
    column: int = 0
    cells: dict[int, RawCell] = field(default_factory=dict)
    count: int = 0
    kind: str = NUMBER
    style: int = 0
    columns: dict[str, int] = field(default_factory=dict)

    def read(self, chunks: Iterable[bytes], budget: Budget) -> list[RawRow]:
        starts = {"row": self.start_row, "c": self.start_cell}
        ends = {"row": self.end_row, "c": self.end_cell, "sheetData": _stop}
        walk(chunks, self.handlers(starts, ends), budget)
        return self.rows

    def start_row(self, attributes: Attributes) -> None:
        number = whole_number(attributes.get("r"), self.number + 1)
        if not self.number < number <= LAST_ROW:
            raise NotAWorkbook
        self.number, self.column, self.cells = number, 0, {}

    def start_cell(self, attributes: Attributes) -> None:
        reference = attributes.get("r")
        self.column = self.column + 1 if reference is None else self.column_of(reference)
        if self.column > LAST_COLUMN:
            raise NotAWorkbook
        self.kind = attributes.get("t", NUMBER)
        self.style = whole_number(attributes.get("s"), 0)
        self.begin()

    def column_of(self, reference: str) -> int:
        letters = reference.rstrip("0123456789")
        column = self.columns.get(letters)
        if column is None:
            if not _REFERENCE.fullmatch(reference):
                raise NotAWorkbook
            column = self.columns[letters] = column_number(letters)
        return column

    def end_cell(self) -> None:
        text = self.text()
        if text:
            self.cells[self.column] = RawCell(self.kind, text, self.style)

    def end_row(self) -> None:
        if not self.cells:
            return
        self.rows.append(RawRow(self.number, self.cells))
        self.count += len(self.cells)
        if len(self.rows) > self.bounds.raw_rows:
            raise self.bounds.too_many_rows()
        if self.count > self.bounds.raw_cells:
            self.bounds.check_rows(len(self.rows))
            raise self.bounds.too_many_columns()


@dataclass(slots=True)
class _StringReader(_TextReader):
    """Collects the shared strings that are wanted, by number."""

    wanted: Collection[int] = ()
    last: int = -1
    number: int = -1
    strings: dict[int, str] = field(default_factory=dict)

    def read(self, chunks: Iterable[bytes], budget: Budget) -> dict[int, str]:
        walk(chunks, self.handlers({"si": self.start_string}, {"si": self.end_string}), budget)
        return self.strings

    def start_string(self, _attributes: Attributes) -> None:
        self.number += 1
        self.is_wanted = self.number in self.wanted
        if self.is_wanted:
            self.begin()

    def end_string(self) -> None:
        if self.is_wanted:
            self.strings[self.number] = self.text()
        if self.number >= self.last:
            raise Enough


def read_rows(chunks: Iterable[bytes], budget: Budget, bounds: Bounds) -> list[RawRow]:
    """Read the rows of a worksheet that hold anything, in their order.

    Raises `TooManyRows` or `TooManyColumns` as soon as no table can have so many, `NotAWorkbook` for
    positions outside a sheet or out of order.

    Decision: G201, G292.
    """
    return _SheetReader(bounds=bounds).read(chunks, budget)


def read_strings(chunks: Iterable[bytes], wanted: Collection[int], budget: Budget) -> dict[int, str]:
    """Read the shared strings of these numbers, rich text joined; the part is left after the last of them.

    Decision: G201.
    """
    return _StringReader(wanted=wanted, last=max(wanted)).read(chunks, budget)


def _decoded(escape: re.Match[str]) -> str:
    """Decode one escape; NUL and half a surrogate pair stay as they are written: no text may hold them."""
    code = int(escape[1], 16)
    return escape[0] if code == 0 or code in _SURROGATES else chr(code)


def whole_number(text: str | None, default: int) -> int:
    """Read a number of an attribute; raises `NotAWorkbook` for anything else."""
    if text is None:
        return default
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise NotAWorkbook
    return int(text)


def _stop() -> None:
    raise Enough
