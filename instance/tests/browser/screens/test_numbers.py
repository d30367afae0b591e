"""The numbers of a year, as an admin sees and takes them."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from seqfacility_testkit.facility import RESEARCHER
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.live_deliveries import fill_order, release_order, submit_order
from seqfacility_testkit.pages import Viewer, Watch, looks_right


@pytest.fixture(scope="module")
def year(instance: LiveFacility) -> int:
    """Let the facility have delivered one order of three samples, and have two more; return the year."""
    ada, admin = instance.sign_in(RESEARCHER), instance.sign_in()
    order = submit_order(ada, "Two shores of one lake", 3)
    fill_order(ada, admin, order, 5)
    release_order(admin, order)
    submit_order(ada, "Adas soil", 2)
    return datetime.now(UTC).year


def test_a_year_is_told_in_plots_and_tables(admin_page: Page, web: Path, watch: Watch, year: int) -> None:
    admin_page.goto("/")
    watch.start_counting()
    admin_page.get_by_role("navigation", name="Main").get_by_role("link", name="Numbers").click()

    expect(admin_page.get_by_role("heading", level=1)).to_have_text("Numbers")
    totals = admin_page.get_by_role("region", name=f"{year} in all")
    expect(totals.get_by_role("definition").first).to_have_text("2")
    month = admin_page.get_by_role("table", name="By month").get_by_role("row").last
    expect(month.get_by_role("cell").nth(1)).to_have_text("2")
    expect(month.get_by_role("cell").nth(2)).to_have_text("5")
    expect(admin_page.get_by_role("figure", name="Orders by month")).to_be_visible()
    expect(admin_page.get_by_text("The bases of what was sequenced are unknown.")).to_be_visible()
    platforms = admin_page.get_by_role("table", name="By platform")
    expect(platforms.get_by_role("row").last).to_contain_text("5")
    expect(admin_page.get_by_role("table", name="By department").get_by_role("row").last).to_contain_text(
        "No department"
    )
    whole = admin_page.get_by_role("table", name="Turn-around").get_by_role("row").last
    expect(whole.get_by_role("cell").nth(1)).to_have_text("1")
    expect(
        admin_page.get_by_role("table", name="Turn-around").get_by_role("row", name="Submitted to accepted")
    ).to_contain_text("unknown")
    expect(admin_page.get_by_text("The median is the time that half of the orders")).to_be_visible()
    assert len([asked for asked in watch.requests if "/api/admin/numbers" in asked]) == 1
    looks_right(admin_page, web)


INKED = """plot => {
  const canvas = plot.querySelector("canvas");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const probe = document.createElement("span");
  probe.style.color = "var(--series-1)";
  plot.append(probe);
  const ink = getComputedStyle(probe).color.match(/[0-9]+/g).slice(0, 3).map(Number);
  probe.remove();
  let found = 0;
  for (let at = 0; at < data.length; at += 4) found += ink.every((part, place) => data[at + place] === part);
  return found > 50;
}"""
"""Whether bars of the colour that the look has now are in a plot."""


def test_bars_take_the_colours_of_another_theme(admin_page: Page, year: int) -> None:
    admin_page.emulate_media(color_scheme="light")
    admin_page.goto("/facility/numbers")
    plot = admin_page.get_by_role("figure", name="Orders by month")
    expect(plot.locator("canvas")).to_be_visible()
    handle = plot.element_handle()
    admin_page.wait_for_function(INKED, arg=handle)

    admin_page.emulate_media(color_scheme="dark")

    admin_page.wait_for_function(INKED, arg=handle)


def test_months_are_counted_anew_and_the_file_is_saved_with_the_keyboard_alone(
    admin_page: Page, instance: LiveFacility, year: int
) -> None:
    admin_page.goto("/facility/numbers")
    totals = admin_page.get_by_role("region", name=f"{year} in all").get_by_role("definition")
    expect(totals.first).to_have_text("2")
    submit_order(instance.sign_in(RESEARCHER), "A third one", 1)

    admin_page.get_by_role("button", name="Count now").focus()
    admin_page.keyboard.press("Enter")
    expect(totals.first).to_have_text("3")

    admin_page.get_by_role("link", name=f"CSV of {year}").focus()
    with admin_page.expect_download() as saving:
        admin_page.keyboard.press("Enter")
    assert saving.value.suggested_filename == f"numbers-{year}.csv"
    text = Path(saving.value.path()).read_text("utf-8-sig")
    assert "# orders: An order counts in the month" in text
    assert ",orders," in text

    admin_page.get_by_role("button", name=f"Year {year}").focus()
    admin_page.keyboard.press("Enter")
    expect(admin_page.locator("[data-item]", has_text=str(year))).to_be_focused()
    admin_page.keyboard.press("Enter")
    expect(admin_page).to_have_url(f"{instance.base}/facility/numbers?year={year}")


def test_a_year_without_orders_says_so_and_what_would_be_counted(admin_page: Page, web: Path) -> None:
    admin_page.goto("/facility/numbers?year=2001")

    expect(admin_page.get_by_text("Nothing in 2001")).to_be_visible()
    expect(admin_page.get_by_role("region", name="What is counted")).to_be_visible()
    looks_right(admin_page, web)


def test_what_cannot_be_read_says_why_and_is_read_again(admin_page: Page, watch: Watch, web: Path) -> None:
    watch.expect("status of 500")
    admin_page.route(
        "**/api/admin/numbers*", lambda route: route.fulfill(status=500, json={"error": "Broken"})
    )
    admin_page.goto("/facility/numbers")
    expect(admin_page.get_by_role("alert")).to_contain_text("Broken")
    looks_right(admin_page, web)
    admin_page.unroute("**/api/admin/numbers*")

    admin_page.get_by_role("button", name="Try again").click()

    expect(admin_page.get_by_role("region", name="What is counted")).to_be_visible()


def test_a_researcher_is_shown_nothing(viewer: Viewer) -> None:
    page, watch = viewer.open(RESEARCHER)

    page.goto("/facility/numbers")

    expect(page.get_by_role("heading", level=1)).to_have_text("You can't see this")
    assert not [asked for asked in watch.requests if "/api/admin/numbers" in asked]


SIDEWAYS = "box => box.scrollWidth - box.clientWidth"


def alter(instance: LiveFacility, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(instance.home / "seqfacility.db")) as database, database:
        database.execute(statement, values)


def test_short_turnarounds_are_shown_in_hours_and_minutes(
    admin_page: Page, instance: LiveFacility, year: int
) -> None:
    earlier = "UPDATE status_notes SET created_at = created_at - ? WHERE note_type = 'STATUS_CHANGE'"
    alter(instance, earlier, (5 * 60 + 12) * 60_000)

    admin_page.goto("/facility/numbers")

    month = admin_page.get_by_role("table", name="By month").get_by_role("row").last
    expect(month).to_contain_text("5 h 12 min")
    plot = admin_page.get_by_role("figure", name="Submitted to delivered by month, median")
    plot.locator(".u-over").hover()
    expect(plot).to_contain_text("Median to delivery 5 h 12 min")


def test_the_month_table_fits_1280_px_with_unknown_reads(
    admin_page: Page, instance: LiveFacility, year: int, web: Path
) -> None:
    alter(
        instance,
        "UPDATE reads SET read_count1 = ?1, read_count2 = ?1, intake1 = ?2, intake2 = ?2"
        " WHERE id = (SELECT MIN(id) FROM reads)",
        123_456_789,
        '{"baseCount": 123456789012}',
    )

    admin_page.goto("/facility/numbers")

    month = admin_page.get_by_role("table", name="By month").get_by_role("row").last
    expect(month).to_contain_text("246,913,578, 2 samples unknown")
    expect(month).to_contain_text("247 Gb, 2 samples unknown")
    for label in ("By month", "By platform", "By department"):
        assert admin_page.get_by_role("region", name=label).evaluate(SIDEWAYS) == 0
    looks_right(admin_page, web)
