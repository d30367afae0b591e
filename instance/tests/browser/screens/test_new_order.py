"""The page of a new order: readable by everybody in every state, and nothing that is typed is lost."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import FilePayload, expect
from seqfacility_testkit.facility import RESEARCHER
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.pages import LOOKS, Theme, Viewer, axe, no_horizontal_scroll
from seqfacility_testkit.samples_grid import cell, type_into


@pytest.fixture(autouse=True, scope="module")
def catalog(instance: LiveFacility) -> None:
    """Give the instance the technologies that come with a release."""
    instance.sign_in().request("POST", "/api/admin/sequencing-tech", json={"action": "reset"})


@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_a_new_order_has_no_finding_in_any_state(viewer: Viewer, web: Path, width: int, theme: Theme) -> None:
    page, _watch = viewer.open(RESEARCHER, width=width, theme=theme, reduced_motion="reduce")
    page.goto("/orders/new")
    grid = page.get_by_role("grid", name="Samples")
    expect(grid).to_be_visible()
    expect(page).to_have_title(re.compile("^New order · "))
    no_horizontal_scroll(page)
    axe(page, web)

    type_into(page, 1, "Sample alias", "lake-1")
    type_into(page, 2, "Volume", "much")
    page.keyboard.press("Control+f")
    expect(page.get_by_role("search")).to_be_visible()
    page.get_by_role("button", name="Check", exact=True).click()
    result = page.get_by_role("region", name="Check result")
    expect(result).to_contain_text("2 samples, 3 things to correct")
    no_horizontal_scroll(page)
    axe(page, web)

    result.get_by_role("link", name="Row 1, Organism").click()
    expect(grid).to_be_focused()
    page.get_by_role("button", name="Series").click()
    expect(page.get_by_role("dialog", name="Fill with a series")).to_be_visible()
    axe(page, web)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="From a file").click()
    expect(page.get_by_role("dialog", name="Samples from a file")).to_be_visible()
    axe(page, web)


def test_what_was_typed_survives_a_reload_at_once_and_a_later_one(viewer: Viewer) -> None:
    page, _watch = viewer.open(RESEARCHER)
    page.goto("/orders/new")
    page.get_by_role("textbox", name="Order name").fill("Kept")
    type_into(page, 1, "Sample alias", "lake-1")
    cell(page, 2, "Sample alias").click()
    page.keyboard.type("half a wor")

    page.reload()

    expect(page.get_by_role("textbox", name="Order name")).to_have_value("Kept")
    expect(cell(page, 1, "Sample alias")).to_have_text("lake-1")
    expect(cell(page, 2, "Sample alias")).to_have_text("half a wor")
    expect(page.get_by_role("status", name="Saved")).to_contain_text("Saved ")
    expect(page).to_have_url(re.compile(r"\?order=ORD-"))

    page.evaluate("localStorage.clear()")
    page.reload()

    expect(cell(page, 2, "Sample alias")).to_have_text("half a wor")


def test_a_second_tab_shows_what_the_first_one_saved(viewer: Viewer) -> None:
    page, _watch = viewer.open(RESEARCHER)
    page.goto("/orders/new")
    type_into(page, 1, "Sample alias", "lake-1")
    expect(page.get_by_role("status", name="Saved")).to_contain_text("Saved ")
    other = page.context.new_page()
    other.goto(page.url)
    expect(cell(other, 1, "Sample alias")).to_have_text("lake-1")
    type_into(other, 3, "Sample alias", "pond-1")
    expect(other.get_by_role("status", name="Saved")).to_contain_text("Saved ")

    expect(cell(page, 2, "Sample alias")).to_have_text("pond-1")
    expect(page.get_by_role("status", name="Saved")).to_contain_text("Changed in another tab")


def test_a_link_to_a_new_order_opens_an_empty_form_over_a_draft_made_here(viewer: Viewer) -> None:
    page, _watch = viewer.open(RESEARCHER)
    page.goto("/orders/new")
    page.get_by_role("textbox", name="Order name").fill("The first one")
    expect(page).to_have_url(re.compile(r"\?order=ORD-"))
    expect(page.get_by_role("status", name="Saved")).to_contain_text("Saved ")

    page.evaluate(
        """() => {
          const link = Object.assign(document.createElement("a"), {href: "/orders/new"});
          document.body.append(link);
          link.click();
          link.remove();
        }"""
    )
    expect(page.get_by_role("textbox", name="Order name")).to_have_value("")
    page.go_back()

    expect(page.get_by_role("textbox", name="Order name")).to_have_value("The first one")


def test_a_row_keeps_its_number_while_others_are_hidden(viewer: Viewer) -> None:
    page, _watch = viewer.open(RESEARCHER)
    page.goto("/orders/new")
    for row, alias in enumerate(("lake-1", "lake-2", "lake-2"), 1):
        type_into(page, row, "Sample alias", alias)
    grid = page.get_by_role("grid", name="Samples")

    page.get_by_role("button", name="Only problems").click()

    numbers = grid.get_by_role("rowheader")
    expect(numbers).to_have_text(["2", "3"])
    expect(cell(page, 2, "Sample alias")).to_have_attribute("title", "Row 3, Sample alias is also in row 2")
    cell(page, 2, "Sample alias").click()
    expect(page.get_by_text("Row 3, Sample alias: is also in row 2")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("textbox", name="Row 3, Sample alias")).to_be_focused()


def test_the_keyboard_alone_fills_a_table(viewer: Viewer) -> None:
    page, _watch = viewer.open(RESEARCHER)
    page.goto("/orders/new")
    grid = page.get_by_role("grid", name="Samples")
    grid.focus()
    press = page.keyboard.press
    press("ArrowRight")
    press("ArrowRight")
    page.keyboard.type("lake-1")
    press("Tab")
    page.keyboard.type("one")
    press("Enter")
    page.keyboard.type("lake-2")
    press("Enter")
    press("Control+z")
    expect(cell(page, 2, "Sample alias")).to_have_text("")
    press("Control+y")
    expect(cell(page, 2, "Sample alias")).to_have_text("lake-2")
    press("Control+Home")
    page.keyboard.type("soil metagenome")
    press("Enter")
    press("ArrowUp")
    press("Shift+ArrowDown")
    press("Control+d")
    expect(cell(page, 2, "Organism")).to_have_text("soil metagenome")
    press("Escape")
    press("Tab")
    expect(grid).not_to_be_focused()
    assert [cell(page, 1, label).inner_text() for label in ("Sample alias", "Sample title")] == [
        "lake-1",
        "one",
    ]


def test_hostile_text_is_text(viewer: Viewer) -> None:
    page, _watch = viewer.open(RESEARCHER)
    page.goto("/orders/new")
    hostile = "<img src=x onerror=alert(1)>"
    type_into(page, 1, "Sample alias", hostile)
    type_into(page, 2, "Sample alias", "=HYPERLINK(1)")

    expect(cell(page, 1, "Sample alias")).to_have_text(hostile)
    expect(cell(page, 2, "Sample alias")).to_have_text("=HYPERLINK(1)")
    assert page.locator("img").count() == 0


def test_on_a_phone_a_platform_is_a_line_until_it_is_chosen(viewer: Viewer) -> None:
    page, _watch = viewer.open(RESEARCHER, width=390)
    page.goto("/orders/new")
    cards = page.get_by_role("radiogroup", name="Platform")
    second = cards.get_by_role("radio").nth(1)
    expect(second).to_be_visible()
    expect(page.get_by_text("Platform", exact=True)).to_have_count(1)

    lines = cards.get_by_role("radio").count()
    box = cards.bounding_box()
    assert box is not None
    assert lines >= 20
    assert box["height"] < 50 * lines
    expect(cards.get_by_text("Read length").nth(1)).to_be_hidden()
    second.check()
    expect(cards.get_by_text("Read length").nth(1)).to_be_visible()


def test_a_file_is_seen_before_it_is_applied(viewer: Viewer) -> None:
    page, _watch = viewer.open(RESEARCHER)
    page.goto("/orders/new")
    page.get_by_role("textbox", name="Order name").fill("From a file")
    type_into(page, 1, "Sample alias", "lake-1")
    expect(page.get_by_role("status", name="Saved")).to_contain_text("Saved ")
    page.get_by_role("button", name="From a file").click()
    dialog = page.get_by_role("dialog", name="Samples from a file")
    file = dialog.get_by_label("Choose a file")

    file.set_input_files(sheet("sampleAlias,volumeUl,colour\nlake-2,much,blue\n"))
    expect(dialog.get_by_role("status")).to_contain_text("Left out: colour")
    expect(dialog.get_by_role("listitem")).to_have_text(re.compile(r"^Row 2\s+Volume: must be a number"))
    expect(dialog.get_by_role("button", name="Apply")).to_have_count(0)
    expect(dialog).to_contain_text("samples.csv")
    assert file.input_value() == "", "the corrected file of the same name is another choice"
    file.set_input_files(sheet("Sample alias,Volume\nlake-2,20\n<b>lake-3</b>,30\n"))
    apply = dialog.get_by_role("button", name="Apply 2 rows")
    expect(apply).to_be_visible()
    expect(page.get_by_role("grid", name="Samples")).not_to_contain_text("lake-2")
    apply.click()

    expect(dialog).to_have_count(0)
    assert [cell(page, row, "Sample alias").inner_text() for row in (1, 2, 3)] == [
        "lake-1",
        "lake-2",
        "<b>lake-3</b>",
    ]
    page.reload()
    expect(cell(page, 3, "Volume")).to_have_text("30")


def test_a_long_file_says_what_is_not_shown_and_one_that_did_not_arrive_is_tried_again(
    viewer: Viewer,
) -> None:
    page, watch = viewer.open(RESEARCHER)
    watch.expect("ERR_FAILED")
    page.goto("/orders/new")
    type_into(page, 1, "Sample alias", "lake-0")
    expect(page.get_by_role("status", name="Saved")).to_contain_text("Saved ")
    page.get_by_role("button", name="From a file").click()
    dialog = page.get_by_role("dialog", name="Samples from a file")
    page.route("**/samples/import?*", lambda route: route.abort())
    rows = "".join(f"lake-{row},{row if row > 101 else 'x'}\n" for row in range(1, 301))

    dialog.get_by_label("Choose a file").set_input_files(sheet(f"sampleAlias,volumeUl\n{rows}"))
    expect(dialog.get_by_role("alert")).to_be_visible()
    page.unroute_all()
    dialog.get_by_role("button", name="Try again").click()

    shown = dialog.get_by_role("status")
    expect(shown).to_contain_text("199 new")
    expect(shown).to_contain_text("and 1 more remark")
    expect(shown).to_contain_text("and 99 more rows")
    expect(shown.get_by_role("listitem")).to_have_count(202)
    expect(dialog.get_by_role("alert")).to_have_count(0)


def sheet(text: str) -> FilePayload:
    return {"name": "samples.csv", "mimeType": "text/csv", "buffer": text.encode()}
