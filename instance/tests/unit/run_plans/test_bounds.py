"""What a workbook may hold and cost: each bound at its edge and one step further."""

import io
import os
import subprocess
import sys
import time
import tracemalloc
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from seqfacility_instance.core import limits
from seqfacility_instance.run_plans.workbook import PLAN_BOUNDS
from seqfacility_instance.workbooks import reading
from seqfacility_instance.workbooks.bounds import Bounds
from seqfacility_instance.workbooks.errors import NotAWorkbook
from seqfacility_testkit.hostile_workbooks import HOSTILE
from seqfacility_testkit.workbooks import BOOK, BOOK_LINKS, MAIN, packed, sheet_part

SHEET = "xl/worksheets/sheet1.xml"
PLAIN = sheet_part('<row><c t="str"><v>Run</v></c></row>')
USUAL_MEMBERS = 5
LAST_ROW = 1_048_576
LAST_COLUMN = 16_384


def is_taken(content: bytes, bounds: Bounds = PLAN_BOUNDS) -> bool:
    try:
        reading.read_sheet(content, bounds)
    except NotAWorkbook:
        return False
    return True


def parts() -> dict[str, str]:
    archive = zipfile.ZipFile(io.BytesIO(packed({SHEET: PLAIN})))
    return {name: archive.read(name).decode() for name in archive.namelist()}


def children() -> set[str]:
    listed = Path(f"/proc/{os.getpid()}/task").glob("*/children")
    return {child for names in listed for child in names.read_text("ascii").split()}


def test_a_document_type_is_refused_wherever_it_stands() -> None:
    assert not is_taken(packed({SHEET: f"<!DOCTYPE a>{PLAIN}"}))
    assert not is_taken(packed({SHEET: f"<!-- x --><?x y?><!DOCTYPE a []>{PLAIN}"}))
    assert not is_taken(packed({SHEET: f'<?xml version="1.0"?><!DOCTYPE a>{PLAIN}'.encode("utf-16")}))
    assert is_taken(packed({SHEET: PLAIN.replace("Run", "&lt;!DOCTYPE a&gt;")}))
    assert is_taken(packed({SHEET: PLAIN.replace("Run", "<![CDATA[<!DOCTYPE a>]]>")}))


@pytest.mark.parametrize(("more", "taken"), [(0, True), (1, False)])
def test_an_archive_has_two_thousand_members(more: int, *, taken: bool) -> None:
    extra = {f"m{number}": b"" for number in range(2_000 - USUAL_MEMBERS + more)}

    assert is_taken(packed({SHEET: PLAIN, **extra}, method=0)) is taken


@pytest.mark.parametrize(("more", "taken"), [(0, True), (1, False)])
def test_an_archive_unpacks_to_a_hundred_mebibytes(more: int, *, taken: bool) -> None:
    usual = sum(len(part) for part in parts().values())
    fill = bytes(limits.WORKBOOK_MAX_UNPACKED_BYTES - usual + more)

    assert is_taken(packed({SHEET: PLAIN, "fill": fill})) is taken


@pytest.mark.parametrize(("more", "taken"), [(0, True), (1, False)])
def test_a_cell_holds_what_a_spreadsheet_holds(more: int, *, taken: bool) -> None:
    text = "x" * (limits.CELL_MAX_CHARACTERS + more)

    assert is_taken(packed({SHEET: PLAIN.replace("Run", text)})) is taken


@pytest.mark.parametrize(("more", "taken"), [(0, True), (1, False)])
@pytest.mark.parametrize(
    "rows",
    [
        lambda more: f'<row r="{LAST_ROW + more}"/>',
        lambda more: f"<row>{'<c/>' * (LAST_COLUMN + more)}</row>",
    ],
)
def test_positions_lie_in_a_sheet(rows: Callable[[int], str], more: int, *, taken: bool) -> None:
    assert is_taken(packed({SHEET: sheet_part(rows(more))})) is taken


@pytest.mark.parametrize(("more", "taken"), [(0, True), (1, False)])
def test_a_sheet_holds_four_million_characters(more: int, *, taken: bool) -> None:
    length = 8192
    cells = limits.WORKBOOK_MAX_CHARACTERS // length
    rows = ("<row>" + '<c t="s"><v>0</v></c>' * 64 + "</row>") * (cells // 64)
    rest = '<row><c t="str"><v>x</v></c></row>' * more
    strings = f'<sst xmlns="{MAIN}"><si><t>{"x" * length}</t></si></sst>'

    assert is_taken(packed({SHEET: sheet_part(rows + rest), "xl/sharedStrings.xml": strings})) is taken


def test_a_workbook_of_the_strict_class_is_read() -> None:
    namespaces = {
        MAIN: "http://purl.oclc.org/ooxml/spreadsheetml/main",
        "http://schemas.openxmlformats.org/officeDocument/2006": "http://purl.oclc.org/ooxml/officeDocument",
    }
    strict = parts()
    for transitional, other in namespaces.items():
        strict = {name: part.replace(transitional, other) for name, part in strict.items()}

    assert reading.read_sheet(packed(strict), PLAN_BOUNDS).rows[0].cells == {1: "Run"}


@pytest.mark.parametrize(
    "bounds",
    [
        replace(PLAN_BOUNDS, memory_bytes=16 * limits.MIB),
        replace(PLAN_BOUNDS, idle_seconds=0.001),
    ],
    ids=["memory", "time without progress"],
)
def test_what_exceeds_a_limit_of_the_kernel_is_no_workbook(bounds: Bounds) -> None:
    content = packed({SHEET: PLAIN.replace("<sheetData>", " " * 8 * limits.MIB + "<sheetData>")})
    before = children()

    assert not is_taken(content, bounds)
    assert is_taken(content)
    assert children() == before


def test_rows_do_not_lengthen_the_time_for_all_of_them() -> None:
    slow = packed({SHEET: sheet_part("<row/>" * 2_000_000)})
    bounds = replace(
        PLAN_BOUNDS, rows=100_000, idle_seconds=60, memory_bytes=2048 * limits.MIB, processor_seconds=1
    )

    assert not is_taken(slow, bounds)


@pytest.mark.parametrize(
    "program",
    [
        "import os; os.abort()",
        "print('rubbish')",
        "print('[1, 2]')",
        "print('{{}}')",
        """print('{{"refused": "else"}}')""",
        """print('[1, [[1, [5]]]]'); print('{{"sheet": "x"}}')""",
        "import sys\nsys.stdin.buffer.read()\nwhile True: print('[1, []]')",
        "import sys; sys.stdin.close(); import time; time.sleep(0.1)",
        "",
    ],
)
def test_a_process_that_answers_anything_else_read_no_workbook(
    program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "_PROGRAM", f"print('ready', flush=True)\n{program}")
    monkeypatch.setattr(limits, "WORKBOOK_MAX_ANSWER_BYTES", limits.MIB)
    before = children()

    assert not is_taken(bytes(limits.MIB))
    assert children() == before


@pytest.mark.parametrize("program", ["import missing_library", "print('rubbish')", "import os; os.abort()"])
def test_a_process_that_does_not_start_is_no_fault_of_the_file(
    program: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(reading, "_PROGRAM", program)
    before = children()

    with pytest.raises(RuntimeError, match="does not start"):
        is_taken(bytes(limits.MIB))

    assert "exit code" in caplog.text
    assert ("missing_library" in caplog.text) is ("missing_library" in program)
    assert children() == before


def test_the_process_finds_the_libraries_of_the_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    program = "import os, json; print('ready', json.dumps({{'sheet': str(sorted(os.environ))}}), sep='\\n')"
    monkeypatch.setattr(reading, "_PROGRAM", program)
    monkeypatch.setenv("LD_LIBRARY_PATH", "/nowhere")
    monkeypatch.setenv("SEQFACILITY_SECRET", "x")

    names = reading.read_sheet(b"", PLAN_BOUNDS).name

    assert "LD_LIBRARY_PATH" in names
    assert "SEQFACILITY_SECRET" not in names


@pytest.mark.parametrize(
    ("rows", "strings"),
    [
        (("<row>" + '<c s="1"/>' * 20 + "</row>") * 15_000, 1),
        ('<row><c s="1"/></row>' * 100_000, 1),
        ('<row ht="20" customHeight="1"/>' * 300_000, 1),
        ('<row><c t="s"><v>149999</v></c></row>', 150_000),
    ],
    ids=["formatted cells", "a formatted column", "heights", "strings"],
)
def test_a_workbook_with_much_formatting_is_read(rows: str, strings: int) -> None:
    parts = {
        SHEET: sheet_part(f'<row><c t="s"><v>0</v></c></row>{rows}'),
        "xl/sharedStrings.xml": f'<sst xmlns="{MAIN}">{"<si><t>Run</t></si>" * strings}</sst>',
    }

    assert reading.read_sheet(packed(parts), PLAN_BOUNDS).rows[0].cells == {1: "Run"}


@pytest.mark.parametrize(("more", "taken"), [(0, True), (1, False)])
def test_the_cells_that_are_read_are_bounded(more: int, *, taken: bool) -> None:
    bounds = replace(PLAN_BOUNDS, rows=1, columns=1)
    row = f"<row>{'<c/>' * 998}</row>"
    rest = f"<row>{'<c/>' * (bounds.elements % 1000 + 995 + more)}</row>"
    rows = '<row><c t="str"><v>Run</v></c></row>' + row * (bounds.elements // 1000 - 1) + rest

    assert is_taken(packed({SHEET: sheet_part(rows)}), bounds) is taken


def test_one_string_in_many_cells_is_held_once() -> None:
    text = "\U0001f600" * limits.CELL_MAX_CHARACTERS
    parts = {
        SHEET: sheet_part("<row>" + '<c t="s"><v>0</v></c>' * 100 + "</row>"),
        "xl/sharedStrings.xml": f'<sst xmlns="{MAIN}"><si><t>{text}</t></si></sst>',
    }
    content = packed(parts)
    tracemalloc.start()
    try:
        (row,) = reading.read_sheet(content, PLAN_BOUNDS).rows
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert len(row.cells) == 100
    assert set(row.cells.values()) == {text}
    assert peak < 16 * limits.MIB


@pytest.mark.parametrize(("more", "taken"), [(0, True), (1, False)])
def test_the_name_of_a_sheet_is_a_line_of_text(more: int, *, taken: bool) -> None:
    name = "S" * (limits.SINGLE_LINE_MAX_CHARACTERS + more)
    book = BOOK.replace('"Samples"', f'"{name}"')

    second = PLAIN.replace("</row>", '</row><row><c t="str"><v>R</v></c></row>')
    assert is_taken(packed({SHEET: second, "xl/workbook.xml": book})) is taken


def test_a_shared_string_before_the_first_is_no_string() -> None:
    strings = f'<sst xmlns="{MAIN}"><si><t>x</t></si></sst>'
    cells = '<row><c t="s"><v>0</v></c><c t="s"><v>-1</v></c></row>'

    assert not is_taken(packed({SHEET: sheet_part(cells), "xl/sharedStrings.xml": strings}))


def test_a_font_of_an_inline_string_does_not_matter() -> None:
    font = '<rPr><color rgb="red"/><family val="34"/><charset val="999"/></rPr>'
    text = f"<is><r>{font}<t>Ru</t></r><r><t>n</t></r><rPh sb='0' eb='1'><t>x</t></rPh></is>"
    rows = f'<row><c t="inlineStr">{text}</c></row>'

    assert reading.read_sheet(packed({SHEET: sheet_part(rows)}), PLAN_BOUNDS).rows[0].cells == {1: "Run"}


@pytest.mark.parametrize("odd", ["", 'Type="http://x/y" odd="1"'])
def test_an_odd_relationship_does_not_hide_the_others(odd: str) -> None:
    links = BOOK_LINKS.replace("</Relationships>", f'<Relationship Id="x" Target="y" {odd}/></Relationships>')

    assert is_taken(packed({SHEET: PLAIN, "xl/_rels/workbook.xml.rels": links}))


def test_a_process_does_not_outlive_a_worker_that_is_killed(tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.xlsx"
    bomb.write_bytes(HOSTILE["ten million empty cells"][0]())
    code = (
        "import sys, pathlib; from seqfacility_instance.run_plans.workbook import read_sheet; "
        "read_sheet(pathlib.Path(sys.argv[1]).read_bytes())"
    )
    worker = subprocess.Popen([sys.executable, "-c", code, str(bomb)])
    listed = Path(f"/proc/{worker.pid}/task/{worker.pid}/children")
    deadline = time.monotonic() + 60
    while not (reader := listed.read_text("ascii").split()):
        assert time.monotonic() < deadline

    worker.kill()
    worker.wait()

    while is_running(reader[0]):
        assert time.monotonic() < deadline


def is_running(pid: str) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text("ascii")
    except (FileNotFoundError, ProcessLookupError):
        return False
