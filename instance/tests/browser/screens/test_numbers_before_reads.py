"""The numbers of a facility that has one order and has sequenced nothing yet."""

from pathlib import Path

from playwright.sync_api import Page, expect
from seqfacility_testkit.facility import RESEARCHER
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.live_deliveries import submit_order
from seqfacility_testkit.pages import looks_right


def test_what_there_is_none_of_is_a_sentence_and_no_axes(
    admin_page: Page, instance: LiveFacility, web: Path
) -> None:
    submit_order(instance.sign_in(RESEARCHER), "Adas soil", 2)

    admin_page.goto("/facility/numbers")

    expect(admin_page.get_by_role("figure", name="Orders by month")).to_be_visible()
    expect(admin_page.get_by_role("figure")).to_have_count(1)
    expect(admin_page.get_by_text("Nothing was sequenced. No order was delivered.")).to_be_visible()
    expect(admin_page.get_by_text("No file is stored.")).to_be_visible()
    looks_right(admin_page, web)
