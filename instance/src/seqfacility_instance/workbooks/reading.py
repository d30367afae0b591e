"""Reading a table out of an Excel workbook: which sheet, and the values of its cells.

The parts are streamed by `sheet_parts` within bounds, because a general reader of workbooks builds
everything that a file declares before the first row can be looked at. What number formats mean and how
serial numbers become dates is asked of openpyxl, imported only when a workbook comes with formatted numbers.
"""

import math
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, time
from typing import Final

from seqfacility_instance.workbooks.archive import MEMBERS_MAX, Archive, open_archive
from seqfacility_instance.workbooks.bounds import Bounds
from seqfacility_instance.workbooks.errors import NotAWorkbook, NoUsableSheet
from seqfacility_instance.workbooks.sheet_parts import (
    NUMBER,
    SHARED_STRING,
    RawCell,
    RawRow,
    read_rows,
    read_strings,
    whole_number,
)
from seqfacility_instance.workbooks.xml_parts import (
    Attributes,
    Budget,
    Handlers,
    spreadsheet_names,
    walk,
)

CellValue = str | int | float | bool | datetime
"""What a filled cell says; times of day and texts are `str`, dates are naive as they are in a sheet."""

SHEET_MAX_CHARACTERS: Final = 4 * 1024 * 1024
"""One long string can be referred to by every cell of a sheet, and each is written out in the answer."""

_XLSX_TYPE: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
_TYPES_NAMESPACE: Final = "http://schemas.openxmlformats.org/package/2006/content-types"
_LINKS_NAMESPACE: Final = "http://schemas.openxmlformats.org/package/2006/relationships"
_LINK_ATTRIBUTES: Final = (
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships id",
    "http://purl.oclc.org/ooxml/officeDocument/relationships id",
)
_DECIMAL: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?")
_LARGEST_EXACT: Final = 2**53
_FORMAT_MAX_CHARACTERS: Final = 255


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A row that is not blank: its number in the sheet, and its filled cells by column, both from 1."""

    number: int
    cells: Mapping[int, CellValue]


@dataclass(frozen=True, slots=True)
class Sheet:
    """The chosen worksheet; blank rows and blank cells are left out."""

    name: str
    rows: list[SheetRow]


@dataclass(frozen=True, slots=True)
class _Links:
    """What the relations of one part lead to: type (its last word) and name, by id."""

    by_id: Mapping[str, tuple[str, str]]

    def first(self, kind: str) -> str | None:
        return next((name for found, name in self.by_id.values() if found == kind), None)


@dataclass(frozen=True, slots=True)
class _Contents:
    """The worksheets of a workbook in order, as (name, part), and how it counts days."""

    worksheets: list[tuple[str, str]]
    counts_from_1904: bool


def read_sheet(content: bytes, bounds: Bounds) -> Sheet:
    """Read the worksheet of a workbook that holds the table.

    Chosen by name in the order of `bounds.sheet_names`, without case and outer spaces, then the first
    worksheet with more than one row; hidden sheets count like others. Raises `NotAWorkbook`, `NoUsableSheet`,
    `TooManyRows` or `TooManyColumns`.

    Spec: instance, Sequencing run-plan import. Decision: G201, G291, G292.
    """
    archive = open_archive(content)
    budget = Budget(bounds.pieces)
    part = _links(archive, "", budget).first("officeDocument")
    if part is None or not _is_xlsx(archive, part, budget):
        raise NotAWorkbook
    links = _links(archive, part, budget)
    contents = _contents(archive, part, links, budget)
    name, rows = _chosen(archive, contents, budget, bounds)
    dates = _date_styles(archive, links.first("styles"), rows, budget)
    strings = _strings(archive, links.first("sharedStrings"), rows, budget)
    return Sheet(name, list(_filled_rows(rows, strings, dates, counts_from_1904=contents.counts_from_1904)))


def _chosen(
    archive: Archive, contents: _Contents, budget: Budget, bounds: Bounds
) -> tuple[str, list[RawRow]]:
    by_name: dict[str, tuple[str, str]] = {}
    for name, part in contents.worksheets:
        by_name.setdefault(name.strip().lower(), (name, part))
    for wanted in bounds.sheet_names:
        if wanted in by_name:
            name, part = by_name[wanted]
            return name, read_rows(archive.chunks(part), budget, bounds)
    for name, part in contents.worksheets:
        rows = read_rows(archive.chunks(part), budget, bounds)
        if len(rows) > 1:
            return name, rows
    raise NoUsableSheet


def _links(archive: Archive, part: str, budget: Budget) -> _Links:
    """Read the relations of a part, of the whole package for an empty name."""
    folder, name = posixpath.split(part)
    found: dict[str, tuple[str, str]] = {}

    def on_link(attributes: Attributes) -> None:
        if len(found) == MEMBERS_MAX:
            raise NotAWorkbook
        if attributes.get("TargetMode") != "External":
            target = posixpath.normpath(posixpath.join("/", folder, attributes.get("Target", "")))
            kind = attributes.get("Type", "").rpartition("/")[2]
            found.setdefault(attributes.get("Id", ""), (kind, target.lstrip("/")))

    source = posixpath.join(folder, "_rels", f"{name}.rels")
    walk(archive.chunks(source), Handlers({f"{_LINKS_NAMESPACE} Relationship": on_link}), budget)
    return _Links(found)


def _is_xlsx(archive: Archive, part: str, budget: Budget) -> bool:
    """Return whether a part is the main part of a plain workbook without macros, not a template."""
    overrides: dict[str, str] = {}
    defaults: dict[str, str] = {}

    def on_override(attributes: Attributes) -> None:
        overrides[attributes.get("PartName", "").lower()] = attributes.get("ContentType", "")

    def on_default(attributes: Attributes) -> None:
        defaults[attributes.get("Extension", "").lower()] = attributes.get("ContentType", "")

    starts = {f"{_TYPES_NAMESPACE} Override": on_override, f"{_TYPES_NAMESPACE} Default": on_default}
    walk(archive.chunks("[Content_Types].xml"), Handlers(starts), budget)
    extension = posixpath.splitext(part)[1].lstrip(".").lower()
    return overrides.get(f"/{part.lower()}", defaults.get(extension)) == _XLSX_TYPE


def _contents(archive: Archive, part: str, links: _Links, budget: Budget) -> _Contents:
    worksheets: list[tuple[str, str]] = []
    flags: list[bool] = []

    def on_sheet(attributes: Attributes) -> None:
        link = next((attributes[name] for name in _LINK_ATTRIBUTES if name in attributes), "")
        kind, target = links.by_id.get(link, ("", ""))
        if len(worksheets) == MEMBERS_MAX:
            raise NotAWorkbook
        if kind == "worksheet":
            worksheets.append((attributes.get("name", ""), target))

    def on_properties(attributes: Attributes) -> None:
        flags.append(attributes.get("date1904") in {"1", "true"})

    starts = spreadsheet_names({"sheet": on_sheet, "workbookPr": on_properties})
    walk(archive.chunks(part), Handlers(starts), budget)
    return _Contents(worksheets, any(flags))


def _strings(archive: Archive, part: str | None, rows: Iterable[RawRow], budget: Budget) -> Mapping[int, str]:
    """Read the shared strings that the rows refer to; raises `NotAWorkbook` when one is missing."""
    wanted = {
        whole_number(cell.text.strip(), 0)
        for row in rows
        for cell in row.cells.values()
        if cell.kind == SHARED_STRING
    }
    if not wanted:
        return {}
    if part is None:
        raise NotAWorkbook
    strings = read_strings(archive.chunks(part), wanted, budget)
    if wanted - strings.keys():
        raise NotAWorkbook
    return strings


def _date_styles(
    archive: Archive, part: str | None, rows: Iterable[RawRow], budget: Budget
) -> frozenset[int]:
    """Find which of the formats of the rows' numbers show a date."""
    used = {cell.style for row in rows for cell in row.cells.values() if cell.kind == NUMBER and cell.style}
    if not used or part is None or not archive.has(part):
        return frozenset()
    from openpyxl.styles.numbers import BUILTIN_FORMATS, is_date_format, is_timedelta_format

    custom, cell_formats = _number_formats(archive, part, budget)
    dates = set()
    for style in used:
        number = cell_formats[style] if style < len(cell_formats) else 0
        code = custom.get(number, BUILTIN_FORMATS.get(number, "General"))[:_FORMAT_MAX_CHARACTERS]
        if is_date_format(code) and not is_timedelta_format(code):
            dates.add(style)
    return frozenset(dates)


def _number_formats(archive: Archive, part: str, budget: Budget) -> tuple[dict[int, str], list[int]]:
    """Read the number formats of a workbook by number, and the number that each cell format has."""
    codes: dict[int, str] = {}
    cell_formats: list[int] = []
    inside: list[str] = []

    def on_format(attributes: Attributes) -> None:
        codes[whole_number(attributes.get("numFmtId"), 0)] = attributes.get("formatCode", "")

    def on_cell_format(attributes: Attributes) -> None:
        if inside:
            cell_formats.append(whole_number(attributes.get("numFmtId"), 0))

    starts = {
        "numFmt": on_format,
        "xf": on_cell_format,
        "cellXfs": lambda _attributes: inside.append("cellXfs"),
    }
    ends = {"cellXfs": inside.clear}
    walk(archive.chunks(part), Handlers(spreadsheet_names(starts), spreadsheet_names(ends)), budget)
    return codes, cell_formats


def _filled_rows(
    rows: Iterable[RawRow], strings: Mapping[int, str], dates: frozenset[int], *, counts_from_1904: bool
) -> Iterator[SheetRow]:
    """Return each row the values of its cells; blank ones are left out."""
    characters = 0
    for row in rows:
        cells: dict[int, CellValue] = {}
        for column, cell in row.cells.items():
            value = _value(cell, strings, is_date=cell.style in dates, counts_from_1904=counts_from_1904)
            if value != "":
                cells[column] = value
                characters += len(value) if isinstance(value, str) else 1
        if characters > SHEET_MAX_CHARACTERS:
            raise NotAWorkbook
        if cells:
            yield SheetRow(row.number, cells)


def _value(cell: RawCell, strings: Mapping[int, str], *, is_date: bool, counts_from_1904: bool) -> CellValue:
    """Return what a cell holds; an empty text for a blank one. Texts are trimmed."""
    text = cell.text.strip()
    if cell.kind == SHARED_STRING:
        return strings[int(text)].strip()
    if cell.kind == "b":
        return text in {"1", "true"}
    if cell.kind == "d":
        return _iso_timestamp(text)
    if cell.kind != NUMBER or not text:
        return text
    number = _number(text)
    return _timestamp(number, counts_from_1904=counts_from_1904) if is_date else number


def _number(text: str) -> int | float:
    """Read a stored number; one without a fraction is an `int` as long as it is exact."""
    if len(text) > 64 or not _DECIMAL.fullmatch(text):
        raise NotAWorkbook
    number = float(text)
    if math.isinf(number):
        raise NotAWorkbook
    return int(number) if number.is_integer() and abs(number) <= _LARGEST_EXACT else number


def _timestamp(serial: float, *, counts_from_1904: bool) -> CellValue:
    """Turn a serial number into its moment; a time of day is text, what is no date stays a number."""
    from openpyxl.utils.datetime import CALENDAR_MAC_1904, CALENDAR_WINDOWS_1900, from_excel

    try:
        timestamp = from_excel(serial, CALENDAR_MAC_1904 if counts_from_1904 else CALENDAR_WINDOWS_1900)
    except (OverflowError, ValueError):
        return serial
    if isinstance(timestamp, time):
        return timestamp.isoformat("seconds")
    return timestamp if isinstance(timestamp, datetime) else serial


def _iso_timestamp(text: str) -> CellValue:
    try:
        return datetime.fromisoformat(text).replace(tzinfo=None)
    except ValueError:
        return text
