"""The profile: where somebody is signed in, tokens for programs, the password, and what is asked again."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import requests
from playwright.sync_api import Locator, Page, expect
from seqfacility_testkit.facility import ADMIN, OTHER_RESEARCHER, PASSWORD, RESEARCHER
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.pages import Viewer, looks_right

TELEPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.5 Mobile/15E148 Safari/604.1"
)
MORE_THAN_TEN_MINUTES = 11 * 60 * 1000


@pytest.fixture(autouse=True)
def nobody_else_is_signed_in(instance: LiveFacility) -> Iterator[None]:
    yield
    with closing(sqlite3.connect(instance.home / "seqfacility.db")) as database, database:
        database.execute("DELETE FROM sessions")


def let_confirmations_grow_old(instance: LiveFacility) -> None:
    with closing(sqlite3.connect(instance.home / "seqfacility.db")) as database, database:
        database.execute("UPDATE sessions SET confirmed_at = confirmed_at - ?", (MORE_THAN_TEN_MINUTES,))


def row(page: Page, words: str) -> Locator:
    return page.get_by_role("row").filter(has_text=words)


def sign_in(page: Page, email: str, password: str = PASSWORD) -> None:
    page.goto("/sign-in")
    page.get_by_role("textbox", name="Email").fill(email)
    page.get_by_role("textbox", name="Password").fill(password)
    page.get_by_role("button", name="Sign in").click()


def make_token(page: Page, name: str) -> None:
    """Ask for a token that may see orders."""
    page.get_by_role("button", name="New token").click()
    dialog = page.get_by_role("dialog", name="New token")
    dialog.get_by_label("Name").fill(name)
    dialog.get_by_role("checkbox", name=re.compile("^See orders")).check()
    dialog.get_by_role("button", name="Make token").click()


def test_a_session_is_ended_from_elsewhere_and_that_browser_says_so(viewer: Viewer, web: Path) -> None:
    theirs, watch = viewer.open(user_agent=TELEPHONE)
    watch.expect("status of 401")
    sign_in(theirs, RESEARCHER)
    expect(theirs.get_by_role("heading", name="My work")).to_be_visible()
    page, _watch = viewer.open(RESEARCHER)
    page.goto("/profile?tab=sessions")
    telephone = row(page, "Safari on iPhone")
    expect(telephone).to_contain_text("127.0.0.1")
    expect(row(page, "this one")).to_have_count(1)
    looks_right(page, web)

    telephone.get_by_role("button", name="End Safari on iPhone").click()

    expect(page.get_by_text("Safari on iPhone is signed out.")).to_be_visible()
    expect(telephone).to_have_count(0)
    theirs.get_by_role("link", name="Orders").first.click()
    expect(theirs.get_by_role("dialog", name="Your session has ended")).to_contain_text("ended elsewhere")
    theirs.reload()
    expect(theirs.get_by_role("heading", name="Sign in")).to_be_visible()
    expect(theirs.get_by_text("Your session has ended.")).to_be_visible()
    looks_right(theirs, web)


def test_all_other_sessions_are_ended_at_once_after_a_question(
    viewer: Viewer, instance: LiveFacility
) -> None:
    others = [instance.sign_in(RESEARCHER) for _other in range(3)]
    page, _watch = viewer.open(RESEARCHER)
    page.goto("/profile?tab=sessions")
    expect(page.get_by_role("row")).to_have_count(1 + 4)

    page.get_by_role("button", name="End all others").click()
    dialog = page.get_by_role("dialog", name="End all other sessions")
    dialog.get_by_role("button", name="End all others").click()

    expect(page.get_by_text("All other sessions have ended.")).to_be_visible()
    expect(page.get_by_role("row")).to_have_count(1 + 1)
    expect(page.get_by_role("button", name="End all others")).to_have_attribute("aria-disabled", "true")
    assert [other.get("/api/orders").status_code for other in others] == [401, 401, 401]


def test_a_token_is_made_used_and_revoked(viewer: Viewer, instance: LiveFacility, web: Path) -> None:
    page, watch = viewer.open(RESEARCHER)
    watch.expect("status of 400")
    page.goto("/profile?tab=tokens")
    expect(page.get_by_text("No tokens yet")).to_be_visible()
    looks_right(page, web)
    page.get_by_role("button", name="New token").click()
    dialog = page.get_by_role("dialog", name="New token")
    expect(dialog.get_by_role("checkbox", name="Do everything that facility staff may")).to_have_count(0)
    dialog.get_by_role("button", name="Make token").click()
    expect(dialog.get_by_role("alert")).to_be_focused()
    looks_right(page, web)
    dialog.get_by_role("button", name="Cancel").click()
    make_token(page, "Nightly export")
    made = page.get_by_role("dialog", name="Token Nightly export")
    token = made.locator("code").first.inner_text()
    expect(made).to_contain_text("SEQFACILITY_TOKEN")
    looks_right(page, web)

    page.keyboard.press("Escape")
    expect(made).to_be_visible()
    made.get_by_role("button", name="I have copied it").click()

    headers = {"Authorization": f"Bearer {token}"}
    orders = f"{instance.base}/api/orders"
    assert requests.get(orders, headers=headers, timeout=60).status_code == 200
    assert requests.post(orders, json={"name": "No"}, headers=headers, timeout=60).status_code == 403
    page.reload()
    mine = row(page, "Nightly export")
    expect(mine).to_contain_text("orders:read")
    expect(mine).to_contain_text("from 127.0.0.1")
    expect(page.get_by_text(token)).to_have_count(0)
    looks_right(page, web)
    mine.get_by_role("button", name="Revoke Nightly export").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(page.get_by_text("Nightly export is revoked.")).to_be_visible()
    expect(page.get_by_text("No tokens yet")).to_be_visible()
    assert requests.get(orders, headers=headers, timeout=60).status_code == 401


def test_an_old_session_is_confirmed_by_the_password_and_the_act_goes_on(
    viewer: Viewer, instance: LiveFacility, web: Path
) -> None:
    page, watch = viewer.open(RESEARCHER)
    watch.expect("status of 40[03]")
    page.goto("/profile?tab=tokens")
    let_confirmations_grow_old(instance)

    make_token(page, "Late one")
    dialog = page.get_by_role("dialog", name="Confirm your password")
    expect(dialog.get_by_label("Password")).to_be_focused()
    looks_right(page, web)
    page.keyboard.type("not my password")
    page.keyboard.press("Enter")
    expect(dialog.get_by_role("alert")).to_contain_text("Current password is not correct")
    dialog.get_by_label("Password").fill(PASSWORD)
    dialog.get_by_role("button", name="Confirm").click()

    made = page.get_by_role("dialog", name="Token Late one")
    made.get_by_role("button", name="I have copied it").click()
    expect(row(page, "Late one")).to_have_count(1)
    make_token(page, "Soon after")
    expect(page.get_by_role("dialog", name="Token Soon after")).to_be_visible()


def test_who_does_not_confirm_sees_the_refusal_where_the_act_was(
    viewer: Viewer, instance: LiveFacility
) -> None:
    page, watch = viewer.open(OTHER_RESEARCHER)
    watch.expect("status of 403")
    page.goto("/profile?tab=tokens")
    let_confirmations_grow_old(instance)
    make_token(page, "Never made")
    expect(page.get_by_role("dialog", name="Confirm your password")).to_be_visible()

    page.keyboard.press("Escape")

    expect(page.get_by_role("dialog", name="Confirm your password")).to_have_count(0)
    expect(page.get_by_role("dialog", name="New token").get_by_role("alert")).to_contain_text(
        "Confirm your password first"
    )
    expect(page.get_by_label("Name")).to_have_value("Never made")


def test_the_page_goes_on_after_a_new_password_with_another_cookie(
    viewer: Viewer, instance: LiveFacility
) -> None:
    page, _watch = viewer.open(OTHER_RESEARCHER)
    other = instance.sign_in(OTHER_RESEARCHER)
    page.goto("/profile")
    before = page.context.cookies()
    new = "four quite different words"

    page.get_by_label("Current password").fill(PASSWORD)
    page.get_by_label("New password").fill(new)
    page.get_by_role("button", name="Change password").click()

    expect(page.get_by_text("Your password is changed.")).to_be_visible()
    page.get_by_role("tab", name="Sessions").click()
    expect(row(page, "this one")).to_have_count(1)
    page.get_by_role("link", name="Orders").first.click()
    expect(page.get_by_role("heading", name="Orders")).to_be_visible()
    assert page.context.cookies() != before
    assert other.get("/api/orders").status_code == 401
    page.goto("/profile")
    page.get_by_label("Current password").fill(new)
    page.get_by_label("New password").fill(PASSWORD)
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_text("Your password is changed.")).to_be_visible()


def test_staff_may_give_a_token_what_staff_may(viewer: Viewer) -> None:
    page, _watch = viewer.open(ADMIN)
    page.goto("/profile?tab=tokens")

    page.get_by_role("button", name="New token").click()

    everything = page.get_by_role("checkbox", name="Do everything that facility staff may")
    expect(everything).to_be_visible()
