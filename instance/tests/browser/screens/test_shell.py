"""What stands around every screen, and the screens that need no order: found by name, walked by keyboard."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from seqfacility_testkit.facility import PASSWORD, RESEARCHER
from seqfacility_testkit.pages import Theme, Viewer, Watch, axe, no_horizontal_scroll

INSTANCE = {"SEQFACILITY_DEMO": "1"}

FOR_ANYBODY = {
    "/sign-in": "Sign in",
    "/register": "Make an account",
    "/invite/CODE": "Accept your invitation",
    "/reset/TOKEN": "Set a new password",
    "/reset-password#token=TOKEN": "Set a new password",
    "/demo": "Look around",
    "/help": "Help",
    "/help/ordering": "Ordering sequencing",
    "/help/keys": "Keys",
    "/accessibility": "Accessibility",
}
FOR_WHO_IS_SIGNED_IN = {
    "/profile": "Profile",
    "/messages": "Messages",
    "/messages/new": "New message",
    "/notifications": "Notifications",
    "/no/such/place": "Not found",
}


@pytest.mark.parametrize(("width", "theme"), [(1280, "light"), (390, "dark"), (320, "light")])
@pytest.mark.parametrize(("email", "places"), [(None, FOR_ANYBODY), (RESEARCHER, FOR_WHO_IS_SIGNED_IN)])
def test_each_place_has_one_heading_and_no_finding(
    viewer: Viewer, web: Path, email: str | None, places: dict[str, str], width: int, theme: Theme
) -> None:
    page, _watch = viewer.open(email, width=width, theme=theme)

    for address, heading in places.items():
        page.goto(address)

        expect(page.get_by_role("heading", level=1)).to_have_text(heading)
        expect(page).to_have_title(f"{heading} · SeqFacility")
        page.wait_for_load_state("networkidle" if email is None else "load")
        axe(page, web)
        no_horizontal_scroll(page)


def test_who_signs_in_comes_back_to_the_place_that_was_asked_for(page: Page, watch: Watch) -> None:
    watch.expect("status of 401")
    page.goto("/messages?state=OPEN")
    expect(page).to_have_url("/sign-in?next=%2Fmessages%3Fstate%3DOPEN")
    page.get_by_role("textbox", name="Email").fill(RESEARCHER)
    page.get_by_role("textbox", name="Password").fill("not the password")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_text("Invalid email or password")
    expect(page.get_by_role("alert")).to_be_focused()

    page.get_by_role("textbox", name="Password").fill(PASSWORD)
    page.keyboard.press("Enter")

    expect(page).to_have_url("/messages?state=OPEN")
    expect(page.get_by_role("heading", name="Messages")).to_be_focused()


def test_a_session_that_ends_meanwhile_loses_nothing_that_was_typed(viewer: Viewer) -> None:
    page, watch = viewer.open(RESEARCHER)
    watch.expect("status of 401")
    page.goto("/messages/new")
    page.get_by_role("textbox", name="Subject").fill("Second lane")
    page.get_by_role("textbox", name="Message").fill("Can lake-17 be sequenced again?")
    page.context.clear_cookies()

    page.get_by_role("button", name="Send").click()
    dialog = page.get_by_role("dialog", name="Your session has ended")
    expect(dialog.get_by_role("textbox", name="Password")).to_be_focused()
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", name="Second lane")).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("Can lake-17 be sequenced again?")


def test_an_unsent_text_survives_a_reload_and_not_the_sign_out(viewer: Viewer) -> None:
    page, _watch = viewer.open(RESEARCHER)
    page.goto("/messages/new")
    page.get_by_role("textbox", name="Subject").fill("Half a thought")
    page.reload()
    expect(page.get_by_role("textbox", name="Subject")).to_have_value("Half a thought")

    page.get_by_role("button", name="Account").click()
    page.get_by_role("menuitemradio", name="Dark").click()
    page.get_by_role("button", name="Account").click()
    page.get_by_role("menuitem", name="Sign out").click()

    expect(page).to_have_url("/sign-in")
    assert page.evaluate("() => ({...localStorage})") == {
        "seqfacility:theme": "dark",
        "seqfacility:density": "normal",
    }


def test_go_to_and_the_account_menu_need_no_mouse(viewer: Viewer) -> None:
    page, _watch = viewer.open(RESEARCHER)
    page.goto("/profile")
    expect(page.get_by_role("heading", name="Profile")).to_be_visible()

    page.keyboard.press("Control+k")
    expect(page.get_by_role("dialog", name="Go to").get_by_role("combobox")).to_be_focused()
    page.keyboard.type("notif")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Notifications")).to_be_focused()

    page.get_by_role("button", name="Account").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("menuitem", name="Profile")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Help")).to_be_focused()


def test_the_page_says_since_when_it_has_no_connection(viewer: Viewer) -> None:
    page, watch = viewer.open(RESEARCHER)
    watch.expect("ERR_INTERNET_DISCONNECTED|net::")
    page.goto("/messages/new")
    expect(page.get_by_role("heading", name="New message")).to_be_visible()

    page.context.set_offline(True)

    expect(page.get_by_text("No connection since")).to_be_visible()
    page.get_by_role("textbox", name="Subject").fill("Still here")
    page.context.set_offline(False)
    expect(page.get_by_text("No connection since")).to_be_hidden()
    expect(page.get_by_role("textbox", name="Subject")).to_have_value("Still here")


@pytest.mark.parametrize(("button", "heading"), [("Try as researcher", "My work"), ("Try as admin", "Today")])
def test_a_visitor_of_the_demonstration_is_told_that_it_is_one(
    page: Page, web: Path, button: str, heading: str
) -> None:
    page.goto("/sign-in")

    page.get_by_role("button", name=button).click()

    expect(page.get_by_role("heading", level=1)).to_have_text(heading)
    expect(page.get_by_text("This is a demonstration.")).to_be_visible()
    axe(page, web)
