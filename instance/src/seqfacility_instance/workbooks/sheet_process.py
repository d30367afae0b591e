"""The process that reads one workbook: the file on standard input, a line of JSON for each row on its output.

Nothing that is wrong with a file is caught here. It ends the process without a last line, as the kernel does
beyond a limit, and the service takes that for no workbook.
"""

import io
import json
import math
import posixpath
import re
import resource
import signal
import sys
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, time
from functools import cached_property
from itertools import chain, islice
from typing import Final, NamedTuple, TypedDict
from xml.etree.ElementTree import Element, SubElement, fromstring, iterparse
from xml.parsers import expat

from openpyxl.packaging.relationship import get_rels_path
from openpyxl.styles.numbers import BUILTIN_FORMATS, is_date_format, is_timedelta_format
from openpyxl.utils.datetime import CALENDAR_MAC_1904, CALENDAR_WINDOWS_1900, from_excel
from openpyxl.worksheet._reader import WorkSheetParser
from openpyxl.xml.constants import PKG_REL_NS, REL_NS, SHEET_MAIN_NS, XLSX

from seqfacility_instance.core import limits

Value = str | int | float | bool | list[str]
"""The value of a cell in JSON; a list holds a date."""

Row = tuple[int, dict[int, Value]]

_MAIN: Final = f"{{{SHEET_MAIN_NS}}}"
_TEXT: Final = f"{_MAIN}t"
_RUN: Final = f"{_MAIN}r"
_STRICT: Final = (
    (b"http://purl.oclc.org/ooxml/spreadsheetml/main", SHEET_MAIN_NS.encode()),
    (b"http://purl.oclc.org/ooxml/officeDocument/relationships", REL_NS.encode()),
)
_MAX_MEMBERS: Final = 2_000
_METHODS: Final = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_ENCRYPTED_OR_PATCHED: Final = 0x01 | 0x20 | 0x40
_LAST_ROW: Final = 1_048_576
_LAST_COLUMN: Final = 16_384
_LARGEST_EXACT: Final = 2**53
_MAX_FORMAT_CHARACTERS: Final = 255
_PROGRESS: Final = 10_000
_BRANCH: Final = 2
"""What a row or a shared string counts, against one for a cell: they take about twice the time."""
_CELLS_OF_LINE: Final = 16
_PROLOG_STEP: Final = 64 * limits.KIB
_ESCAPED: Final = re.compile(r"_x([0-9A-Fa-f]{4})_")
_SURROGATES: Final = range(0xD800, 0xE000)
_AS_TEXT: Final = {"b": "boolean", "d": "iso"}
"""WHY: openpyxl ends at a boolean `true` and at a date that it cannot read. What it does not know is text."""


class Task(TypedDict):
    """What a table may hold and cost, see `Bounds`."""

    sheet_names: tuple[str, ...]
    rows: int
    raw_rows: int
    raw_cells: int
    elements: int
    idle_seconds: float
    processor_seconds: int
    memory_bytes: int


class _Refused(Exception):
    """A refusal that has words of its own, by the name of its error."""


def main() -> None:
    """Read the workbook as the task on the command line says."""
    task: Task = json.loads(sys.argv[1])
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    _limit(task)
    progress = _Progress(task)
    content = sys.stdin.buffer.read()
    try:
        name, rows = _table(_Parts(content), task, progress)
        for number, cells in rows:
            remaining = iter(cells.items())
            while some := list(islice(remaining, _CELLS_OF_LINE)):
                _write([number, some])
        _write({"sheet": name})
    except _Refused as refused:
        _write({"refused": str(refused)})
    sys.stdout.flush()


def _write(line: object) -> None:
    sys.stdout.buffer.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")


def _limit(task: Task) -> None:
    """Have the kernel end this process beyond its memory, its processor time, or its time on the clock."""
    for kind, maximum in (
        (resource.RLIMIT_AS, task["memory_bytes"]),
        (resource.RLIMIT_CPU, task["processor_seconds"]),
        (resource.RLIMIT_FSIZE, 0),
    ):
        with suppress(ValueError, OSError):  # WHY: macOS knows no limit of the address space
            resource.setrlimit(kind, (maximum, maximum))
    signal.alarm(limits.WORKBOOK_CLOCK_SECONDS)


class _Progress:
    """How far the reading has come. The kernel ends this process when it spends too much without progress.

    WHY: a long table takes its time and gives rows and strings meanwhile, blank ones too. A bomb gives none,
    or too many.

    Decision: G524.
    """

    def __init__(self, task: Task) -> None:
        self._idle_seconds = task["idle_seconds"]
        self._left = self._next = task["elements"]
        self.rearm()

    def rearm(self) -> None:
        self._next = self._left - _PROGRESS
        signal.setitimer(signal.ITIMER_PROF, self._idle_seconds)

    def count(self, elements: int) -> None:
        """Count what was read; raises `ValueError` beyond the bound."""
        self._left -= elements
        if self._left < 0:
            raise ValueError
        if self._left <= self._next:
            self.rearm()


class _Parts(zipfile.ZipFile):
    """The parts of a workbook, by names without case; only archives as spreadsheet programs write them."""

    def __init__(self, content: bytes) -> None:
        super().__init__(io.BytesIO(content))
        members = self.infolist()
        self.names = {member.filename.lower(): member.filename for member in members}
        end = content.rindex(b"PK\x05\x06")
        if not (
            content.startswith(b"PK\x03\x04")
            and content[end + 4 : end + 8] == bytes(4)  # the first disk of one
            and len(self.names) == len(members) <= _MAX_MEMBERS
            and sum(member.file_size for member in members) <= limits.WORKBOOK_MAX_UNPACKED_BYTES
            and all(member.compress_type in _METHODS for member in members)
            and not any(member.flag_bits & _ENCRYPTED_OR_PATCHED for member in members)
            and not any(
                name.startswith("/") or "\\" in name or ".." in name.split("/") for name in self.names
            )
        ):
            raise zipfile.BadZipFile

    def read(self, name: str, pwd: bytes | None = None) -> bytes:  # type: ignore[override]  # by name alone
        """Return a part without document type, of either conformance class as a transitional one."""
        part = super().read(self.names[name.lower()], pwd)
        _check_prolog(part)
        for strict, transitional in _STRICT:
            part = part.replace(strict, transitional)
        return part

    def tree(self, name: str) -> Element:
        """Return a small part as a whole."""
        return fromstring(self.read(name))  # noqa: S314  # without document type


def _check_prolog(part: bytes) -> None:
    """Raise `ValueError` when a part has a document type, which can stand before its first element only."""
    found: list[str] = []
    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = lambda *_: found.append("type")
    parser.StartElementHandler = lambda *_: found.append("element")
    for start in range(0, len(part), _PROLOG_STEP):
        parser.Parse(part[start : start + _PROLOG_STEP], False)  # expat takes it by position only
        if found:
            break
    if found[:1] != ["element"]:
        raise ValueError


class _Link(NamedTuple):
    kind: str
    target: str


@dataclass
class _Book:
    """What the cells of a workbook share. Each part is read when a cell asks for it."""

    parts: _Parts
    links: dict[str, _Link]
    epoch: datetime
    progress: _Progress

    def __getitem__(self, number: int) -> str:
        """Return a shared string; the part is read as far as the last that was asked for."""
        if number < 0:
            raise IndexError
        self._texts.extend(islice(self._coming, max(0, number + 1 - len(self._texts))))
        return self._texts[number]

    @cached_property
    def _texts(self) -> list[str]:
        return []

    @cached_property
    def _coming(self) -> Iterator[str]:
        strings = self.parts.read(_first(self.links, "sharedStrings"))
        for item in _elements(strings, "si"):
            self.progress.count(_BRANCH)
            yield _plain_text(item)

    @cached_property
    def _format_codes(self) -> list[str]:
        try:
            styles = self.parts.tree(_first(self.links, "styles"))
        except KeyError:
            return []
        codes = dict(BUILTIN_FORMATS)
        for added in styles.iter(f"{_MAIN}numFmt"):
            codes[int(added.get("numFmtId", 0))] = added.get("formatCode", "")
        formats = styles.iterfind(f"{_MAIN}cellXfs/{_MAIN}xf")
        return [codes.get(int(one.get("numFmtId", 0)), "General") for one in formats]

    @cached_property
    def _date_styles(self) -> dict[int, bool]:
        return {}

    def shows_date(self, style: int) -> bool:
        """Return whether the number format of a cell shows a date, not a length of time."""
        if style not in self._date_styles:
            code = "".join(self._format_codes[style : style + 1])[:_MAX_FORMAT_CHARACTERS]
            self._date_styles[style] = is_date_format(code) and not is_timedelta_format(code)
        return self._date_styles[style]


def _table(parts: _Parts, task: Task, progress: _Progress) -> tuple[str, Iterator[Row]]:
    """Find the worksheet of the table: by its name, else the first with more than one row."""
    part = _first(_links(parts, ""), "officeDocument")
    types = {
        (kind.get("PartName") or kind.get("Extension") or "").lower(): kind.get("ContentType")
        for kind in parts.tree("[Content_Types].xml")
    }
    if types.get(f"/{part.lower()}", types.get(part.rpartition(".")[2].lower())) != XLSX:
        raise ValueError
    links = _links(parts, part)
    workbook = parts.tree(part)
    from_1904 = any(one.get("date1904") in {"1", "true"} for one in workbook.iter(f"{_MAIN}workbookPr"))
    book = _Book(parts, links, CALENDAR_MAC_1904 if from_1904 else CALENDAR_WINDOWS_1900, progress)
    sheets = [
        (sheet.get("name", ""), links[link].target)
        for sheet in workbook.iter(f"{_MAIN}sheet")
        if (link := sheet.get(f"{{{REL_NS}}}id", "")) in links and links[link].kind == "worksheet"
    ]
    if any(len(name) > limits.SINGLE_LINE_MAX_CHARACTERS for name, _target in sheets):
        raise ValueError
    by_name = {name.strip().lower(): (name, target) for name, target in reversed(sheets)}
    for wanted in task["sheet_names"]:
        if wanted in by_name:
            name, target = by_name[wanted]
            return name, _rows(book, target, task)
    for name, target in sheets:
        rows = _rows(book, target, task)
        if len(first := list(islice(rows, 2))) > 1:
            return name, chain(first, rows)
    raise _Refused("NoUsableSheet")


def _links(parts: _Parts, part: str) -> dict[str, _Link]:
    """Return the relationships of a part inside the workbook by their ids.

    WHY: openpyxl takes none of them when one has no type, or an attribute that it does not know.
    """
    links: dict[str, _Link] = {}
    relationships = parts.tree(get_rels_path(part))  # type: ignore[no-untyped-call]  # the stubs lack it
    for one in relationships.iterfind(f"{{{PKG_REL_NS}}}Relationship"):
        if one.get("TargetMode") != "External":
            target = posixpath.normpath(posixpath.join("/", posixpath.dirname(part), one.get("Target", "")))
            kind = one.get("Type", "").rpartition("/")[2]
            links.setdefault(one.get("Id", ""), _Link(kind, target.lstrip("/")))
    if len(links) > _MAX_MEMBERS:
        raise ValueError
    return links


def _first(links: dict[str, _Link], kind: str) -> str:
    """Return the part of the first link of a kind; raises `KeyError` when there is none."""
    for link in links.values():
        if link.kind == kind:
            return link.target
    raise KeyError(kind)


def _elements(part: bytes, tag: str) -> Iterator[Element]:
    """Return the elements of one name as they are read, up to the end of the data of a sheet."""
    for _event, element in iterparse(io.BytesIO(part)):  # noqa: S314  # without document type
        if element.tag == f"{_MAIN}{tag}":
            yield element
            element.clear()
        elif element.tag == f"{_MAIN}sheetData":
            return


def _plain_text(item: Element) -> str:
    """Return the text of a shared or inline string without its fonts and phonetic hints."""
    texts = (part.find(_TEXT) if part.tag == _RUN else part for part in item if part.tag in {_TEXT, _RUN})
    return "".join(text.text or "" for text in texts if text is not None)


def _rows(book: _Book, part: str, task: Task) -> Iterator[Row]:
    """Read the rows that hold anything, be it spaces; the dimension that a sheet declares is not read.

    Decision: G201, G525.
    """
    parser = WorkSheetParser(io.BytesIO(), book, data_only=True)
    previous = rows = cells = characters = 0
    for element in _elements(book.parts.read(part), "row"):
        book.progress.count(_BRANCH + len(element))
        for cell in element:
            if (kind := cell.get("t")) in _AS_TEXT:
                cell.set("t", _AS_TEXT[kind])
            elif kind == "inlineStr" and (inline := cell.find(f"{_MAIN}is")) is not None:
                # WHY: openpyxl refuses fonts that it does not know
                cell[:] = []
                cell.set("t", "str")
                SubElement(cell, f"{_MAIN}v").text = _plain_text(inline)
        number, read = parser.parse_row(element)  # type: ignore[arg-type]  # the stubs lack elements
        if not previous < number <= _LAST_ROW or any(cell["column"] > _LAST_COLUMN for cell in read):
            raise ValueError
        parser.row_dimensions.clear()
        previous = number
        filled = [cell for cell in read if cell["value"] is not None]
        if not filled:
            continue
        book.progress.rearm()
        rows += 1
        cells += len(filled)
        if rows > task["raw_rows"] or (cells > task["raw_cells"] and rows > task["rows"]):
            raise _Refused("TooManyRows")
        if cells > task["raw_cells"]:
            raise _Refused("TooManyColumns")
        values = {
            cell["column"]: _value(book, cell["data_type"], cell["value"], cell["style_id"])
            for cell in filled
        }
        characters += sum(len(value) if isinstance(value, str) else 1 for value in values.values())
        if characters > limits.WORKBOOK_MAX_CHARACTERS:
            raise ValueError
        yield number, {column: value for column, value in values.items() if value != ""}


def _value(book: _Book, kind: str, stored: str | float, style: int) -> Value:
    """Return what a cell holds; texts are trimmed, times of day are text, a blank cell is an empty one."""
    if isinstance(stored, str):
        if len(stored) > limits.CELL_MAX_CHARACTERS:
            raise ValueError
        text = (_ESCAPED.sub(_decoded, stored) if "_x" in stored else stored).strip()
        if kind == "boolean":
            return text in {"1", "true"}
        return _iso_timestamp(text) if kind == "iso" else text
    number = float(stored)
    if not math.isfinite(number):
        raise ValueError
    shown = _shown_date(number, book.epoch) if style and book.shows_date(style) else None
    if shown is not None:
        return shown
    return int(number) if number.is_integer() and abs(number) <= _LARGEST_EXACT else number


def _decoded(escape: re.Match[str]) -> str:
    """Decode one escape; NUL and half a surrogate pair stay as they are written: no text may hold them."""
    code = int(escape[1], 16)
    return escape[0] if code == 0 or code in _SURROGATES else chr(code)


def _shown_date(serial: float, epoch: datetime) -> Value | None:
    """Turn a serial number into its date or time of day; None for what is neither, which stays a number."""
    try:
        shown = from_excel(serial, epoch)
    except (OverflowError, ValueError):
        return None
    if isinstance(shown, time):
        return shown.isoformat("seconds")
    return [shown.isoformat()] if isinstance(shown, datetime) else None


def _iso_timestamp(text: str) -> Value:
    try:
        return [datetime.fromisoformat(text).replace(tzinfo=None).isoformat()]
    except ValueError:
        return text
