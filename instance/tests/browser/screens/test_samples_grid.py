"""The table of samples as a person uses it: with a mouse, from a clipboard, and row by row."""

import csv
import io
from pathlib import Path

import pytest
from openpyxl import load_workbook
from playwright.sync_api import Download, Locator, Page, expect
from seqfacility_testkit.facility import RESEARCHER
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.pages import Viewer, axe, no_horizontal_scroll
from seqfacility_testkit.samples_grid import cell, drag_handle, expect_texts, paste, saved, select, type_into

FURTHER: dict[str, dict[str, object]] = {
    "Instrument": {"type": "select", "options": ["NovaSeq 6000", "NovaSeq X"]},
    "Collection date": {"type": "date"},
    "Replicate": {"type": "number"},
    "Site": {"type": "text"},
    "Remarks": {"type": "textarea"},
}
"""Questions of a facility beside those that every form has: together they are 12 columns."""

COLUMNS = (
    "Organism",
    "Taxonomy id",
    "Sample alias",
    "Sample title",
    "Barcode",
    "Volume",
    "Concentration",
    *FURTHER,
)


@pytest.fixture(autouse=True, scope="module")
def form(instance: LiveFacility) -> None:
    """Ask more of each sample, in columns of each kind."""
    admin = instance.sign_in()
    now = admin.get("/api/admin/form-config").json()
    common = {"groupId": "samples", "perSample": True}
    further = [
        {**common, **more, "id": f"f{place}", "name": f"f{place}", "label": label, "order": 50 + place}
        for place, (label, more) in enumerate(FURTHER.items())
    ]
    body = {"fields": [*now["fields"], *further], "groups": now["groups"], "version": now["version"]}
    answer = admin.put("/api/admin/form-config", json=body)
    assert answer.status_code == 200, answer.text


@pytest.fixture
def grid_page(viewer: Viewer) -> Page:
    """Return the page of a new order with an empty table."""
    page, _watch = viewer.open(RESEARCHER, reduced_motion="reduce")
    page.goto("/orders/new")
    expect(page.get_by_role("grid", name="Samples")).to_be_visible()
    return page


def choose_in_rows_menu(page: Page, name: str) -> None:
    page.get_by_role("button", name="Rows", exact=True).click()
    page.get_by_role("menuitem", name=name).click()


def selected(page: Page) -> Locator:
    return page.get_by_role("grid", name="Samples").locator('[role="gridcell"][aria-selected="true"]')


def test_the_fill_handle_counts_names_and_copies_what_is_chosen(grid_page: Page) -> None:
    page = grid_page
    given = {"Organism": "Escherichia coli K-12", "Sample alias": "lake-1", "Instrument": "NovaSeq 6000"}
    for label, text in given.items():
        type_into(page, 1, label, text)

    for label in given:
        # What is wrong with a save stands above the table, and moves it.
        saved(page)
        cell(page, 1, label).click()
        drag_handle(page, (1, label), (4, label))

    expect_texts(page, "Sample alias", ["lake-1", "lake-2", "lake-3", "lake-4", ""])
    expect_texts(page, "Organism", ["Escherichia coli K-12"] * 4 + [""])
    expect_texts(page, "Instrument", ["NovaSeq 6000"] * 4 + [""])
    expect(selected(page)).to_have_count(4)


def test_two_rows_are_continued_by_their_difference(grid_page: Page) -> None:
    page = grid_page
    for row, (alias, volume) in enumerate((("lake-1", "10"), ("lake-3", "12.5")), 1):
        type_into(page, row, "Sample alias", alias)
        type_into(page, row, "Volume", volume)
    select(page, (1, "Sample alias"), (2, "Volume"))

    drag_handle(page, (2, "Volume"), (4, "Volume"))

    expect_texts(page, "Sample alias", ["lake-1", "lake-3", "lake-5", "lake-7"])
    expect_texts(page, "Volume", ["10", "12.5", "15.0", "17.5"])
    page.get_by_role("button", name="Undo").click()
    expect_texts(page, "Volume", ["10", "12.5", "", ""])


def test_dragging_selects_what_delete_empties(grid_page: Page) -> None:
    page = grid_page
    page.get_by_role("grid", name="Samples").focus()
    paste(page, "Sample alias\tSample title\tSite\r\n" + "a\tb\tc\r\n" * 4)
    select(page, (1, "Sample alias"), (3, "Sample title"))

    expect(selected(page)).to_have_count(6)
    expect(page.get_by_text("3 rows \u00d7 2 columns")).to_be_visible()
    page.keyboard.press("Delete")

    expect_texts(page, "Sample alias", ["", "", "", "a"])
    expect_texts(page, "Sample title", ["", "", "", "b"])
    expect_texts(page, "Site", ["c"] * 4)


def test_a_series_fills_a_column_and_adds_its_rows(grid_page: Page) -> None:
    page = grid_page
    type_into(page, 1, "Sample alias", "lake-01")
    cell(page, 1, "Sample alias").click()
    page.get_by_role("button", name="Series").click()
    dialog = page.get_by_role("dialog", name="Fill with a series")
    expect(dialog.get_by_role("textbox", name="First value")).to_have_value("lake-01")

    dialog.get_by_role("textbox", name="Last value").fill("lake-12")
    dialog.get_by_role("button", name="Fill 12 cells").click()

    expect(dialog).to_have_count(0)
    expect(page.get_by_role("grid", name="Samples")).to_have_attribute("aria-rowcount", "13")
    expect_texts(page, "Sample alias", [f"lake-{row:02d}" for row in range(1, 13)])
    saved(page)


def test_find_goes_from_one_to_the_next_and_replaces_all(grid_page: Page) -> None:
    page = grid_page
    page.get_by_role("grid", name="Samples").focus()
    paste(page, "Sample alias\tSite\r\nlake-1\tLake\r\nriver-1\tRiver\r\nlake-2\tlake\r\n")
    cell(page, 1, "Sample alias").click()
    page.keyboard.press("Control+f")
    bar = page.get_by_role("search", name="Find and replace")
    expect(bar.get_by_role("searchbox", name="Find")).to_be_focused()

    page.keyboard.type("lake")
    expect(bar.get_by_role("status")).to_have_text("4 cells")
    page.keyboard.press("Enter")
    expect(cell(page, 1, "Site")).to_have_attribute("data-active", "true")
    page.keyboard.press("Enter")
    expect(cell(page, 3, "Sample alias")).to_have_attribute("data-active", "true")
    bar.get_by_label("Match case").check()
    expect(bar.get_by_role("status")).to_have_text("3 cells")
    bar.get_by_label("Replace with").fill("pond")
    bar.get_by_role("button", name="Replace in 3 cells").click()

    expect_texts(page, "Sample alias", ["pond-1", "river-1", "pond-2"])
    expect_texts(page, "Site", ["Lake", "River", "pond"])


def test_replace_stays_in_a_selection_of_several_cells(grid_page: Page) -> None:
    page = grid_page
    page.get_by_role("grid", name="Samples").focus()
    paste(page, "Sample alias\tSample title\r\n" + "".join(f"lake-{row}\tlake\r\n" for row in range(1, 5)))
    select(page, (2, "Sample alias"), (3, "Sample alias"))
    page.get_by_role("button", name="Find", exact=True).click()
    bar = page.get_by_role("search", name="Find and replace")
    bar.get_by_role("searchbox", name="Find").fill("lake")
    expect(bar.get_by_role("status")).to_have_text("2 cells in the selection")

    # Going to what is found does not end the search within these cells.
    bar.get_by_role("button", name="Next").click()
    expect(bar.get_by_role("status")).to_have_text("2 cells in the selection")
    bar.get_by_label("Replace with").fill("pond")
    bar.get_by_role("button", name="Replace in 2 cells").click()

    expect_texts(page, "Sample alias", ["lake-1", "pond-2", "pond-3", "lake-4"])
    expect_texts(page, "Sample title", ["lake"] * 4)
    cell(page, 1, "Site").click()
    expect(bar.get_by_role("status")).to_have_text("6 cells")


def test_rows_are_sorted_as_people_count_with_blank_ones_last(grid_page: Page) -> None:
    page = grid_page
    page.get_by_role("grid", name="Samples").focus()
    paste(page, "Sample alias\tSite\r\nlake-10\tten\r\nlake-9\tnine\r\nlake-1\tone\r\n")
    cell(page, 1, "Sample alias").click()

    choose_in_rows_menu(page, "Sort A to Z")
    expect_texts(page, "Sample alias", ["lake-1", "lake-9", "lake-10", ""])
    expect_texts(page, "Site", ["one", "nine", "ten"])
    choose_in_rows_menu(page, "Sort Z to A")
    expect_texts(page, "Sample alias", ["lake-10", "lake-9", "lake-1", ""])


def test_rows_are_duplicated_and_deleted(grid_page: Page) -> None:
    page = grid_page
    page.get_by_role("grid", name="Samples").focus()
    paste(page, "Sample alias\tSite\r\na\tnorth\r\nb\teast\r\nc\tsouth\r\n")
    select(page, (1, "Site"), (2, "Site"))

    choose_in_rows_menu(page, "Duplicate rows")
    expect_texts(page, "Sample alias", ["a", "b", "a", "b", "c", ""])
    expect(cell(page, 3, "Sample alias")).to_have_accessible_description("is also in row 1")
    choose_in_rows_menu(page, "Delete rows")

    expect_texts(page, "Sample alias", ["a", "b", "c", ""])
    page.get_by_role("button", name="Undo").click()
    expect_texts(page, "Sample alias", ["a", "b", "a", "b", "c", ""])


def test_only_problems_leaves_the_rows_to_correct(grid_page: Page) -> None:
    page = grid_page
    grid = page.get_by_role("grid", name="Samples")
    grid.focus()
    rows = "".join(f"soil metagenome\tlake-{row}\t{row}\r\n" for row in range(1, 6))
    paste(page, "Organism\tSample alias\tVolume\r\n" + rows.replace("\t4\r", "\tmuch\r"))

    page.get_by_role("button", name="Only problems (1)").click()
    expect(grid).to_have_attribute("aria-rowcount", "2")
    expect(cell(page, 1, "Sample alias")).to_have_text("lake-4")
    type_into(page, 1, "Volume", "4")
    # The row stays until somebody has seen it correct.
    expect(cell(page, 1, "Volume")).to_have_text("4")
    page.get_by_role("button", name="Only problems (0)").click()

    expect_texts(page, "Volume", ["1", "2", "3", "4", "5"])
    expect(page.get_by_role("button", name="Only problems")).to_have_count(0)


def test_a_column_of_a_paste_is_put_into_another_one(grid_page: Page, web: Path) -> None:
    page = grid_page
    page.get_by_role("grid", name="Samples").focus()
    paste(page, "Sample alias\tFreezer\tSite\r\nlake-1\tF1\tnorth\r\nlake-2\tF2\tsouth\r\n")
    expect(page.get_by_text("2 of 3 columns matched")).to_be_visible()
    page.get_by_role("button", name="Change", exact=True).click()

    page.get_by_role("combobox", name="Freezer").select_option("Sample title")
    page.get_by_role("combobox", name="Site").select_option("Leave out")

    expect(page.get_by_text("2 of 3 columns matched")).to_be_visible()
    expect_texts(page, "Sample title", ["F1", "F2"])
    expect_texts(page, "Site", ["", ""])
    axe(page, web)
    page.get_by_role("button", name="Undo").click()
    expect_texts(page, "Sample alias", ["", ""])


def test_a_point_before_three_digits_never_becomes_thousands_unseen(viewer: Viewer, web: Path) -> None:
    page, _watch = viewer.open(RESEARCHER, locale="de-DE", reduced_motion="reduce")
    page.goto("/orders/new")
    type_into(page, 1, "Volume", "12.125")
    expect(cell(page, 1, "Volume")).to_have_text("12.125")
    cell(page, 1, "Volume").click()

    paste(page, "12.125\r\n8.400\r\n")

    expect_texts(page, "Volume", ["12.125", "8.400"])
    expect(page.get_by_text("Volume: 12.125 is read as 12.125, not 12125")).to_be_visible()
    axe(page, web)
    no_horizontal_scroll(page)
    page.get_by_role("button", name="Read as 12125: Volume").click()
    expect_texts(page, "Volume", ["12125", "8400"])
    expect(page.get_by_text("Volume: 12.125 is read as 12125, not 12.125")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect_texts(page, "Volume", ["12.125", ""])


def test_a_comma_before_three_digits_is_asked_about(viewer: Viewer, web: Path) -> None:
    page, _watch = viewer.open(RESEARCHER, width=390, locale="en-US", reduced_motion="reduce")
    page.goto("/orders/new")
    type_into(page, 1, "Volume", "12,125")
    wrong = "could be 12.125 or 12125, type the one that is meant"
    expect(cell(page, 1, "Volume")).to_have_accessible_description(wrong)
    cell(page, 1, "Volume").click()

    paste(page, "12,125\r\n8,400\r\n")

    expect(page.get_by_text("Volume: 12,125 could be 12.125 or 12125")).to_be_visible()
    expect(page.get_by_role("grid", name="Samples").locator('[aria-invalid="true"]')).not_to_have_count(0)
    axe(page, web)
    no_horizontal_scroll(page)
    page.get_by_role("button", name="Read as 12.125: Volume").click()
    expect_texts(page, "Volume", ["12.125", "8.400"])
    expect(cell(page, 1, "Volume")).to_have_accessible_description("")


def test_an_organism_that_is_exchanged_takes_its_id_along(grid_page: Page) -> None:
    page = grid_page
    cell(page, 1, "Organism").click()
    page.keyboard.type("soil meta")
    page.get_by_role("option", name="soil metagenome 410658", exact=True).click()
    expect(cell(page, 1, "Taxonomy id")).to_have_text("410658")

    type_into(page, 1, "Organism", "Homo sapiens")

    expect(cell(page, 1, "Taxonomy id")).to_have_text("")
    page.get_by_role("button", name="Undo").click()
    expect(cell(page, 1, "Organism")).to_have_text("soil metagenome")
    expect(cell(page, 1, "Taxonomy id")).to_have_text("410658")


def test_the_template_and_an_export_have_the_columns_of_the_table(grid_page: Page) -> None:
    page = grid_page
    page.get_by_role("textbox", name="Order name").fill("Taken home")
    type_into(page, 1, "Sample alias", "lake-1")
    type_into(page, 1, "Volume", "12,5")
    saved(page)

    with page.expect_download() as template:
        page.get_by_role("button", name="Template").click()
    with page.expect_download() as export:
        page.get_by_role("link", name="Export").click()

    assert template.value.suggested_filename == "samples.csv"
    [header] = csv.reader(io.StringIO(content(template.value).decode("utf-8-sig")))
    assert len(header) == len(COLUMNS)
    assert header[:3] == ["sampleAlias", "scientificName", "taxId"]
    assert export.value.suggested_filename.endswith(".xlsx")
    rows = list(load_workbook(io.BytesIO(content(export.value))).worksheets[0].values)
    exported = dict(zip(rows[0], rows[1], strict=True))
    assert set(header) <= set(exported)
    assert (exported["sampleAlias"], exported["volumeUl"]) == ("lake-1", 12.5)


def content(download: Download) -> bytes:
    path = download.path()
    return path.read_bytes()


def test_5000_rows_of_12_columns_are_pasted_saved_and_read_again(viewer: Viewer) -> None:
    page, _watch = viewer.open(RESEARCHER)
    page.goto("/orders/new")
    grid = page.get_by_role("grid", name="Samples")
    expect(grid).to_have_attribute("aria-colcount", str(len(COLUMNS) + 1))
    grid.focus()

    paste(page, "".join("\t".join(sample(row)) + "\r\n" for row in range(1, 5001)))
    expect(grid).to_have_attribute("aria-rowcount", "5001")
    expect(page.get_by_role("status", name="Saved")).to_contain_text("Saved ", timeout=120_000)
    page.reload()

    expect(grid).to_have_attribute("aria-rowcount", "5001", timeout=60_000)
    grid.focus()
    page.keyboard.press("Control+End")
    expect(cell(page, 5000, "Sample alias")).to_have_text("lake-5000")
    assert tuple(cell(page, 5000, label).inner_text() for label in COLUMNS) == sample(5000)
    assert page.get_by_role("row").count() < 100


def sample(row: int) -> tuple[str, ...]:
    """Return what each of the 12 columns holds in a row."""
    return (
        "soil metagenome",
        "410658",
        f"lake-{row}",
        f"Lake, {row} m",
        f"barcode{row:02d}",
        "12.5",
        str(row),
        "NovaSeq X",
        "2026-05-04",
        str(row % 3 + 1),
        "north",
        f"box {row // 100}",
    )
