"""What is written into a workbook is read out of it, by our reader as by a general one."""

import io
from datetime import datetime
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st
from openpyxl import Workbook, load_workbook
from seqfacility_instance.run_plans.headers import CUSTOM_FIELDS, WRITTEN_HEADERS, Field
from seqfacility_instance.run_plans.rules import PlanRow, read_plan
from seqfacility_instance.run_plans.workbook import read_sheet
from seqfacility_instance.run_plans.workbook_writer import WrittenValue, export_workbook
from seqfacility_instance.workbooks.reading import CellValue, Sheet, SheetRow
from seqfacility_testkit.workbooks import saved
from seqfacility_wire.errors import ServiceError

PRINTABLE = st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff")
STORABLE = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
TEXTS = st.text(PRINTABLE, min_size=1, max_size=30)
FIRST, LAST = datetime(1901, 1, 1), datetime(2200, 1, 1)  # noqa: DTZ001  # a sheet knows no time zones
MOMENTS = st.datetimes(FIRST, LAST).map(lambda timestamp: timestamp.replace(microsecond=0))
FLOATS = st.floats(-1e300, 1e300).map(lambda number: float(f"{number:.15g}"))
"""Numbers of as many digits as a spreadsheet keeps."""

NUMBERS = st.integers(-(2**53), 2**53) | FLOATS
CELLS = st.one_of(st.none(), TEXTS, NUMBERS, st.booleans(), MOMENTS)


def stored_texts() -> st.SearchStrategy[str]:
    """Texts as they are stored: trimmed, not empty, at most 255 characters."""
    return st.text(STORABLE, max_size=40).map(str.strip).filter(bool)


def meaning(value: Any) -> CellValue:
    """What a cell means to us: texts trimmed, whole numbers whole."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, float) and value.is_integer() and abs(value) <= 2**53:
        return int(value)
    known: CellValue = value
    return known


@given(st.lists(st.lists(CELLS, max_size=12), min_size=1, max_size=12))
def test_our_reader_and_a_general_one_agree_on_every_cell(rows: list[list[Any]]) -> None:
    book = Workbook()
    book.worksheets[0].title = "Samples"
    for row in rows:
        book.worksheets[0].append(row)
        for cell in book.worksheets[0][book.worksheets[0].max_row] if row else ():
            if isinstance(cell.value, str):
                cell.data_type = "s"
    content = saved(book)

    ours = {
        (row.number, column): value for row in read_sheet(content).rows for column, value in row.cells.items()
    }

    general = load_workbook(io.BytesIO(content), data_only=True)["Samples"]
    theirs = {
        (cell.row, cell.column): meaning(cell.value)
        for line in general.iter_rows()
        for cell in line
        if cell.value is not None and meaning(cell.value) != ""
    }
    assert ours == theirs


ROWS = st.fixed_dictionaries(
    {Field.RUN_ID: stored_texts(), Field.SAMPLE_CODE: stored_texts()},
    optional={
        Field.BARCODE: st.integers(1, 96).map(lambda number: f"barcode{number:02d}"),
        Field.CONCENTRATION: FLOATS | st.integers(0, 10**6),
        Field.SAMPLING_DATE: st.dates(FIRST.date()).map(lambda day: day.isoformat()) | st.just("spring"),
        Field.MATERIAL: stored_texts(),
        Field.STORAGE_BOX: stored_texts(),
        Field.STORAGE_POSITION: stored_texts(),
        Field.STORAGE_BUFFER: stored_texts(),
    },
)


def as_written(row: PlanRow) -> dict[Field, WrittenValue]:
    named: dict[Field, WrittenValue] = {
        Field.RUN_ID: row.run_id,
        Field.SAMPLE_CODE: row.sample_code,
        Field.BARCODE: row.barcode,
    }
    custom = {field: row.custom_fields.get(field.value) for field in CUSTOM_FIELDS}
    return {field: value for field, value in {**named, **custom}.items() if value is not None}


@given(st.lists(ROWS, max_size=8))
@example(
    [
        {
            Field.RUN_ID: "=1+1",
            Field.SAMPLE_CODE: "#N/A",
            Field.MATERIAL: "_x0041_",
            Field.STORAGE_BOX: "a\r\nb",
        }
    ]
)
def test_an_exported_plan_is_read_back_as_it_was(rows: list[dict[Field, WrittenValue]]) -> None:
    plan = read_plan(read_sheet(export_workbook(rows)))

    assert [as_written(row) for row in plan.rows] == rows
    assert plan.unmapped_columns == []


INTACT = export_workbook([{Field.RUN_ID: "R", Field.SAMPLE_CODE: "S", Field.CONCENTRATION: 1}])
"""Made once: a workbook tells when it was made, so no two are alike."""


@settings(max_examples=300)
@given(st.data())
def test_a_damaged_workbook_is_read_or_refused_and_nothing_else(data: st.DataObject) -> None:
    content = bytearray(INTACT)
    places = data.draw(st.lists(st.integers(0, len(content) - 1), max_size=6))
    for place in places:
        content[place] = data.draw(st.integers(0, 255))
    end = data.draw(st.integers(0, len(content)) | st.just(len(content)))

    try:
        read = read_plan(read_sheet(bytes(content[:end]))).sheet
    except ServiceError as refused:
        read = refused.text

    assert read


HEADERS = st.dictionaries(
    st.integers(1, 8), st.sampled_from([*WRITTEN_HEADERS.values(), "Run", "Patient", "Freezer", "Note"])
)
FILLED = st.one_of(stored_texts(), NUMBERS, st.booleans(), MOMENTS)


@given(HEADERS, st.lists(st.dictionaries(st.integers(1, 8), FILLED, min_size=1), max_size=5))
def test_every_cell_of_a_sheet_is_shown_once(headers: dict[int, CellValue], rows: list[Any]) -> None:
    cells = [SheetRow(number, row) for number, row in enumerate(rows, start=2)]

    plan = read_plan(Sheet("x", [SheetRow(1, headers), *cells]))

    for row, read in zip(rows, plan.rows, strict=True):
        named = [value for value in (read.run_id, read.sample_code, read.barcode) if value is not None]
        assert len(named) + len(read.custom_fields) + len(read.unmapped) == len(row)
