"""A provider ends sessions; nobody else does, and no token does it twice."""

from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from falcon.testing import Result
from seqfacility_instance.core import limits
from seqfacility_instance.oidc.store import forget_uses
from seqfacility_testkit.facility import ADMIN, PASSWORD, Facility
from seqfacility_testkit.lying_provider import LOGOUT_EVENT, LyingProvider

from .conftest import Browser  # isort: skip

PATH = "/api/auth/oidc/institute/back-channel-logout"


def send(facility: Facility, token: str, path: str = PATH) -> Result:
    return facility.anonymous.post(
        path,
        body=urlencode({"logout_token": token}),
        headers={"Content-Type": "application/x-www-form-urlencoded"},
    )


def is_open(browser: Browser) -> bool:
    return browser.client.get("/api/auth/session").json["user"] is not None


def test_the_sessions_of_a_subject_end_and_no_others(
    facility: Facility, browser: Browser, provider: LyingProvider
) -> None:
    browser.sign_in()
    provider.claims |= {"sub": "person-2", "email": "pierre@institute.test"}
    other = Browser(facility, provider)
    other.sign_in()

    answer = send(facility, provider.logout_token(sub="person-1"))

    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
    assert (is_open(browser), is_open(other)) == (False, True)
    assert facility.researcher.get("/api/user/profile").status_code == 200


def test_one_sign_in_ends_by_its_id_and_that_on_another_computer_goes_on(
    facility: Facility, browser: Browser, provider: LyingProvider
) -> None:
    browser.sign_in()
    provider.claims["sid"] = "sid-2"
    other = Browser(facility, provider)
    other.sign_in()

    assert send(facility, provider.logout_token(sub=None, sid="sid-1")).status_code == 200

    assert (is_open(browser), is_open(other)) == (False, True)


def test_a_session_that_has_changed_its_password_ends_like_any_other(
    facility: Facility, browser: Browser, provider: LyingProvider
) -> None:
    provider.claims["email"] = ADMIN
    browser.sign_in()
    body = {"currentPassword": PASSWORD, "newPassword": "a longer battery staple"}
    changed = browser.client.post("/api/auth/password", body)
    browser.kept["service_session"] = changed.cookies["service_session"].value
    before = browser.client.get("/api/user/profile").status_code

    assert send(facility, provider.logout_token(sub="person-1", sid="sid-1")).status_code == 200

    assert (before, browser.client.get("/api/user/profile").status_code) == (200, 401)


def test_a_logout_token_counts_once_within_its_life(
    facility: Facility, browser: Browser, provider: LyingProvider
) -> None:
    token = provider.logout_token(exp=4_000_000_000)
    assert send(facility, token).status_code == 200
    browser.sign_in()

    assert send(facility, token).status_code == 400
    facility.clock.advance(limits.OIDC_LOGOUT_TOKEN_LIFE + timedelta(minutes=5))
    forget_uses(facility.clock.now())
    assert send(facility, token).status_code == 400
    assert is_open(browser)


@pytest.mark.parametrize(
    "claims",
    [
        {"nonce": "of a sign-in"},
        {"events": None},
        {"events": {}},
        {"events": {LOGOUT_EVENT: None}},
        {"events": [LOGOUT_EVENT]},
        {"events": LOGOUT_EVENT},
        {"iss": "https://elsewhere.test"},
        {"aud": "another client"},
        {"iat": None},
        {"iat": 1_600_000_000},
        {"iat": 4_000_000_000},
        {"exp": 1_600_000_000},
        {"jti": None},
        {"jti": 5},
        {"sub": None},
        {"sub": "\0"},
        {"sub": ["person-1"]},
        {"sid": {"a": 1}},
    ],
    ids=str,
)
def test_a_logout_token_that_is_none(
    facility: Facility, browser: Browser, provider: LyingProvider, claims: dict[str, Any]
) -> None:
    browser.sign_in()

    answer = send(facility, provider.logout_token(**claims))

    assert (answer.status_code, answer.json) == (400, {"error": "Logout token is not valid"})
    assert is_open(browser)


@pytest.mark.parametrize("how", ["sign_with_nothing", "sign_with_public_key", "sign_with_client_secret"])
def test_a_logout_token_that_anybody_could_sign(
    facility: Facility, browser: Browser, provider: LyingProvider, how: str
) -> None:
    browser.sign_in()
    provider.sign = getattr(provider, how)

    assert send(facility, provider.logout_token()).status_code == 400
    assert is_open(browser)


def test_an_id_token_is_no_logout_token_and_the_other_way_round(
    facility: Facility, browser: Browser, provider: LyingProvider
) -> None:
    browser.sign_in()
    id_token = provider.sign({**provider.claims, "iss": provider.issuer, "aud": "seqfacility"})
    assert send(facility, id_token).status_code == 400
    assert is_open(browser)
    provider.claims["events"] = {LOGOUT_EVENT: {}}

    answer = Browser(facility, provider).sign_in()

    assert answer.headers["location"] == "/sign-in?error=invalid-answer"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\0",
        b"\xff",
        b"{}",
        b"logout_token=",
        b"logout_token=a&logout_token=b",
        b"&" * 4000,
        b"a=b&" * 2000,
    ],
)
def test_rubbish_ends_nothing(facility: Facility, browser: Browser, body: bytes) -> None:
    answer = facility.anonymous.post(PATH, body=body)

    assert answer.status_code == 400


def test_a_provider_whose_keys_are_out_of_reach_is_told_to_send_the_token_again(
    facility: Facility, browser: Browser, provider: LyingProvider
) -> None:
    provider.replies["/jwks"] = lambda: (500, {}, b"")

    assert send(facility, provider.logout_token()).status_code == 503


def test_an_unknown_provider_is_not_found(facility: Facility) -> None:
    assert send(facility, "a.b.c", PATH.replace("institute", "elsewhere")).status_code == 404
    start = facility.anonymous.get("/api/auth/oidc/elsewhere/start")
    assert start.headers["location"] == "/sign-in?error=unknown-provider"
