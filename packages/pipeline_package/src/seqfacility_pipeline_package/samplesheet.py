"""`samplesheet.json`, and the writing of the sample sheet that a workflow reads. Decision: G154."""

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from seqfacility_pipeline_package.documents import Fields, JsonObject, JsonValue
from seqfacility_pipeline_package.enums import TableFormat

LINE_BREAKS = frozenset("\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")
"""Everything that some reader of a table takes for the end of a line."""

ANY_OTHER = "*"
"""The key of a column's `map` that stands for every value the map does not name."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column: a `source` or a fixed `value`. Decision: G136."""

    name: str
    source: str | None
    value: str | int | float | bool | None
    required: bool
    map: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Samplesheet:
    """The columns of a pipeline's sample sheet. Decision: G136."""

    format: TableFormat
    columns: tuple[Column, ...]

    @property
    def file_name(self) -> str:
        return f"samplesheet.{self.format.value}"


@dataclass(frozen=True, slots=True)
class SheetSources:
    """What is known of one sample: its row of each table, keys as the documents spell them.

    `sample` holds `sampleId` (the code) and may hold `customFields`; `read` holds `file1`, `file2`
    (absolute paths or None) and `readLayout`. A sheet of a sequencing run has one row, of `sequencing_run`
    alone: `runId`, `folder` and `sampleSheet`, both absolute paths.

    Decision: G136, G985.
    """

    sample: Mapping[str, JsonValue] = field(default_factory=dict)
    order: Mapping[str, JsonValue] = field(default_factory=dict)
    study: Mapping[str, JsonValue] = field(default_factory=dict)
    read: Mapping[str, JsonValue] = field(default_factory=dict)
    sequencing_run: Mapping[str, JsonValue] = field(default_factory=dict)

    @property
    def code(self) -> str:
        """What the row is called in problems: the sample's code, or the id of the sequencing run."""
        return str(self.sample["sampleId"] if self.sample else self.sequencing_run["runId"])


@dataclass(frozen=True, slots=True)
class SheetText:
    """A finished sheet, or the reasons why there is none (`<sample code>: <reason>`)."""

    text: str
    problems: tuple[str, ...]


def samplesheet_from(document: JsonObject) -> Samplesheet:
    fields = Fields(document)
    return Samplesheet(
        format=TableFormat(fields.text("format")),
        columns=tuple(_column_from(item) for item in fields.parts("columns")),
    )


def sheet_text(sheet: Samplesheet, samples: Iterable[SheetSources]) -> SheetText:
    """Write the sample sheet: a header line, then one row a sample, sorted by sample code.

    Quoting follows RFC 4180; lines end with a line feed, because workflows split on it. A value with
    a line break or NUL, a missing required value, a value that is a list or an object, and a value
    that the column's `map` does not name are input problems; `text` is then empty.

    Decision: G136.
    """
    rows: list[list[str]] = []
    problems: list[str] = []
    for sources in sorted(samples, key=lambda item: item.code):
        row = []
        for column in sheet.columns:
            cell = _cell(column, sources)
            problems.extend([f"{sources.code}: {cell.reason}"] if cell.reason else [])
            row.append(cell.text)
        rows.append(row)
    if problems:
        return SheetText("", tuple(problems))
    written = io.StringIO()
    delimiter = "\t" if sheet.format is TableFormat.TSV else ","
    writer = csv.writer(written, delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_MINIMAL)
    writer.writerow([column.name for column in sheet.columns])
    writer.writerows(rows)
    return SheetText(written.getvalue(), ())


@dataclass(frozen=True, slots=True)
class _Cell:
    text: str
    reason: str | None = None


def _cell(column: Column, sources: SheetSources) -> _Cell:
    value = column.value if column.source is None else _sourced(column.source, sources)
    if isinstance(value, list | dict):
        return _Cell("", f"{column.name} is not a single value")
    text = _plain(value)
    if text and column.map:
        mapped = column.map.get(text, column.map.get(ANY_OTHER))
        if mapped is None:
            return _Cell("", f"{column.name} has no meaning for {text[:80]!r}")
        text = mapped
    if column.required and not text:
        return _Cell("", f"{column.name} is missing")
    if LINE_BREAKS & set(text) or "\0" in text:
        return _Cell("", f"{column.name} has a line break in it")
    return _Cell(text)


def _sourced(source: str, sources: SheetSources) -> JsonValue:
    table, _, key = source.partition(".")
    if table == "sample" and key.startswith("customFields."):
        custom = sources.sample.get("customFields")
        return custom.get(key.removeprefix("customFields.")) if isinstance(custom, dict) else None
    rows = {
        "sample": sources.sample,
        "order": sources.order,
        "study": sources.study,
        "read": sources.read,
        "sequencingRun": sources.sequencing_run,
    }
    return rows[table].get(key)


def _plain(value: JsonValue) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _column_from(fields: Fields) -> Column:
    value = fields.values.get("value")
    return Column(
        name=fields.text("name"),
        source=fields.optional_text("source"),
        value=value if isinstance(value, str | int | float) else None,
        required=fields.flag("required"),
        map={key: str(text) for key, text in fields.mapping("map").items()},
    )
