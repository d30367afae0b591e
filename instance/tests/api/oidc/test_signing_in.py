"""Signing in at a provider: what it makes of a person, and what it never does."""

from seqfacility_testkit.facility import Facility

from .conftest import Browser, place  # isort: skip


def test_the_first_sign_in_makes_an_account_and_ends_in_a_session_on_the_page_that_was_asked_for(
    facility: Facility, browser: Browser
) -> None:
    listed = facility.anonymous.get("/api/auth/oidc")
    answer = browser.sign_in("/orders?view=mine")

    assert listed.json == {"providers": [{"id": "institute", "name": "Institute of Limnology"}]}
    assert place(answer) == "/orders?view=mine"
    profile = browser.client.get("/api/auth/session").json["user"]
    assert (profile["email"], profile["firstName"], profile["role"]) == (
        "marie@institute.test",
        "Marie",
        "RESEARCHER",
    )
