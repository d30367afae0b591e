"""Signing in and out, as the decisions on sessions say."""

from datetime import timedelta

from seqfacility_testkit.facility import ADMIN, PASSWORD, RESEARCHER, Facility


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
    assert facility.admin.get("/api/auth/session").json["user"] is None


def test_a_changed_password_ends_the_other_sessions_only(facility: Facility) -> None:
    elsewhere = facility.sign_in(RESEARCHER)

    answer = facility.researcher.post(
        "/api/auth/password", {"currentPassword": PASSWORD, "newPassword": "another long password"}
    )

    assert (answer.status_code, answer.json) == (200, {"success": True})
    assert elsewhere.get("/api/auth/session").json["user"] is None
    assert facility.researcher.get("/api/auth/session").json["user"]["email"] == RESEARCHER
    assert facility.sign_in(RESEARCHER, "another long password").cookie


def test_a_wrong_current_password_changes_nothing(facility: Facility) -> None:
    answer = facility.researcher.post(
        "/api/auth/password", {"currentPassword": "not it", "newPassword": "another long password"}
    )

    assert (answer.status_code, answer.json) == (400, {"error": "Current password is not correct"})


def test_a_short_password_is_refused_with_its_reason(facility: Facility) -> None:
    answer = facility.researcher.post(
        "/api/auth/password", {"currentPassword": PASSWORD, "newPassword": "short"}
    )

    assert answer.status_code == 400
    assert answer.json == {
        "error": "Password does not meet the rules",
        "details": ["newPassword: must have at least 10 characters"],
    }
