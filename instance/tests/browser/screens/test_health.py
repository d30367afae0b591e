"""What an admin reads of the installation's health, and where it is put right."""

from pathlib import Path

from playwright.sync_api import Page, expect
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.pages import looks_right


def test_what_is_worst_stands_first_with_what_to_do_and_where(
    admin_page: Page, instance: LiveFacility, web: Path
) -> None:
    admin_page.goto("/")
    admin_page.get_by_role("navigation", name="Main").get_by_role("link", name="Health").click()
    expect(admin_page.get_by_role("heading", level=1)).to_have_text("Health")
    expect(admin_page.get_by_role("heading", level=2).first).to_have_text("Broken")
    worker = admin_page.get_by_role("listitem").filter(
        has=admin_page.get_by_role("heading", name="Process worker")
    )
    expect(worker).to_contain_text("seqfacility worker")
    expect(admin_page.get_by_text("missing before a first order")).to_be_visible()
    expect(admin_page.get_by_role("link", name="First hour")).to_have_attribute(
        "href", "/facility/first-hour"
    )
    looks_right(admin_page, web)

    admin_page.set_viewport_size({"width": 1280, "height": 900})
    told = instance.sign_in().get("/api/admin/health").json()["findings"]
    well = [finding for finding in told if finding["severity"] == "ok"]
    cards = admin_page.get_by_role("main").get_by_role("heading", level=3)
    expect(cards).to_have_count(len(told) - len(well))
    lines = admin_page.get_by_role("table", name="Well").get_by_role("row")
    expect(lines).to_have_count(1 + len(well))
    heads = admin_page.get_by_role("link", name="Open Settings for Heads of the audit trail")
    expect(heads).to_have_text("Open Settings")
    heads.focus()
    admin_page.keyboard.press("Enter")
    expect(admin_page.get_by_label("File of heads")).to_be_visible()
