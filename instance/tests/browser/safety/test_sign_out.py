"""Who signs out leaves nothing at the computer: neither in the browser's storage nor in another tab."""

import re

from playwright.sync_api import Page, expect
from seqfacility_testkit.facility import RESEARCHER
from seqfacility_testkit.pages import Viewer
from seqfacility_testkit.waiting import wait_until

KEPT = "Object.keys(localStorage).filter((key) => key.startsWith('seqfacility:kept:'))"


def test_what_was_not_saved_when_somebody_left_is_not_kept(researcher_page: Page) -> None:
    page = researcher_page
    other_tab = page.context.new_page()
    other_tab.goto("/orders")
    expect(other_tab.get_by_role("heading", level=1)).to_be_visible()
    # Nothing is saved as long as this request waits, so what is typed can be kept in the browser only.
    page.route("**/api/orders", lambda route: None if route.request.method == "POST" else route.continue_())
    page.goto("/orders/new")
    page.get_by_role("textbox", name="Order name").fill("Two shores of one lake")
    wait_until(lambda: page.evaluate(KEPT), "what was typed is kept")

    page.get_by_role("button", name="Account").click()
    page.get_by_role("menuitem", name="Sign out").click()

    dialog = page.get_by_role("dialog", name="Not everything is saved")
    expect(dialog).to_contain_text("an order", timeout=15_000)
    dialog.get_by_role("button", name="Sign out and forget it").click()
    expect(page).to_have_url(re.compile("/sign-in$"))
    expect(page.get_by_label("Password")).to_be_visible()
    assert page.evaluate(KEPT) == []
    expect(other_tab).to_have_url(re.compile("/sign-in$"))


def test_who_signs_out_at_once_has_everything_saved(viewer: Viewer) -> None:
    page, _watch = viewer.open(RESEARCHER)
    page.goto("/orders/new")
    page.get_by_role("textbox", name="Order name").fill("Typed at the last moment")

    page.get_by_role("button", name="Account").click()
    page.get_by_role("menuitem", name="Sign out").click()

    expect(page).to_have_url(re.compile("/sign-in$"), timeout=15_000)
    later, _later_watch = viewer.open(RESEARCHER)
    names = [order["name"] for order in later.request.get("/api/orders").json()["orders"]]
    assert "Typed at the last moment" in names


def test_who_stays_goes_on_with_what_was_typed(viewer: Viewer) -> None:
    page, _watch = viewer.open(RESEARCHER)
    page.route("**/api/orders", lambda route: None if route.request.method == "POST" else route.continue_())
    page.goto("/orders/new")
    page.get_by_role("textbox", name="Order name").fill("Two shores of one lake")
    page.get_by_role("button", name="Account").click()
    page.get_by_role("menuitem", name="Sign out").click()
    dialog = page.get_by_role("dialog", name="Saving before you leave")

    dialog.get_by_role("button", name="Stay signed in").click()

    expect(dialog).to_have_count(0)
    expect(page.get_by_role("textbox", name="Order name")).to_have_value("Two shores of one lake")
