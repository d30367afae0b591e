"""Signing in and out, as the decisions on sessions say."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from falcon.testing import Result
from seqfacility_testkit.facility import ADMIN, PASSWORD, RESEARCHER, Client, Facility, open_facility

SIGN_IN = "/api/auth/sign-in"
CHANGE = "/api/auth/password"


@pytest.fixture
def proxied(facility_template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Facility]:
    """Return a facility behind a proxy, with a limit of two failures."""
    monkeypatch.setenv("SEQFACILITY_TRUSTED_PROXIES", "127.0.0.1")
    facility = open_facility(facility_template, tmp_path)
    facility.services.facility.change("access", {"signInMaxFailures": 2}, facility.clock.now())
    yield facility
    facility.close()


def sign_in(facility: Facility, password: str, address: str, device: str | None = None) -> Result:
    headers = {"X-Forwarded-For": address}
    if device is not None:
        headers["Cookie"] = f"service_known_device={device}"
    return facility.anonymous.post(SIGN_IN, {"email": RESEARCHER, "password": password}, headers=headers)


def test_a_sign_in_answers_the_user_and_a_cookie(facility: Facility) -> None:
    answer = facility.anonymous.post(
        "/api/auth/sign-in", {"email": f"  {ADMIN.upper()} ", "password": PASSWORD}
    )

    assert answer.status_code == 200
    assert answer.json == {
        "user": {
            "id": facility.admin_id,
            "email": ADMIN,
            "firstName": "Rosalind",
            "lastName": "Franklin",
            "role": "FACILITY_ADMIN",
            "isDemo": False,
        }
    }
    assert "service_session=" in answer.headers["set-cookie"]
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert "SameSite=Lax" in answer.headers["set-cookie"]


def test_a_missing_password_is_refused_before_anything_is_looked_up(facility: Facility) -> None:
    answer = facility.anonymous.post("/api/auth/sign-in", {"email": ADMIN})

    assert (answer.status_code, answer.json) == (400, {"error": "Email and password are required"})


def test_an_unknown_email_and_a_wrong_password_are_answered_alike(facility: Facility) -> None:
    unknown = facility.anonymous.post("/api/auth/sign-in", {"email": "nobody@lab.test", "password": PASSWORD})
    wrong = facility.anonymous.post("/api/auth/sign-in", {"email": ADMIN, "password": "wrong password"})

    assert unknown.status_code == wrong.status_code == 401
    assert unknown.json == wrong.json == {"error": "Invalid email or password"}


def test_after_too_many_failures_even_the_right_password_waits(facility: Facility) -> None:
    facility.services.facility.change("access", {"signInMaxFailures": 2}, facility.clock.now())
    for _ in range(2):
        facility.anonymous.post("/api/auth/sign-in", {"email": RESEARCHER, "password": "wrong"})

    throttled = facility.anonymous.post("/api/auth/sign-in", {"email": RESEARCHER, "password": PASSWORD})
    facility.clock.advance(timedelta(minutes=16))
    later = facility.anonymous.post("/api/auth/sign-in", {"email": RESEARCHER, "password": PASSWORD})

    assert throttled.status_code == 429
    assert throttled.json == {"error": "Too many sign-in attempts. Try again later."}
    assert 0 < int(throttled.headers["retry-after"]) <= 901
    assert later.status_code == 200


def test_failures_of_one_network_keep_nobody_else_out(proxied: Facility) -> None:
    for _ in range(2):
        assert sign_in(proxied, "wrong", "203.0.113.1").status_code == 401

    assert sign_in(proxied, PASSWORD, "203.0.113.1").status_code == 429
    assert sign_in(proxied, PASSWORD, "203.0.113.2").status_code == 200


def test_an_ipv6_customer_is_one_network_however_many_addresses_it_uses(proxied: Facility) -> None:
    for last in (1, 2):
        sign_in(proxied, "wrong", f"2001:db8:1:2::{last}")

    assert sign_in(proxied, PASSWORD, "2001:db8:1:2:ffff::3").status_code == 429
    assert sign_in(proxied, PASSWORD, "2001:db8:1:3::3").status_code == 200


def test_an_email_that_fails_from_many_networks_is_delayed_for_seconds_only(proxied: Facility) -> None:
    delays = []
    for number in range(7):
        assert sign_in(proxied, "wrong", f"203.0.113.{number}").status_code == 401
        refused = sign_in(proxied, PASSWORD, f"203.0.113.{number}")
        delays.append(int(refused.headers["retry-after"]) if refused.status_code == 429 else 0)
        assert refused.status_code == (200 if number == 0 else 429)
        if number == 0:
            sign_in(proxied, "wrong", "203.0.113.99")
    proxied.clock.advance(timedelta(seconds=31))

    assert delays == [0, 2, 4, 8, 16, 30, 30]
    assert sign_in(proxied, PASSWORD, "203.0.113.6").status_code == 200


def test_a_browser_in_which_the_owner_has_signed_in_before_is_not_delayed(proxied: Facility) -> None:
    known = sign_in(proxied, PASSWORD, "203.0.113.9").cookies["service_known_device"].value
    for number in range(5):
        sign_in(proxied, "wrong", f"203.0.113.{number}")
    sign_in(proxied, "wrong", "203.0.113.9")

    assert sign_in(proxied, PASSWORD, "203.0.113.9", "forged").status_code == 429
    assert sign_in(proxied, PASSWORD, "203.0.113.9", known).status_code == 200


def test_a_known_browser_waits_like_any_other_for_its_own_failures(proxied: Facility) -> None:
    known = sign_in(proxied, PASSWORD, "203.0.113.9").cookies["service_known_device"].value
    for _ in range(2):
        sign_in(proxied, "wrong", "203.0.113.9", known)

    assert sign_in(proxied, PASSWORD, "203.0.113.9", known).status_code == 429


def test_a_new_password_makes_a_known_browser_unknown(proxied: Facility) -> None:
    known = sign_in(proxied, PASSWORD, "203.0.113.9").cookies["service_known_device"].value
    change = {"currentPassword": PASSWORD, "newPassword": "another long password"}
    assert proxied.researcher.post(CHANGE, change).status_code == 200
    for number in range(5):
        sign_in(proxied, "wrong", f"203.0.113.{number}")
    sign_in(proxied, "wrong", "203.0.113.9")

    assert sign_in(proxied, "another long password", "203.0.113.9", known).status_code == 429


def test_a_reset_link_ends_the_waiting_of_its_account(proxied: Facility) -> None:
    for _ in range(2):
        sign_in(proxied, "wrong", "203.0.113.1")
    assert sign_in(proxied, PASSWORD, "203.0.113.1").status_code == 429
    made = proxied.admin.post(f"/api/admin/users/{proxied.researcher_id}/reset-link").json

    reset = {"token": made["token"], "newPassword": "another long password"}
    assert proxied.anonymous.post("/api/auth/password-reset", reset).status_code == 200

    assert sign_in(proxied, "another long password", "203.0.113.1").status_code == 200


def test_the_cookie_of_a_known_browser_goes_to_sign_in_only(facility: Facility) -> None:
    answer = facility.anonymous.post(SIGN_IN, {"email": RESEARCHER, "password": PASSWORD})

    cookie = answer.cookies["service_known_device"]
    assert (cookie.path, cookie.http_only, cookie.same_site) == (SIGN_IN, True, "Strict")


def test_a_session_ends_when_nobody_uses_it(facility: Facility) -> None:
    facility.clock.advance(timedelta(hours=12))

    answer = facility.admin.get("/api/auth/session")

    assert answer.json == {"user": None, "expiresAt": None}


def test_a_session_ends_at_its_latest_moment_however_much_it_is_used(facility: Facility) -> None:
    for _ in range(17):
        facility.clock.advance(timedelta(hours=10))
        facility.admin.get("/api/auth/session")

    assert facility.admin.get("/api/auth/session").json["user"] is None


def test_a_sign_out_ends_the_session_at_once(facility: Facility) -> None:
    first = facility.admin.post("/api/auth/sign-out")
    second = facility.admin.post("/api/auth/sign-out")

    assert first.json == second.json == {"success": True}
    assert first.headers["clear-site-data"] == '"storage"'
    assert facility.admin.get("/api/auth/session").json["user"] is None


def test_a_changed_password_ends_the_other_sessions_only(facility: Facility) -> None:
    elsewhere = facility.sign_in(RESEARCHER)

    answer = facility.researcher.post(
        "/api/auth/password", {"currentPassword": PASSWORD, "newPassword": "another long password"}
    )

    assert (answer.status_code, answer.json) == (200, {"success": True})
    assert elsewhere.get("/api/auth/session").json["user"] is None
    renewed = Client(facility, answer.cookies["service_session"].value)
    assert renewed.get("/api/auth/session").json["user"]["email"] == RESEARCHER
    assert facility.sign_in(RESEARCHER, "another long password").cookie


def test_a_wrong_current_password_changes_nothing(facility: Facility) -> None:
    answer = facility.researcher.post(
        "/api/auth/password", {"currentPassword": "not it", "newPassword": "another long password"}
    )

    assert (answer.status_code, answer.json) == (400, {"error": "Current password is not correct"})


def test_guesses_at_the_current_password_are_bounded(facility: Facility) -> None:
    facility.services.facility.change("access", {"signInMaxFailures": 2}, facility.clock.now())
    change = {"currentPassword": PASSWORD, "newPassword": "another long password"}
    for _ in range(2):
        assert facility.researcher.post(CHANGE, {**change, "currentPassword": "no"}).status_code == 400

    throttled = facility.researcher.post(CHANGE, change)
    others = facility.other_researcher.post(CHANGE, {**change, "currentPassword": "no"})
    facility.clock.advance(timedelta(minutes=16))

    assert (throttled.status_code, throttled.json) == (429, {"error": "Too many requests"})
    assert 0 < int(throttled.headers["retry-after"]) <= 901
    assert others.status_code == 400
    assert facility.researcher.post(CHANGE, change).status_code == 200


@pytest.mark.parametrize(
    ("password", "reason"),
    [
        ("PASSWORD12", "must not be one of the commonest passwords"),
        ("1234567890", "must not be one of the commonest passwords"),
        ("SeqFacility", "must not be a part of the e-mail address or the name of this site"),
        ("Facility.test", "must not be a part of the e-mail address or the name of this site"),
        (PASSWORD, "must not be the current password"),
    ],
)
def test_what_everybody_tries_first_is_no_new_password(
    facility: Facility, password: str, reason: str
) -> None:
    answer = facility.admin.post(CHANGE, {"currentPassword": PASSWORD, "newPassword": password})

    assert (answer.status_code, answer.json["error"]) == (400, "Password does not meet the rules")
    assert answer.json["details"] == [f"newPassword: {reason}"]


@pytest.mark.parametrize("password", ["correct-horse-battery-9", "password-12345", "Passw0rd!Passw0rd"])
def test_a_password_may_contain_what_it_must_not_be(facility: Facility, password: str) -> None:
    answer = facility.admin.post(CHANGE, {"currentPassword": PASSWORD, "newPassword": password})

    assert answer.status_code == 200


def test_a_short_password_is_refused_with_its_reason(facility: Facility) -> None:
    answer = facility.researcher.post(
        "/api/auth/password", {"currentPassword": PASSWORD, "newPassword": "short"}
    )

    assert answer.status_code == 400
    assert answer.json == {
        "error": "Password does not meet the rules",
        "details": ["newPassword: must have at least 10 characters"],
    }
