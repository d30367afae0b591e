"""Journey A: a researcher orders 96 samples whose table is in a spreadsheet."""

import re

from playwright.sync_api import Page, expect
from seqfacility_testkit.pages import Watch
from seqfacility_testkit.samples_grid import cell, paste

MOST_PRESSES = 12
MOST_REQUESTS = 12

HEADER = (
    "Sample alias",
    "Organism",
    "Tax ID",
    "Sample title",
    "Barcode",
    "Volume (µl)",
    "Concentration",
    "Freezer",
)
"""The last one is no question of the form: it is left out, and said so."""


def table(rows: int, volume: str = "12,5") -> str:
    """Return what Excel puts on the clipboard: a header, CR LF, a decimal comma, quotes, a line break."""
    lines = [
        (
            f"lake-{row}",
            "freshwater metagenome",
            "449393",
            f'"Lake ""A"", {row}\nshore"',
            f"BC{row:02d}",
            volume,
            "4,2",
            "F1",
        )
        for row in range(1, rows + 1)
    ]
    return "".join("\t".join(line) + "\r\n" for line in (HEADER, *lines))


def test_96_samples_are_ordered_in_few_clicks_and_requests(researcher_page: Page, watch: Watch) -> None:
    page = researcher_page
    page.goto("/orders/new")
    page.get_by_role("textbox", name="Order name").fill("Two shores of one lake")
    page.get_by_role("radiogroup", name="Platform").get_by_role("radio").nth(1).click()
    page.get_by_role("combobox", name="Library strategy").select_option("WGS")
    grid = page.get_by_role("grid", name="Samples")
    grid.focus()
    broken = table(96).replace("lake-2\t", "lake-1\t", 1).replace("\t12,5\t", "\tmuch\t", 1)
    paste(page, broken)

    expect(page.get_by_text("7 of 8 columns matched")).to_be_visible()
    expect(grid).to_have_attribute("aria-rowcount", "97")
    wrong = grid.locator('[aria-invalid="true"]')
    expect(wrong).to_have_count(3)
    expect(cell(page, 1, "Volume")).to_have_accessible_description("must be a number")
    expect(cell(page, 2, "Sample alias")).to_have_accessible_description(re.compile("row 1"))
    expect(cell(page, 3, "Volume")).to_have_text("12.5")

    cell(page, 1, "Volume").click()
    page.keyboard.type("12,5")
    page.keyboard.press("Enter")
    cell(page, 2, "Sample alias").click()
    page.keyboard.type("lake-2")
    page.keyboard.press("Enter")
    expect(wrong).to_have_count(0)
    page.get_by_role("button", name="Check", exact=True).click()
    result = page.get_by_role("region", name="Check result")
    expect(result).to_contain_text("96 samples, nothing missing")
    page.get_by_role("button", name="Submit order").click()
    expect(page).to_have_url(re.compile(r"/orders/ORD-\d{8}-\d{4}$"))

    # What others do meanwhile is hinted by the feed, and read once more.
    requests = [one for place, one in enumerate(watch.requests) if place == 0 or one != "GET /api/boot"]
    submitted = requests.index(next(one for one in requests if one.endswith("/status")))
    assert watch.presses <= MOST_PRESSES
    assert submitted + 1 <= MOST_REQUESTS, requests
