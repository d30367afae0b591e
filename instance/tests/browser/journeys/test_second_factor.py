"""A second factor: set up, signed in with by keyboard, confirmed, removed; and required of the staff."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pyotp
import pytest
from playwright.sync_api import Locator, Page, expect
from seqfacility_testkit.facility import ADMIN, OTHER_RESEARCHER, PASSWORD, RESEARCHER
from seqfacility_testkit.keyboard import Keyboard
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.pages import Viewer, looks_right


@pytest.fixture(autouse=True)
def no_second_factor(instance: LiveFacility) -> Iterator[None]:
    """Take away after each test what it set up and required."""
    yield
    change(instance, "DELETE FROM second_factors")


def change(instance: LiveFacility, statement: str) -> None:
    with closing(sqlite3.connect(instance.home / "seqfacility.db")) as database, database:
        database.execute(statement)


def code_of(instance: LiveFacility, secret: str) -> str:
    """Return what the app shows, as if half a minute had passed since the last code was used."""
    change(instance, "UPDATE second_factors SET last_counter = 0")
    return pyotp.TOTP(secret).now()


def set_up(keyboard: Keyboard, instance: LiveFacility) -> tuple[str, list[str]]:
    """Set up a second factor on the open tab; return its secret and the recovery codes."""
    page = keyboard.page
    keyboard.choose(page.get_by_role("button", name="Set up"))
    dialog = page.get_by_role("dialog", name="Set up the second factor")
    expect(dialog.get_by_role("img", name="QR code with the key")).to_be_visible()
    secret = dialog.locator("code").inner_text().replace(" ", "")
    keyboard.fill(dialog.get_by_role("textbox", name="Code"), code_of(instance, secret))
    keyboard.press("Enter")
    shown = page.get_by_role("dialog", name="Your recovery codes")
    expect(shown.get_by_role("listitem")).to_have_count(10)
    codes = shown.get_by_role("listitem").all_inner_texts()
    keyboard.press("Escape")
    keyboard.choose(shown.get_by_role("button", name="I have kept them"))
    expect(page.get_by_text("10 recovery codes are left.")).to_be_visible()
    return secret, [code.strip() for code in codes]


def type_password(keyboard: Keyboard, email: str) -> None:
    page = keyboard.page
    page.goto("/sign-in")
    keyboard.fill(page.get_by_role("textbox", name="Email"), email)
    keyboard.fill(page.get_by_role("textbox", name="Password"), PASSWORD)
    keyboard.press("Enter")


def code_field(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Code", exact=True)


def test_signing_in_asks_for_the_code_of_the_app_or_a_recovery_code(
    viewer: Viewer, instance: LiveFacility, web: Path
) -> None:
    mine, _watch = viewer.open(RESEARCHER)
    mine.goto("/profile?tab=second-factor")
    expect(mine.get_by_text("You have no second factor.")).to_be_visible()
    looks_right(mine, web)
    secret, recovery_codes = set_up(Keyboard(mine), instance)
    looks_right(mine, web)
    page, watch = viewer.open()
    watch.expect("status of 401")
    keyboard = Keyboard(page)

    type_password(keyboard, RESEARCHER)
    field = code_field(page)
    expect(field).to_be_focused()
    expect(field).to_have_attribute("autocomplete", "one-time-code")
    expect(field).to_have_attribute("inputmode", "numeric")
    looks_right(page, web)
    keyboard.type("000000")
    keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Code is not correct")
    expect(page.get_by_role("alert")).to_be_focused()
    keyboard.walk_to(field)
    keyboard.press("Control+a")
    keyboard.type(code_of(instance, secret))
    keyboard.press("Enter")
    expect(page.get_by_role("heading", name="My work")).to_be_visible()

    page.context.clear_cookies()
    type_password(keyboard, RESEARCHER)
    expect(field).to_be_focused()
    keyboard.choose(page.get_by_role("button", name="Use a recovery code"))
    expect(page.get_by_role("textbox", name="Recovery code")).to_be_focused()
    keyboard.type(recovery_codes[0])
    keyboard.press("Enter")
    expect(page.get_by_role("heading", name="My work")).to_be_visible()
    page.goto("/profile?tab=second-factor")
    expect(page.get_by_text("9 recovery codes are left.")).to_be_visible()


def test_it_is_set_up_and_removed_and_the_recovery_codes_can_be_kept(
    viewer: Viewer, instance: LiveFacility, web: Path, tmp_path: Path
) -> None:
    page, watch = viewer.open(OTHER_RESEARCHER)
    watch.expect("status of 400")
    page.goto("/profile?tab=second-factor")
    page.get_by_role("button", name="Set up").click()
    dialog = page.get_by_role("dialog", name="Set up the second factor")
    looks_right(page, web)
    secret = dialog.locator("code").inner_text().replace(" ", "")
    dialog.get_by_role("textbox", name="Code").fill("000000")
    dialog.get_by_role("button", name="Turn on").click()
    expect(dialog.get_by_role("alert")).to_contain_text("Code is not correct")
    dialog.get_by_role("textbox", name="Code").fill(code_of(instance, secret))
    dialog.get_by_role("button", name="Turn on").click()
    shown = page.get_by_role("dialog", name="Your recovery codes")
    expect(shown.get_by_role("listitem")).to_have_count(10)
    codes = [code.strip() for code in shown.get_by_role("listitem").all_inner_texts()]
    looks_right(page, web)

    with page.expect_download() as saved:
        shown.get_by_role("button", name="Download").click()
    saved.value.save_as(tmp_path / "codes.txt")
    assert (tmp_path / "codes.txt").read_text("utf-8").split("\n")[2:-1] == codes
    shown.get_by_role("button", name="I have kept them").click()
    page.get_by_role("button", name="Remove").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()

    expect(page.get_by_text("You have no second factor.")).to_be_visible()


def test_an_old_session_with_a_second_factor_is_confirmed_by_password_and_code(
    viewer: Viewer, instance: LiveFacility
) -> None:
    page, watch = viewer.open(RESEARCHER)
    watch.expect("status of 403")
    page.goto("/profile?tab=second-factor")
    secret, _codes = set_up(Keyboard(page), instance)
    change(instance, "UPDATE sessions SET confirmed_at = confirmed_at - 660000")

    page.get_by_role("button", name="Remove").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    dialog = page.get_by_role("dialog", name="Confirm your password")
    dialog.get_by_label("Password").fill(PASSWORD)
    dialog.get_by_role("textbox", name="Code").fill(code_of(instance, secret))
    dialog.get_by_role("button", name="Confirm").click()

    expect(page.get_by_text("You have no second factor.")).to_be_visible()


def test_an_admin_of_whom_it_is_required_is_led_to_it_and_goes_on(
    viewer: Viewer, instance: LiveFacility, web: Path
) -> None:
    admin = instance.sign_in()
    required = {"adminsNeedSecondFactor": True}
    page, watch = viewer.open(ADMIN)
    watch.expect("status of 403")
    assert admin.patch("/api/admin/settings/access", json=required).ok
    try:
        page.goto("/orders")
        expect(page).to_have_url(re.compile(r"/profile\?tab=second-factor$"))
        expect(page.get_by_text("The facility requires a second factor of its staff").first).to_be_visible()
        looks_right(page, web)
        set_up(Keyboard(page), instance)

        page.get_by_role("link", name="Orders").first.click()

        expect(page.get_by_role("heading", level=1, name="Orders")).to_be_visible()
        expect(page.get_by_text("You can go on once you have set one up")).to_have_count(0)
    finally:
        assert page.request.patch("/api/admin/settings/access", data={"adminsNeedSecondFactor": False}).ok
