"""`parsers/*.json`, and the reading of result tables within bounds."""

import csv
import io
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TypeAlias

from seqfacility_pipeline_package.documents import Fields, JsonObject, JsonValue, NotStrictJson, read_json
from seqfacility_pipeline_package.enums import ColumnType, TableFormat

MAX_TABLE_BYTES = 16 * 1024 * 1024
MAX_TABLE_ROWS = 100_000
MAX_PROBLEMS = 20

MISSING = frozenset({"", "-", "na", "n/a", "nan", "none", "null"})
"""What tools write for "no number", in lower case."""

CellValue: TypeAlias = str | int | float | None
Row: TypeAlias = Mapping[str, CellValue]

_INTEGER = re.compile(r"[+-]?[0-9]{1,18}(\.0+)?")


@dataclass(frozen=True, slots=True)
class ParserColumn:
    """One value that is taken from a table: `column` is its column, `name` is ours. Decision: G137."""

    name: str
    column: str
    type: ColumnType


@dataclass(frozen=True, slots=True)
class Parser:
    """How one kind of result table is read. Decision: G137."""

    id: str
    format: TableFormat
    columns: tuple[ParserColumn, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a table by our names, and what could not be read."""

    rows: tuple[Row, ...]
    problems: tuple[str, ...]


def parser_from(document: JsonObject) -> Parser:
    fields = Fields(document)
    return Parser(
        id=fields.text("id"),
        format=TableFormat(fields.text("format")),
        columns=tuple(
            ParserColumn(item.text("name"), item.text("column"), ColumnType(item.text("type")))
            for item in fields.parts("columns")
        ),
    )


def read_table(parser: Parser, content: bytes) -> Table:
    """Read the bytes of a table.

    A table has a header line (tsv, csv), or is a JSON array of objects or one object. Empty cells,
    number cells that say "no value", and cells of the wrong type become None, the latter with a
    problem. A missing column, more than 16 MiB or more than 100,000 rows are problems too; what was
    read until then is given.

    Decision: G137.
    """
    if len(content) > MAX_TABLE_BYTES:
        return Table((), (f"is larger than {MAX_TABLE_BYTES} bytes",))
    try:
        raw_rows = (
            _json_rows(content) if parser.format is TableFormat.JSON else _delimited_rows(parser, content)
        )
        return _typed(parser, raw_rows)
    except (NotStrictJson, csv.Error) as error:
        return Table((), (str(error),))
    except UnicodeDecodeError:
        return Table((), ("is not UTF-8 text",))


def row_of_file(rows: Sequence[Row], file_name: str, key: str = "name") -> Row | None:
    """Find the row that speaks of a file: its `name` is the file's name with or without extensions.

    The longest such name wins. This is how a bin finds its completeness and contamination in a
    table of the whole run.

    Decision: G190.
    """
    by_name = {row.get(key): row for row in reversed(rows)}
    names = (file_name, *_shortened(file_name))
    return next((by_name[name] for name in names if name in by_name), None)


def _shortened(file_name: str) -> Iterator[str]:
    path = PurePosixPath(file_name)
    while path.suffix:
        path = path.with_suffix("")
        yield path.name


def _delimited_rows(parser: Parser, content: bytes) -> Iterator[Mapping[str, JsonValue]]:
    delimiter = "\t" if parser.format is TableFormat.TSV else ","
    text = io.StringIO(content.decode("utf-8-sig"), newline="")
    reader = csv.reader(text, delimiter=delimiter)
    header = next(reader, None)
    if header is None:
        raise NotStrictJson("is empty")
    missing = [column.column for column in parser.columns if column.column not in header]
    if missing:
        raise NotStrictJson(f"has no column {missing[0]!r}")
    for cells in reader:
        if any(cells):
            yield dict(zip(header, cells, strict=False))


def _json_rows(content: bytes) -> Iterator[Mapping[str, JsonValue]]:
    value = read_json(content)
    items = value if isinstance(value, list) else [value]
    for item in items:
        if not isinstance(item, dict):
            raise NotStrictJson("is not a list of objects")
        yield item


def _typed(parser: Parser, raw_rows: Iterator[Mapping[str, JsonValue]]) -> Table:
    rows: list[Row] = []
    problems: list[str] = []
    for number, raw in enumerate(raw_rows, start=1):
        if number > MAX_TABLE_ROWS:
            problems.append(f"has more than {MAX_TABLE_ROWS} rows")
            break
        row: dict[str, CellValue] = {}
        for column in parser.columns:
            row[column.name], fault = _value(raw.get(column.column), column.type)
            if fault and len(problems) < MAX_PROBLEMS:
                problems.append(f"row {number}, {column.column}: {fault}")
        rows.append(row)
    return Table(tuple(rows), tuple(problems))


def _value(raw: JsonValue, kind: ColumnType) -> tuple[CellValue, str | None]:
    if isinstance(raw, bool | list | dict):
        return None, "is not a single value"
    text = "" if raw is None else str(raw).strip()
    if kind is ColumnType.STRING:
        return text or None, None
    if text.lower() in MISSING:
        return None, None
    return _whole_number(text) if kind is ColumnType.INT else _number(text)


def _whole_number(text: str) -> tuple[CellValue, str | None]:
    if _INTEGER.fullmatch(text) is None:
        return None, "is not a whole number"
    return int(text.partition(".")[0]), None


def _number(text: str) -> tuple[CellValue, str | None]:
    try:
        number = float(text)
    except ValueError:
        return None, "is not a number"
    return (number, None) if math.isfinite(number) else (None, "is not a finite number")
