"""API tokens of people: made, shown once, used within their scopes, revoked."""

import re
from datetime import timedelta

import pytest
from seqfacility_instance.accounts import throttle
from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.people import Role
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.people import AuditEvent, Session, User
from seqfacility_instance.tables.tokens import ApiToken
from seqfacility_testkit.facility import RESEARCHER, Client, Facility
from seqfacility_testkit.scripts import new_token, script_of

TOKENS = "/api/user/tokens"
BODY = {"name": "nightly export", "scopes": ["orders:read"], "expiresInDays": 30}


def test_the_text_of_a_token_is_shown_once_and_kept_as_a_hash(facility: Facility) -> None:
    made = facility.researcher.post(TOKENS, BODY)
    listed = facility.researcher.get(TOKENS)

    text = made.json["token"]
    assert made.status_code == 201
    assert re.fullmatch(r"sqf_p[0-9A-Za-z]{49}", text)
    assert made.json["tokenInfo"]["scopes"] == ["orders:read"]
    assert listed.json == {"tokens": [made.json["tokenInfo"]]}
    assert text not in listed.text
    stored = ApiToken.get()
    assert text not in (stored.token_hash, stored.id)
    assert stored.expires_at - stored.created_at == timedelta(days=30)


def test_a_token_does_what_its_owner_may_within_its_scope(facility: Facility) -> None:
    order = facility.researcher.post("/api/orders", {"name": "A lake"}).json["order"]
    script = script_of(facility.researcher, "orders:write")

    assert script.get("/api/orders").json["orders"][0]["id"] == order["id"]
    assert script.put(f"/api/orders/{order['id']}", {"name": "Two lakes"}).status_code == 200
    assert script.get("/api/pipelines").json == {"error": "Token does not allow this"}
    assert script.get("/api/admin/users").status_code == 403
    assert script_of(facility.other_researcher, "orders:read").get("/api/orders").json["orders"] == []


def test_reading_is_not_writing_but_writing_is_reading(facility: Facility) -> None:
    reader, writer = (script_of(facility.researcher, f"orders:{word}") for word in ("read", "write"))

    assert (reader.get("/api/orders").status_code, writer.get("/api/orders").status_code) == (200, 200)
    refused = reader.post("/api/orders", {"name": "A lake"})
    assert (refused.status_code, refused.json) == (403, {"error": "Token does not allow this"})
    assert writer.post("/api/orders", {"name": "A lake"}).status_code == 201
    assert reader.request("HEAD", "/api/orders").status_code == 200


@pytest.mark.parametrize(
    "text",
    [
        "",
        "sqf_p",
        "x" * 54,
        "sqf_p" + "0" * 49,
        "sqf_p" + "é" * 49,
        "sqf_p" + "0" * 100_000,
        "a b",
        "\x01\x7f",
    ],
)
def test_a_text_that_is_no_token_is_unauthorized(facility: Facility, text: str) -> None:
    script = Client(facility, token=text.encode("utf-8").decode("latin-1"))

    assert (script.get("/api/orders").status_code, script.get("/api/version").status_code) == (401, 200)


def test_a_revoked_or_expired_token_is_unauthorized(facility: Facility) -> None:
    made = new_token(facility.researcher, "orders:read")
    revoked, expiring = Client(facility, token=made["token"]), script_of(facility.researcher, "orders:read")

    assert facility.researcher.delete(f"{TOKENS}/{made['tokenInfo']['id']}").json == {"success": True}
    assert revoked.get("/api/orders").json == {"error": "Unauthorized"}
    assert facility.researcher.delete(f"{TOKENS}/{made['tokenInfo']['id']}").status_code == 404
    facility.clock.advance(timedelta(days=30, seconds=-5))
    assert expiring.get("/api/orders").status_code == 200
    facility.clock.advance(timedelta(seconds=6))
    assert expiring.get("/api/orders").status_code == 401


def test_nobody_revokes_the_token_of_somebody_else(facility: Facility) -> None:
    token_id = new_token(facility.researcher, "orders:read")["tokenInfo"]["id"]

    for stranger in (facility.other_researcher, facility.admin):
        assert stranger.delete(f"{TOKENS}/{token_id}").json == {"error": "Token not found"}


def test_an_admin_lists_and_revokes_the_tokens_of_a_person(facility: Facility) -> None:
    made = new_token(facility.researcher, "orders:read")
    of_user, script = (
        f"/api/admin/users/{facility.researcher_id}/tokens",
        Client(facility, token=made["token"]),
    )

    assert facility.admin.get(of_user).json == {"tokens": [made["tokenInfo"]]}
    elsewhere = f"/api/admin/users/{facility.admin_id}/tokens/{made['tokenInfo']['id']}"
    assert facility.admin.delete(elsewhere).json == {"error": "Token not found"}
    assert facility.admin.get("/api/admin/users/nobody/tokens").json == {"error": "User not found"}
    assert facility.researcher.get(of_user).status_code == 403
    assert facility.admin.delete(f"{of_user}/{made['tokenInfo']['id']}").json == {"success": True}
    assert script.get("/api/orders").status_code == 401


def test_a_token_loses_with_its_owner_the_role_of_an_admin(facility: Facility) -> None:
    script = script_of(facility.admin, "admin")
    assert script.get("/api/admin/users").status_code == 200
    User.update(role=Role.RESEARCHER).where(User.id == facility.admin_id).execute()

    refused = script.get("/api/admin/users")
    assert (refused.status_code, refused.json) == (403, {"error": "Unauthorized"})
    assert script.get("/api/orders").json["orders"] == []


def test_a_token_outlives_a_new_password_and_ends_with_deactivation_for_good(facility: Facility) -> None:
    script, account = (
        script_of(facility.researcher, "orders:read"),
        f"/api/admin/users/{facility.researcher_id}",
    )
    link = facility.admin.post(f"{account}/reset-link").json["token"]
    reset = {"token": link, "newPassword": "another horse battery"}
    assert facility.anonymous.post("/api/auth/password-reset", reset).status_code == 200
    assert Session.select().where(Session.user == facility.researcher_id).count() == 0
    assert script.get("/api/orders").status_code == 200

    facility.admin.patch(account, {"isActive": False})
    assert script.get("/api/orders").status_code == 401
    facility.admin.patch(account, {"isActive": True})
    assert script.get("/api/orders").status_code == 401
    assert AuditEvent.select().where(AuditEvent.action == "token-revoked").count() == 1


@pytest.mark.parametrize(
    ("change", "detail"),
    [
        ({"name": ""}, "name: must not be empty"),
        ({"name": "a\0b"}, "name: must not contain a NUL character"),
        ({"name": "n" * 256}, "name: must have at most 255 characters"),
        ({"scopes": []}, "scopes: must have at least 1 entry"),
        ({"scopes": ["orders:delete"]}, "scopes[0]: must be one of"),
        ({"scopes": ["admin"]}, "scopes: admin is for facility admins only"),
        ({"scopes": "admin"}, "scopes: must be an array"),
        ({"scopes": [["admin"]]}, "scopes[0]: must be"),
        ({"expiresInDays": 0}, "expiresInDays: must be at least 1"),
        ({"expiresInDays": 366}, "expiresInDays: must be at most 365"),
        ({"expiresInDays": 10**30}, "expiresInDays: must be at most 365"),
        ({"expiresInDays": True}, "expiresInDays: must be an integer"),
        ({"expiresInDays": None}, "expiresInDays: is required"),
    ],
)
def test_a_token_without_sense_is_refused_with_its_reason(
    facility: Facility, change: dict[str, object], detail: str
) -> None:
    answer = facility.researcher.post(TOKENS, {**BODY, **change})

    assert (answer.status_code, answer.json["error"]) == (400, "Validation failed")
    assert answer.json["details"][0].startswith(detail)
    assert ApiToken.select().count() == 0


def test_a_token_has_each_scope_once(facility: Facility) -> None:
    made = new_token(facility.admin, "admin", "orders:read", "admin")

    assert made["tokenInfo"]["scopes"] == ["orders:read", "admin"]


def test_a_person_has_at_most_fifty_tokens_that_have_not_expired(facility: Facility) -> None:
    for number in range(50):
        new_token(facility.researcher, "orders:read", days=1, name=f"script {number}")

    refused = facility.researcher.post(TOKENS, BODY)
    assert refused.status_code == 409
    assert refused.json == {"error": "An account has at most 50 API tokens. Revoke one first."}
    assert facility.admin.post(TOKENS, BODY).status_code == 201
    facility.clock.advance(timedelta(days=1))
    assert facility.sign_in(RESEARCHER).post(TOKENS, BODY).status_code == 201


def test_the_use_of_a_token_is_noted_at_most_once_a_minute(facility: Facility) -> None:
    script = script_of(facility.researcher, "orders:read")
    assert "lastUsedAt" not in facility.researcher.get(TOKENS).json["tokens"][0]
    script.get("/api/orders")
    first = facility.researcher.get(TOKENS).json["tokens"][0]
    facility.clock.advance(timedelta(seconds=50))
    script.get("/api/orders")
    second = facility.researcher.get(TOKENS).json["tokens"][0]
    facility.clock.advance(timedelta(seconds=11))
    script.get("/api/orders")

    assert first["lastUsedAddress"] == "127.0.0.1"
    assert second["lastUsedAt"] == first["lastUsedAt"]
    assert facility.researcher.get(TOKENS).json["tokens"][0]["lastUsedAt"] > first["lastUsedAt"]


def test_a_token_makes_no_token_changes_no_password_and_opens_no_session(facility: Facility) -> None:
    script, sessions = script_of(facility.admin, "admin"), Session.select().count()
    refused = [
        script.post(TOKENS, BODY),
        script.get(TOKENS),
        script.delete(f"{TOKENS}/{ApiToken.get().id}"),
        script.post("/api/admin/machines", {}),
        script.post("/api/auth/password", {"currentPassword": "a", "newPassword": "b"}),
        script.post("/api/auth/sign-in", {"email": RESEARCHER, "password": "correct horse battery"}),
        script.post("/api/auth/sign-out"),
        script.post("/api/register", {}),
    ]

    assert [answer.status_code for answer in refused] == [403] * len(refused)
    assert {answer.json["error"] for answer in refused} == {"Token does not allow this"}
    assert not any("Set-Cookie" in answer.headers for answer in [*refused, script.get("/api/orders")])
    assert Session.select().count() == sessions
    assert script.get("/api/auth/session").json == {"user": None, "expiresAt": None}


def test_a_token_of_an_admin_passes_no_route_that_asks_for_confirmation(facility: Facility) -> None:
    script, user = script_of(facility.admin, "admin"), f"/api/admin/users/{facility.researcher_id}"
    refused = [
        script.patch(user, {"role": "FACILITY_ADMIN"}),
        script.post(f"{user}/reset-link"),
        script.post("/api/admin/invites", {}),
        script.post("/api/admin/pipelines/install", {}),
        script.patch("/api/admin/settings/access", {"siteName": "Mine"}),
        script.patch("/api/admin/settings/execution", {}),
        script.post("/api/auth/confirm", {"password": "correct horse battery"}),
    ]

    assert [(answer.status_code, answer.json["error"]) for answer in refused] == [
        (403, "Token does not allow this")
    ] * len(refused)
    assert script.patch("/api/admin/settings/uploads", {}).status_code == 200


def test_a_token_is_made_in_a_confirmed_session(facility: Facility) -> None:
    facility.clock.advance(timedelta(minutes=11))

    for path in (TOKENS, "/api/admin/machines"):
        refused = facility.admin.post(path, BODY)
        assert refused.status_code == 403
        assert refused.json == {"error": "Confirm your password first", "confirm": True}
    facility.admin.post("/api/auth/confirm", {"password": "correct horse battery"})
    assert facility.admin.post(TOKENS, BODY).status_code == 201


def test_a_token_counts_before_a_cookie_and_a_wrong_one_is_not_replaced_by_it(facility: Facility) -> None:
    text = script_of(facility.researcher, "orders:read").token
    both = Client(facility, cookie=facility.admin.cookie, token=text)
    wrong = Client(facility, cookie=facility.admin.cookie, token="sqf_p" + "0" * 49)

    assert both.get("/api/user/profile").json["profile"]["email"] == RESEARCHER
    assert both.get("/api/admin/users").status_code == 403
    assert wrong.get("/api/user/profile").status_code == 401
    basic = facility.admin.get("/api/user/profile", headers={"Authorization": "Basic YTpi"})
    assert basic.status_code == 200


def test_a_token_is_taken_from_its_header_alone(facility: Facility) -> None:
    text = script_of(facility.researcher, "orders:read").token

    for name in ("token", "access_token", "bearer", "Authorization"):
        assert facility.anonymous.get("/api/orders", params={name: text}).status_code == 401
    assert Client(facility, cookie=text).get("/api/orders").status_code == 401
    for scheme in ("Token", "Basic", "sqf"):
        headers = {"Authorization": f"{scheme} {text}"}
        assert facility.anonymous.get("/api/orders", headers=headers).status_code == 401
    session = {"Authorization": f"Bearer {facility.researcher.cookie}"}
    assert facility.anonymous.get("/api/orders", headers=session).status_code == 401


def test_a_token_needs_no_cross_site_check_and_a_cookie_still_does(facility: Facility) -> None:
    text, foreign = (
        script_of(facility.researcher, "orders:write").token,
        {"Origin": "https://elsewhere.test", "Sec-Fetch-Site": "cross-site"},
    )

    script = Client(facility, token=text)
    assert script.post("/api/orders", {"name": "A lake"}, headers=foreign).status_code == 201
    assert facility.researcher.post("/api/orders", {"name": "A lake"}, headers=foreign).status_code == 403
    sign_in = {"email": RESEARCHER, "password": "correct horse battery"}
    with_token = {**foreign, "Authorization": f"Bearer {text}"}
    assert facility.anonymous.post("/api/auth/sign-in", sign_in, headers=with_token).status_code == 403


def test_a_demo_session_makes_no_token(facility: Facility) -> None:
    User.update(is_demo=True).where(User.id == facility.researcher_id).execute()

    assert facility.researcher.post(TOKENS, BODY).status_code == 401
    assert ApiToken.select().count() == 0


def test_the_hourly_limits_of_a_researcher_hold_for_tokens_and_session_together(facility: Facility) -> None:
    script = script_of(facility.researcher, "orders:write")
    with database.atomic():
        for _ in range(limits.ORDERS_PER_HOUR - 2):
            throttle.count_attempt("user:orders", facility.researcher_id, facility.clock.now())

    statuses = [one.post("/api/orders", {}).status_code for one in (script, facility.researcher) * 2]
    assert statuses == [201, 201, 429, 429]


def test_the_audit_names_who_made_a_token_and_by_which_token_something_was_done(facility: Facility) -> None:
    made = new_token(facility.admin, "admin")
    script, token_id = Client(facility, token=made["token"]), made["tokenInfo"]["id"]
    script.post("/api/admin/departments", {"name": "Genomics"})
    facility.admin.delete(f"{TOKENS}/{token_id}")

    revoked, saved, created = facility.admin.get("/api/admin/audit").json["events"][:3]
    assert [event["action"] for event in (revoked, saved, created)] == [
        "token-revoked",
        "department-saved",
        "token-made",
    ]
    assert (created["objectId"], revoked["objectId"]) == (token_id, token_id)
    assert created["detail"] == {"name": "a script", "scopes": ["admin"], "days": 30}
    assert saved["detail"]["token"] == token_id
    assert made["token"] not in facility.admin.get("/api/admin/audit").text


def test_the_worker_forgets_tokens_that_expired_a_month_ago(facility: Facility) -> None:
    script_of(facility.researcher, "orders:read", days=1)
    facility.clock.advance(timedelta(days=30, hours=23))
    facility.services.worker.tick(facility.clock.now())
    assert ApiToken.select().count() == 1

    facility.clock.advance(timedelta(hours=2))
    assert facility.services.worker.tick(facility.clock.now())
    assert ApiToken.select().count() == 0
