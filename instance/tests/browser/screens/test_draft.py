"""A draft that two tabs or two people write, and one whose service, session or storage goes away."""

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, Route, expect
from seqfacility_testkit.facility import ADMIN, PASSWORD, RESEARCHER
from seqfacility_testkit.pages import Viewer, axe
from seqfacility_testkit.samples_grid import cell, paste, saved, type_into
from seqfacility_testkit.waiting import wait_until

KEPT = "Object.keys(localStorage).filter((key) => key.startsWith('seqfacility:kept:'))"


def begin(page: Page, *aliases: str) -> None:
    page.goto("/orders/new")
    for row, alias in enumerate(aliases, 1):
        type_into(page, row, "Sample alias", alias)
    saved(page)
    expect(page).to_have_url(re.compile(r"\?order=ORD-"))


def answer(page: Page) -> dict[str, Any]:
    """Return the samples of the order in the address, as the service has them."""
    number = page.url.rpartition("=")[2]
    orders = page.request.get(f"/api/orders?q={number}").json()["orders"]
    found: dict[str, Any] = page.request.get(f"/api/orders/{orders[0]['id']}/samples").json()
    return found


def stored(page: Page) -> list[dict[str, str | None]]:
    samples: list[dict[str, str | None]] = answer(page)["samples"]
    return samples


def is_held(page: Page, held: list[Route]) -> bool:
    """Return whether a request waits to be let through, which the page tells when it is asked."""
    return page.evaluate("true") and held != []


def disputes(page: Page) -> Locator:
    return page.get_by_role("region", name="Somebody else changed this meanwhile")


def test_two_people_who_change_cells_of_one_row_keep_both(viewer: Viewer) -> None:
    page, watch = viewer.open(RESEARCHER)
    watch.expect("409")
    begin(page, "lake-1", "lake-2")
    other, _other_watch = viewer.open(ADMIN)
    other.goto(page.url)
    expect(cell(other, 2, "Sample alias")).to_have_text("lake-2")
    type_into(other, 1, "Sample title", "theirs")
    type_into(other, 3, "Sample alias", "pond-1")
    saved(other)

    type_into(page, 1, "Sample alias", "lake-one")

    expect(cell(page, 1, "Sample title")).to_have_text("theirs")
    expect(cell(page, 3, "Sample alias")).to_have_text("pond-1")
    saved(page)
    assert [one["sampleAlias"] for one in stored(page)] == ["lake-one", "lake-2", "pond-1"]
    expect(disputes(page)).to_have_count(0)


def test_the_same_cell_waits_until_somebody_has_chosen(viewer: Viewer, web: Path) -> None:
    page, watch = viewer.open(RESEARCHER)
    watch.expect("409")
    begin(page, "lake-1", "lake-2")
    other, _other_watch = viewer.open(ADMIN)
    other.goto(page.url)
    expect(cell(other, 2, "Sample alias")).to_have_text("lake-2")
    for row in (1, 2):
        type_into(other, row, "Sample alias", f"theirs-{row}")
    saved(other)

    for row in (1, 2):
        type_into(page, row, "Sample alias", f"mine-{row}")

    expect(disputes(page)).to_contain_text(re.compile(r"changed elsewhere at \d\d:\d\d"))
    expect(disputes(page).get_by_role("listitem")).to_have_count(2)
    expect(disputes(page)).to_contain_text("theirs-1")
    expect(cell(page, 1, "Sample alias")).to_have_text("mine-1")
    assert [one["sampleAlias"] for one in stored(page)] == ["theirs-1", "theirs-2"]
    axe(page, web)
    page.get_by_role("button", name="Submit order").click()
    expect(page.get_by_text("Choose between yours and theirs first")).to_be_visible()
    page.reload()
    expect(disputes(page).get_by_role("listitem")).to_have_count(2)

    page.get_by_role("button", name="Keep mine: Row 1, Sample alias").click()
    page.get_by_role("button", name="Take theirs: Row 2, Sample alias").click()

    expect(disputes(page)).to_have_count(0)
    saved(page)
    expect(cell(page, 2, "Sample alias")).to_have_text("theirs-2")
    assert [one["sampleAlias"] for one in stored(page)] == ["mine-1", "theirs-2"]


def test_a_row_that_is_deleted_elsewhere_goes_unless_it_was_changed_here(viewer: Viewer) -> None:
    page, watch = viewer.open(RESEARCHER)
    watch.expect("400")
    begin(page, "lake-1", "lake-2", "lake-3")
    other, _other_watch = viewer.open(ADMIN)
    other.goto(page.url)
    cell(other, 1, "Sample alias").click()
    for _row in range(2):
        other.get_by_role("button", name="Rows", exact=True).click()
        other.get_by_role("menuitem", name="Delete").click()
    saved(other)
    wait_until(lambda: len(stored(page)) == 1, "two rows are deleted")

    type_into(page, 1, "Sample title", "typed")

    expect(disputes(page)).to_contain_text("was deleted elsewhere")
    expect(cell(page, 2, "Sample alias")).to_have_text("lake-3")
    page.get_by_role("button", name="Keep mine: Row 1").click()
    expect(disputes(page)).to_have_count(0)
    wait_until(lambda: len(stored(page)) == 2, "the row that was kept is stored again")
    assert sorted(str(one["sampleAlias"]) for one in stored(page)) == ["lake-1", "lake-3"]


def test_two_tabs_keep_what_each_has_not_saved(viewer: Viewer) -> None:
    page, watch = viewer.open(RESEARCHER)
    watch.expect("ERR_FAILED")
    begin(page, "lake-1", "lake-2")
    address = page.url
    other = page.context.new_page()
    other.goto(address)
    expect(cell(other, 2, "Sample alias")).to_have_text("lake-2")
    context = page.context
    context.route("**/api/orders/*/samples?*", lambda route: route.abort())
    type_into(page, 1, "Sample title", "first tab")
    type_into(other, 2, "Sample title", "second tab")
    for tab in (page, other):
        expect(tab.get_by_role("status", name="Saved")).to_contain_text("kept in this browser")
    wait_until(lambda: len(page.evaluate(KEPT)) == 2, "each tab keeps its own")
    page.close()
    other.close()
    later = context.new_page()

    later.goto(address)

    expect(cell(later, 1, "Sample title")).to_have_text("first tab")
    expect(cell(later, 2, "Sample title")).to_have_text("second tab")
    context.unroute_all()
    saved(later)
    assert later.evaluate(KEPT) == []


def test_a_lost_connection_is_tried_again_by_itself(viewer: Viewer) -> None:
    page, watch = viewer.open(RESEARCHER)
    watch.expect("ERR_INTERNET_DISCONNECTED")
    begin(page, "lake-1")
    page.context.set_offline(True)
    type_into(page, 2, "Sample alias", "lake-2")
    expect(page.get_by_role("status", name="Saved")).to_contain_text("Not saved yet, kept in this browser")
    expect(page.get_by_text("No connection since")).to_be_visible()

    page.context.set_offline(False)

    saved(page)
    assert [one["sampleAlias"] for one in stored(page)] == ["lake-1", "lake-2"]


def test_an_answer_that_was_lost_makes_no_sample_twice_after_a_reload(viewer: Viewer) -> None:
    page, _watch = viewer.open(RESEARCHER)
    begin(page, "lake-1")
    lost: list[str] = []

    def store_and_lose(route: Route) -> None:
        if lost or "dryRun" in route.request.url or route.request.method != "POST":
            route.continue_()
        else:
            lost.append(route.request.url)
            route.fetch()

    page.route("**/api/orders/*/samples?*", store_and_lose)
    type_into(page, 2, "Sample alias", "lake-2")
    wait_until(lambda: len(stored(page)) == 2, "the service has the second sample")
    page.reload()

    expect(cell(page, 2, "Sample alias")).to_have_text("lake-2")
    wait_until(lambda: page.evaluate(KEPT) == [], "nothing is left to save", seconds=20)
    assert [one["sampleAlias"] for one in stored(page)] == ["lake-1", "lake-2"]


def test_a_session_that_ends_asks_for_the_password_and_goes_on(viewer: Viewer) -> None:
    page, watch = viewer.open(RESEARCHER)
    watch.expect("401")
    begin(page, "lake-1")
    page.context.clear_cookies()
    type_into(page, 2, "Sample alias", "lake-2")

    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Password").fill(PASSWORD)
    dialog.get_by_role("button", name="Sign in").click()

    saved(page)
    assert [one["sampleAlias"] for one in stored(page)] == ["lake-1", "lake-2"]


def test_a_storage_that_is_full_is_told(viewer: Viewer) -> None:
    page, _watch = viewer.open(RESEARCHER)
    page.add_init_script(
        "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };"
    )
    page.route("**/api/orders", lambda route: None if route.request.method == "POST" else route.continue_())
    page.goto("/orders/new")
    page.get_by_role("textbox", name="Order name").fill("Two shores of one lake")

    expect(page.get_by_role("status", name="Saved")).to_contain_text("this browser has no room to keep it")


def test_deleting_many_rows_tells_how_far_it_is_and_can_be_stopped(viewer: Viewer) -> None:
    page, _watch = viewer.open(RESEARCHER)
    page.goto("/orders/new")
    page.get_by_role("grid", name="Samples").focus()
    paste(page, "".join(f"soil metagenome\t{row}\tlake-{row}\r\n" for row in range(1, 201)))
    saved(page)
    waiting: list[Route] = []

    def hold_after_forty(route: Route) -> None:
        seen.append(route)
        if len(seen) <= 40:
            route.continue_()
        else:
            waiting.append(route)

    seen: list[Route] = []
    page.route("**/api/samples/*", hold_after_forty)
    page.get_by_role("button", name="Rows", exact=True).click()
    page.get_by_role("menuitem", name="Delete").click()
    status = page.get_by_role("status", name="Saved")
    expect(status).to_have_text("Deleting, 40 of 200 samples done")
    page.get_by_role("button", name="Stop", exact=True).click()
    for route in waiting:
        route.continue_()

    expect(status).to_have_text("Stopped. 156 rows are left, kept in this browser")
    assert len(stored(page)) == 156
    page.unroute_all()
    page.get_by_role("button", name="Go on").click()
    saved(page)
    assert stored(page) == []


def test_a_checklist_that_is_chosen_while_another_is_saved_is_saved_too(viewer: Viewer) -> None:
    page, _watch = viewer.open(RESEARCHER)
    begin(page, "lake-1")
    held: list[Route] = []

    def hold_the_first_choice(route: Route) -> None:
        if not held and "sampleset" in (route.request.post_data or ""):
            held.append(route)
        else:
            route.continue_()

    page.route("**/api/orders/*/samples?*", hold_the_first_choice)
    checklist = page.get_by_role("combobox", name="Checklist")
    offered = checklist.locator("option").evaluate_all("options => options.map(({ value }) => value)")
    checklist.select_option(offered[1])
    wait_until(lambda: is_held(page, held), "the first choice is on its way")
    checklist.select_option(offered[2])
    held[0].continue_()

    saved(page)
    assert answer(page)["sampleset"]["checklists"] == [offered[2]]
    page.reload()
    expect(checklist).to_have_value(offered[2])


def test_a_check_says_nothing_of_what_was_typed_while_it_ran(viewer: Viewer) -> None:
    page, _watch = viewer.open(RESEARCHER)
    begin(page, "lake-1", "lake-2")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/api/orders/*/check", hold)
    page.get_by_role("button", name="Check", exact=True).click()
    wait_until(lambda: is_held(page, held), "the check is on its way")
    type_into(page, 2, "Sample alias", "lake-two")
    held[0].continue_()

    saved(page)
    expect(page.get_by_role("button", name="Check", exact=True)).to_be_enabled()
    expect(page.get_by_role("region", name="Check result")).to_be_empty()
