"""A page belongs to one person: in another's session it shows and sends nothing of theirs."""

import re

from playwright.sync_api import Page, Route, expect
from seqfacility_testkit.facility import OTHER_RESEARCHER, PASSWORD, RESEARCHER
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.pages import Viewer, go_to
from seqfacility_testkit.waiting import wait_until


def sign_in(page: Page, email: str) -> None:
    page.get_by_role("textbox", name="Email").fill(email)
    page.get_by_role("textbox", name="Password").fill(PASSWORD)
    page.get_by_role("textbox", name="Password").press("Enter")


def test_another_tab_leaves_what_was_the_first_persons(viewer: Viewer, instance: LiveFacility) -> None:
    ada, grace = instance.sign_in(RESEARCHER), instance.sign_in(OTHER_RESEARCHER)
    assert ada.post("/api/orders", json={"name": "Adas sediment"}).ok
    theirs, watch = viewer.open()
    watch.expect("status of 401")
    mine = theirs.context.new_page()
    theirs.goto("/sign-in")
    mine.goto("/sign-in")
    sign_in(mine, RESEARCHER)
    expect(mine.get_by_role("link", name="Adas sediment", exact=True).first).to_be_visible()
    mine.goto("/messages/new")
    mine.get_by_role("textbox", name="Subject").fill("Only for Ada")
    mine.get_by_role("textbox", name="Message").fill("A secret of hers.")

    sign_in(theirs, OTHER_RESEARCHER)
    expect(theirs.get_by_text("No orders yet")).to_be_visible()

    expect(mine.get_by_role("textbox", name="Subject")).to_have_value("")
    mine.get_by_role("button", name="Account").click()
    expect(mine.get_by_role("menu")).to_contain_text("Grace Hopper")
    mine.goto("/")
    expect(mine.get_by_text("No orders yet")).to_be_visible()
    assert [each.get("/api/tickets").json()["total"] for each in (ada, grace)] == [0, 0]


def test_nothing_is_sent_while_another_tab_signs_somebody_in(viewer: Viewer, instance: LiveFacility) -> None:
    theirs, watch = viewer.open()
    watch.expect("status of 401")
    mine = theirs.context.new_page()
    theirs.goto("/sign-in")
    mine.goto("/sign-in")
    sign_in(mine, RESEARCHER)
    expect(mine.get_by_role("heading", name="My work")).to_be_visible()
    mine.goto("/messages/new")
    mine.get_by_role("textbox", name="Subject").fill("Only for Ada")
    mine.get_by_role("textbox", name="Message").fill("A secret of hers.")
    held: list[Route] = []
    sent: list[str] = []
    theirs.route("**/api/auth/sign-in", lambda route: held.append(route))  # noqa: PLW0108  # Playwright marks it
    mine.on("request", lambda request: sent.append(f"{request.method} {request.url}"))
    sign_in(theirs, OTHER_RESEARCHER)
    wait_until(lambda: looked(theirs) and held != [], "the sign-in is on its way")

    mine.get_by_role("button", name="Send").click()
    expect(mine.get_by_role("button", name="Send")).to_have_attribute("aria-busy", "true")
    held[0].continue_()
    expect(theirs.get_by_text("No orders yet")).to_be_visible()
    expect(mine.get_by_role("textbox", name="Subject")).to_have_value("")

    assert [line for line in sent if line.startswith("POST")] == []
    assert instance.sign_in(OTHER_RESEARCHER).get("/api/tickets").json()["total"] == 0


def test_a_failed_sign_in_in_another_tab_changes_nothing(viewer: Viewer) -> None:
    theirs, watch = viewer.open()
    watch.expect("status of 401")
    mine = theirs.context.new_page()
    theirs.goto("/sign-in")
    mine.goto("/sign-in")
    sign_in(mine, RESEARCHER)
    expect(mine.get_by_role("heading", name="My work")).to_be_visible()
    theirs.get_by_role("textbox", name="Email").fill(OTHER_RESEARCHER)
    theirs.get_by_role("textbox", name="Password").fill("not the password")
    theirs.get_by_role("button", name="Sign in").click()
    expect(theirs.get_by_role("alert")).to_contain_text("Invalid email or password")

    mine.get_by_role("link", name="Messages").first.click()

    expect(mine.get_by_text("No messages yet")).to_be_visible()


def test_one_password_is_enough_for_all_tabs(viewer: Viewer) -> None:
    first, watch = viewer.open(RESEARCHER)
    watch.expect("status of 401")
    second = first.context.new_page()
    for page in (first, second):
        page.goto("/profile")
        expect(page.get_by_role("heading", name="Profile", exact=True)).to_be_visible()
    first.context.clear_cookies()
    for page in (first, second):
        go_to(page, "/messages")
        expect(page.get_by_role("dialog", name="Your session has ended")).to_be_visible()

    first.get_by_label("Password").fill(PASSWORD)
    first.get_by_label("Password").press("Enter")

    for page in (first, second):
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(page.get_by_text("No messages yet")).to_be_visible()
        expect(page).to_have_url(re.compile("/messages$"))


def looked(page: Page) -> bool:
    """Let what the page does arrive here."""
    return page.evaluate("() => true") is True
