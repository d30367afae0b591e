"""Signing in with the account of an institute, at a real OpenID provider, and being asked again later."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from seqfacility_testkit.identity_provider import running_provider, why_not
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.pages import Viewer, Watch, looks_right

CLIENT_ID, CLIENT_SECRET = "seqfacility", "kept by the institute"
PEOPLE = {
    "marie": {
        "email": "marie@institute.test",
        "email_verified": True,
        "given_name": "Marie",
        "family_name": "Curie",
    }
}
NAME = "Institute of Limnology"


@pytest.fixture(scope="module")
def provider(instance: LiveFacility) -> Iterator[str]:
    """Run a provider that the facility knows; return its issuer."""
    missing = why_not()
    if missing is not None:
        pytest.skip(missing)
    client = {
        "client_id": CLIENT_ID,
        "client_secret": CLIENT_SECRET,
        "redirect_uris": [f"{instance.base}/api/auth/oidc/institute/callback"],
    }
    with running_provider([client], PEOPLE) as issuer:
        known = {"id": "institute", "name": NAME, "issuer": issuer}
        secrets = {"clientId": CLIENT_ID, "clientSecret": CLIENT_SECRET}
        body = {"oidcProviders": [{**known, **secrets}]}
        answer = instance.sign_in().patch("/api/admin/settings/signIn", json=body)
        assert answer.ok, answer.text
        yield issuer


def expect_the_providers_own_pages(watch: Watch) -> None:
    """A provider is another site, with pages and errors of its own."""
    watch.expect("^elsewhere: |^console: .*(policy|favicon|fonts|Refused)")


def sign_in_there(page: Page) -> None:
    """Sign in on the pages of the provider, and let it tell who one is."""
    page.get_by_placeholder("Enter any login").fill("marie")
    page.get_by_placeholder("and password").fill("any")
    page.get_by_role("button", name="Sign-in").click()
    page.get_by_role("button", name="Continue").click()


def test_somebody_signs_in_at_the_institute_and_comes_to_the_place_that_was_asked_for(
    viewer: Viewer, web: Path, provider: str
) -> None:
    page, watch = viewer.open()
    expect_the_providers_own_pages(watch)
    page.goto("/studies")
    expect(page).to_have_url(re.compile(r"/sign-in\?next="))
    expect(page.get_by_role("link", name=f"Sign in with {NAME}")).to_be_visible()
    looks_right(page, web)

    page.get_by_role("link", name=f"Sign in with {NAME}").click()
    page.wait_for_url(f"{provider}/**")
    sign_in_there(page)

    expect(page.get_by_role("heading", level=1, name="Studies")).to_be_visible()
    page.get_by_role("button", name="Account").click()
    expect(page.get_by_role("menu")).to_contain_text("Marie Curie")


def test_who_cancels_there_is_told_so_here(viewer: Viewer, web: Path, provider: str) -> None:
    page, watch = viewer.open()
    expect_the_providers_own_pages(watch)
    page.goto("/sign-in")

    page.get_by_role("link", name=f"Sign in with {NAME}").click()
    page.wait_for_url(f"{provider}/**")
    page.get_by_role("link", name="Cancel").click()

    expect(page.get_by_role("alert")).to_contain_text("The sign-in was cancelled.")
    looks_right(page, web)


def test_words_of_others_in_the_address_are_not_shown(viewer: Viewer) -> None:
    page, _watch = viewer.open()

    page.goto("/sign-in?error=Call+0900-555+at+once")

    expect(page.get_by_role("alert")).to_contain_text("The sign-in did not succeed.")
    expect(page.get_by_text("0900")).to_have_count(0)


def test_an_account_without_a_password_confirms_by_signing_in_again_in_another_tab(
    viewer: Viewer, instance: LiveFacility, web: Path, provider: str
) -> None:
    page, watch = viewer.open()
    expect_the_providers_own_pages(watch)
    watch.expect("status of 403")
    page.goto("/sign-in?next=%2Fprofile%3Ftab%3Dtokens")
    page.get_by_role("link", name=f"Sign in with {NAME}").click()
    page.wait_for_url(f"{provider}/**")
    sign_in_there(page)
    expect(page.get_by_text("No tokens yet")).to_be_visible()
    with closing(sqlite3.connect(instance.home / "seqfacility.db")) as database, database:
        database.execute("UPDATE sessions SET confirmed_at = confirmed_at - 660000")
    page.get_by_role("button", name="New token").click()
    page.get_by_label("Name").fill("Nightly export")
    page.get_by_role("checkbox", name=re.compile("^See orders")).check()
    page.get_by_role("button", name="Make token").click()
    dialog = page.get_by_role("dialog", name="Confirm your password")
    dialog.get_by_label("Password").fill("whatever")
    dialog.get_by_role("button", name="Confirm").click()
    expect(dialog).to_contain_text("This account has no password here.")
    looks_right(page, web)

    with page.expect_popup() as opened:
        dialog.get_by_role("link", name=f"Sign in with {NAME}").click()
    expect(opened.value.get_by_role("heading", level=1, name="Profile")).to_be_visible()
    dialog.get_by_role("button", name="I have signed in").click()

    expect(page.get_by_role("dialog", name="Token Nightly export")).to_be_visible()
