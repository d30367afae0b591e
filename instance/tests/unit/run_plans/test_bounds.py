"""What a workbook may cost: each bound at its edge and one step further."""

from collections.abc import Callable

import pytest
from seqfacility_instance.core import limits
from seqfacility_instance.run_plans.workbook import PLAN_BOUNDS, read_sheet
from seqfacility_instance.workbooks import archive, xml_parts
from seqfacility_instance.workbooks.archive import open_archive
from seqfacility_instance.workbooks.errors import NotAWorkbook
from seqfacility_instance.workbooks.reading import SHEET_MAX_CHARACTERS
from seqfacility_instance.workbooks.sheet_parts import CELL_MAX_CHARACTERS, LAST_COLUMN, LAST_ROW, read_rows
from seqfacility_instance.workbooks.xml_parts import Budget, Handlers, walk
from seqfacility_testkit.workbooks import MAIN, packed, sheet_part

USUAL_MEMBERS = 4


def in_chunks(text: str) -> list[bytes]:
    raw = text.encode()
    return [raw[start : start + archive.CHUNK_BYTES] for start in range(0, len(raw), archive.CHUNK_BYTES)]


def is_taken(work: Callable[[], object]) -> bool:
    try:
        work()
    except NotAWorkbook:
        return False
    return True


def walked(text: str, pieces: int = xml_parts.PIECES_MAX) -> bool:
    return is_taken(lambda: walk(in_chunks(text), Handlers({}), Budget(pieces)))


@pytest.mark.parametrize(("more", "taken"), [(-1, True), (0, True), (1, False)])
def test_elements_nest_forty_levels(more: int, *, taken: bool) -> None:
    levels = xml_parts.DEPTH_MAX + more

    assert walked("<a>" * levels + "</a>" * levels) is taken


@pytest.mark.parametrize(("more", "taken"), [(-1, True), (0, True), (1, False)])
def test_elements_and_attributes_are_counted(more: int, *, taken: bool) -> None:
    elements = 1 + 10
    attributes = 10
    pieces = elements * xml_parts.ELEMENT_PIECES + attributes - more

    assert walked("<a>" + '<b c=""/>' * 10 + "</a>", pieces) is taken


@pytest.mark.parametrize(("more", "taken"), [(-1, True), (0, True), (1, False)])
def test_a_part_has_two_thousand_names(more: int, *, taken: bool) -> None:
    names = xml_parts.NAMES_MAX + more

    assert walked("<a>" + "".join(f"<n{number}/>" for number in range(names - 1)) + "</a>") is taken


def test_a_tag_is_at_most_some_hundred_kilobytes() -> None:
    assert walked(f'<a b="{"x" * (xml_parts.TOKEN_MAX_BYTES // 2)}"/>')
    assert not walked(f'<a b="{"x" * (xml_parts.TOKEN_MAX_BYTES * 2)}"/>')


def test_long_text_is_no_long_tag() -> None:
    assert walked(f"<a>{'x' * 10 * xml_parts.TOKEN_MAX_BYTES}</a>")


def test_a_document_type_is_refused_wherever_it_stands() -> None:
    assert not walked("<!DOCTYPE a><a/>")
    assert not walked("<!-- x --><?x y?><!DOCTYPE a []><a/>")
    assert walked("<a>&lt;!DOCTYPE a&gt;</a>")


@pytest.mark.parametrize(("more", "taken"), [(-1, True), (0, True), (1, False)])
def test_an_archive_has_two_thousand_members(more: int, *, taken: bool) -> None:
    extra = archive.MEMBERS_MAX - USUAL_MEMBERS + more
    content = packed({f"m{number}": b"" for number in range(extra)}, method=0)

    assert is_taken(lambda: open_archive(content)) is taken


@pytest.mark.parametrize(("more", "taken"), [(-1, True), (0, True), (1, False)])
def test_an_archive_unpacks_to_a_hundred_mebibytes(more: int, *, taken: bool) -> None:
    usual = sum(member.file_size for member in open_archive(packed({})).members.values())
    fill = bytes(limits.WORKBOOK_MAX_UNPACKED_BYTES - usual + more)

    assert is_taken(lambda: open_archive(packed({"fill": fill}))) is taken


@pytest.mark.parametrize(("more", "taken"), [(-1, True), (0, True), (1, False)])
def test_a_cell_holds_what_a_spreadsheet_holds(more: int, *, taken: bool) -> None:
    text = "x" * (CELL_MAX_CHARACTERS + more)
    part = sheet_part(f'<row><c t="str"><v>{text}</v></c></row>')

    assert is_taken(lambda: read_rows(in_chunks(part), Budget(), PLAN_BOUNDS)) is taken


@pytest.mark.parametrize(("more", "taken"), [(-1, True), (0, True), (1, False)])
def test_positions_lie_in_a_sheet(more: int, *, taken: bool) -> None:
    row = sheet_part(f'<row r="{LAST_ROW + more}"/>')
    columns = sheet_part("<row>" + "<c/>" * (LAST_COLUMN + more) + "</row>")

    assert is_taken(lambda: read_rows(in_chunks(row), Budget(), PLAN_BOUNDS)) is taken
    assert is_taken(lambda: read_rows(in_chunks(columns), Budget(), PLAN_BOUNDS)) is taken


@pytest.mark.parametrize(("more", "taken"), [(0, True), (1, False)])
def test_a_sheet_holds_four_million_characters(more: int, *, taken: bool) -> None:
    length = 8192
    cells = SHEET_MAX_CHARACTERS // length
    rows = ("<row>" + '<c t="s"><v>0</v></c>' * 64 + "</row>") * (cells // 64)
    rest = '<row><c t="str"><v>x</v></c></row>' * more
    strings = f'<sst xmlns="{MAIN}"><si><t>{"x" * length}</t></si></sst>'
    content = packed({"xl/worksheets/sheet1.xml": sheet_part(rows + rest), "xl/sharedStrings.xml": strings})

    assert is_taken(lambda: read_sheet(content)) is taken
