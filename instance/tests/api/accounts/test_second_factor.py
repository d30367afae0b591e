"""A second factor: set up, asked for at sign-in and confirmation, lost, required of admins."""

import json
import re
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pyotp
import pytest
from cryptography.fernet import Fernet
from falcon.testing import Result
from seqfacility_instance.access.classes import Needs
from seqfacility_instance.routes import routes
from seqfacility_instance.tables.people import AuditEvent, User
from seqfacility_instance.tables.second_factors import SecondFactor
from seqfacility_testkit.facility import ADMIN, PASSWORD, RESEARCHER, Client, Facility, open_facility
from seqfacility_testkit.one_of_each import make_one_of_each

AT_ONCE = 6
TOTP = "/api/auth/totp"
SIGN_IN = "/api/auth/sign-in"
CONFIRM = "/api/auth/confirm"
WANTED = {"error": "Second factor required", "secondFactor": True}
WRONG = {"error": "Code is not correct", "secondFactor": True}
SET_UP_FIRST = {"error": "Set up a second factor first", "secondFactorSetup": True}


@dataclass
class App:
    """An authenticator app that has the secret, and the codes on paper."""

    facility: Facility
    secret: str
    recovery_codes: list[str]

    def code(self, steps: int = 0) -> str:
        return pyotp.TOTP(self.secret).at(self.facility.clock.now() + timedelta(seconds=30 * steps))

    def next_code(self) -> str:
        """Wait for a code that was not used yet."""
        self.facility.clock.advance(timedelta(seconds=30))
        return self.code()


def set_up(facility: Facility, client: Client) -> App:
    """Set it up at the begin of a step: the code stays the same for half a minute of the test."""
    facility.clock.advance(timedelta(seconds=30 - facility.clock.now().timestamp() % 30))
    secret = client.post(TOTP).json["secret"]
    app = App(facility, secret, [])
    app.recovery_codes = client.post(f"{TOTP}/confirm", {"code": app.code()}).json["recoveryCodes"]
    return app


@pytest.fixture
def app(facility: Facility) -> App:
    return set_up(facility, facility.researcher)


def sign_in(
    facility: Facility, code: object = None, password: str = PASSWORD, email: str = RESEARCHER
) -> Result:
    body = {"email": email, "password": password} | ({} if code is None else {"code": code})
    return facility.anonymous.post(SIGN_IN, body=json.dumps(body))


def test_an_app_is_set_up_by_its_first_code(facility: Facility) -> None:
    before = facility.researcher.get(TOTP).json
    begun = facility.researcher.post(TOTP)
    meanwhile = sign_in(facility)
    app = App(facility, begun.json["secret"], [])
    confirmed = facility.researcher.post(f"{TOTP}/confirm", {"code": f" {app.code()[:3]} {app.code()[3:]}"})

    assert before == {"enabled": False, "required": False, "recoveryCodesLeft": 0}
    assert (begun.status_code, meanwhile.status_code, confirmed.status_code) == (200, 200, 200)
    assert parse_qs(urlsplit(begun.json["uri"]).query)["secret"] == [app.secret]
    assert len(set(confirmed.json["recoveryCodes"])) == 10
    assert facility.researcher.get(TOTP).json == {"enabled": True, "required": False, "recoveryCodesLeft": 10}
    assert AuditEvent.get(AuditEvent.action == "second-factor-set-up").actor_id == facility.researcher_id


def test_a_code_that_is_not_of_the_app_puts_nothing_to_use(facility: Facility) -> None:
    too_early = facility.researcher.post(f"{TOTP}/confirm", {"code": "123456"})
    first = facility.researcher.post(TOTP).json["secret"]
    facility.researcher.post(TOTP)

    of_the_replaced = facility.researcher.post(f"{TOTP}/confirm", {"code": App(facility, first, []).code()})

    assert (too_early.status_code, too_early.json["error"]) == (
        409,
        "Begin to set up the second factor first",
    )
    assert (of_the_replaced.status_code, of_the_replaced.json) == (400, {"error": "Code is not correct"})
    assert sign_in(facility).status_code == 200


def test_what_is_in_use_is_not_replaced(facility: Facility, app: App) -> None:
    again = facility.researcher.post(TOTP)
    confirmed = facility.researcher.post(f"{TOTP}/confirm", {"code": app.next_code()})

    assert (again.status_code, confirmed.status_code) == (409, 409)
    assert sign_in(facility, app.next_code()).status_code == 200


def test_setting_up_and_removing_want_a_confirmed_session(facility: Facility, app: App) -> None:
    facility.clock.advance(timedelta(minutes=10))

    for client, method, path in (
        (facility.admin, "POST", TOTP),
        (facility.admin, "POST", f"{TOTP}/confirm"),
        (facility.researcher, "DELETE", TOTP),
        (facility.admin, "DELETE", f"/api/admin/users/{facility.researcher_id}/totp"),
    ):
        assert client.request(method, path, json={}).json == {
            "error": "Confirm your password first",
            "confirm": True,
        }
    assert facility.researcher.get(TOTP).json["enabled"]


def test_a_sign_in_wants_a_code_after_the_right_password(facility: Facility, app: App) -> None:
    without = sign_in(facility)
    empty = sign_in(facility, "")
    with_one = sign_in(facility, app.next_code())

    assert (without.status_code, without.json, empty.json) == (401, WANTED, WANTED)
    assert "set-cookie" not in without.headers
    assert (with_one.status_code, with_one.json["user"]["email"]) == (200, RESEARCHER)


def test_nobody_learns_of_a_second_factor_without_the_password(facility: Facility, app: App) -> None:
    without = sign_in(facility, None, "wrong password")
    with_one = sign_in(facility, app.next_code(), "wrong password")

    assert without.status_code == with_one.status_code == 401
    assert without.json == with_one.json == {"error": "Invalid email or password"}
    assert sign_in(facility, app.code()).status_code == 200, "the code was not used up"


@pytest.mark.parametrize("code", ["000000", "12345", "a\0b", "x" * 2_000, "aaaa-aaaa-aaaa-aaaa", "٠٨١٨٠٤"])
def test_a_wrong_code_is_a_failed_sign_in(facility: Facility, app: App, code: str) -> None:
    answer = sign_in(facility, code)

    assert (answer.status_code, answer.json) == (401, WRONG)
    (row,) = facility.admin.get("/api/admin/audit", params={"action": "sign-in-failed"}).json["events"]
    assert (row["detail"], row["address"]) == ({"email": RESEARCHER, "reason": "code"}, "127.0.0.1")
    assert row["objectId"] == facility.researcher_id


def test_who_has_the_password_and_no_code_is_noted_once_a_minute(facility: Facility, app: App) -> None:
    for _ in range(3):
        assert sign_in(facility).json == WANTED
    facility.clock.advance(timedelta(seconds=61))
    sign_in(facility)
    sign_in(facility, None, "wrong password")

    events = facility.admin.get("/api/admin/audit", params={"action": "sign-in-without-code"}).json["events"]

    assert [(event["objectId"], event["address"]) for event in events] == [
        (facility.researcher_id, "127.0.0.1")
    ] * 2


@pytest.mark.parametrize("code", [123456, ["123456"], {}, True])
def test_a_code_that_is_no_text_is_none(facility: Facility, app: App, code: object) -> None:
    assert sign_in(facility, code).json == WANTED


def test_an_account_without_a_second_factor_is_asked_for_nothing(facility: Facility) -> None:
    assert sign_in(facility, "000000").status_code == 200


def test_a_code_is_taken_once(facility: Facility, app: App) -> None:
    code = app.next_code()

    assert sign_in(facility, code).status_code == 200
    assert sign_in(facility, code).json == WRONG
    assert sign_in(facility, app.code(-1)).json == WRONG, "nor one that is older"
    assert sign_in(facility, app.code(1)).status_code == 200


def test_the_code_that_set_the_app_up_signs_nobody_in(facility: Facility) -> None:
    secret = facility.researcher.post(TOTP).json["secret"]
    code = App(facility, secret, []).code()
    facility.researcher.post(f"{TOTP}/confirm", {"code": code})

    assert sign_in(facility, code).json == WRONG


@pytest.mark.parametrize(("steps", "status"), [(-2, 401), (-1, 200), (0, 200), (1, 200), (2, 401)])
def test_the_clock_of_a_telephone_may_be_off_by_one_step(
    facility: Facility, app: App, steps: int, status: int
) -> None:
    facility.clock.advance(timedelta(minutes=5))

    assert sign_in(facility, app.code(steps)).status_code == status


def test_each_recovery_code_signs_in_once(facility: Facility, app: App) -> None:
    code, other = app.recovery_codes[:2]

    assert sign_in(facility, code.upper().replace("-", " ")).status_code == 200
    assert sign_in(facility, code).json == WRONG
    assert facility.researcher.get(TOTP).json["recoveryCodesLeft"] == 9
    assert sign_in(facility, other).status_code == 200
    used = AuditEvent.select().where(AuditEvent.action == "recovery-code-used").order_by(AuditEvent.at)
    assert [(event.actor_id, event.address, event.detail) for event in used] == [
        (facility.researcher_id, "127.0.0.1", {"left": left}) for left in (9, 8)
    ]


@pytest.mark.parametrize("kind", ["of the app", "for recovery"])
def test_of_browsers_that_send_one_code_at_once_one_gets_in(facility: Facility, app: App, kind: str) -> None:
    facility.services.facility.change("access", {"signInMaxFailures": 1000}, facility.clock.now())
    code = app.next_code() if kind == "of the app" else app.recovery_codes[0]
    barrier = threading.Barrier(AT_ONCE)

    def one(_number: int) -> int:
        barrier.wait()
        return sign_in(facility, code).status_code

    with ThreadPoolExecutor(AT_ONCE) as browsers:
        statuses = Counter(browsers.map(one, range(AT_ONCE)))

    assert statuses == {200: 1, 401: AT_ONCE - 1}


def test_the_recovery_code_of_somebody_else_is_wrong(facility: Facility, app: App) -> None:
    set_up(facility, facility.other_researcher)

    assert sign_in(facility, app.recovery_codes[0], email="grace@lab.test").json == WRONG
    assert sign_in(facility, app.recovery_codes[0]).status_code == 200


def test_guesses_at_codes_are_bounded_whatever_network_they_come_from(
    facility_template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEQFACILITY_TRUSTED_PROXIES", "127.0.0.1")
    facility = open_facility(facility_template, tmp_path)
    app = set_up(facility, facility.researcher)
    facility.services.facility.change("access", {"signInMaxFailures": 3}, facility.clock.now())

    def guess(code: str, number: int) -> int:
        body = {"email": RESEARCHER, "password": PASSWORD, "code": code}
        headers = {"X-Forwarded-For": f"203.0.113.{number}"}
        return facility.anonymous.post(SIGN_IN, body, headers=headers).status_code

    wrong = [guess("000000", number) for number in range(5)]
    right = guess(app.next_code(), 9)
    facility.clock.advance(timedelta(minutes=16))
    later = guess(app.code(), 9)
    facility.close()

    assert wrong == [401, 401, 401, 429, 429]
    assert (right, later) == (429, 200)


def test_guesses_at_the_first_code_are_bounded(facility: Facility) -> None:
    facility.services.facility.change("access", {"signInMaxFailures": 2}, facility.clock.now())
    secret = facility.researcher.post(TOTP).json["secret"]

    statuses = [facility.researcher.post(f"{TOTP}/confirm", {"code": "1"}).status_code for _ in range(3)]

    assert statuses == [400, 400, 429]
    right = facility.researcher.post(f"{TOTP}/confirm", {"code": App(facility, secret, []).code()})
    assert right.status_code == 429


def test_a_confirmation_wants_the_code_besides(facility: Facility, app: App) -> None:
    facility.clock.advance(timedelta(minutes=10))

    def confirm(**body: str) -> tuple[int, object]:
        answer = facility.researcher.post(CONFIRM, body)
        return answer.status_code, answer.json

    assert confirm(password=PASSWORD) == (403, WANTED)
    assert confirm(password=PASSWORD, code="000000") == (400, {"error": "Code is not correct"})
    assert confirm(password="wrong", code=app.code()) == (400, {"error": "Current password is not correct"})
    assert facility.researcher.delete(TOTP).status_code == 403
    assert confirm(password=PASSWORD, code=app.code()) == (200, {"success": True})
    assert AuditEvent.select().where(AuditEvent.action == "confirmation-failed").count() == 2
    assert facility.researcher.delete(TOTP).status_code == 200


def test_what_was_removed_is_asked_for_no_more(facility: Facility, app: App) -> None:
    removed = facility.researcher.delete(TOTP)
    again = facility.researcher.delete(TOTP)

    assert (removed.status_code, removed.json) == (200, {"success": True})
    assert (again.status_code, again.json) == (404, {"error": "No second factor is set up"})
    assert sign_in(facility).status_code == 200
    assert SecondFactor.select().count() == 0
    assert AuditEvent.get(AuditEvent.action == "second-factor-removed").actor_id == facility.researcher_id


def test_an_admin_removes_that_of_somebody_who_lost_it(facility: Facility, app: App) -> None:
    path = f"/api/admin/users/{facility.researcher_id}/totp"

    removed, again = facility.admin.delete(path), facility.admin.delete(path)

    assert (removed.status_code, removed.json) == (200, {"success": True})
    assert again.status_code == 404
    assert sign_in(facility).status_code == 200
    row = AuditEvent.get(AuditEvent.action == "second-factor-reset")
    assert (row.actor_id, row.object_id) == (facility.admin_id, facility.researcher_id)


def test_a_password_reset_leaves_the_second_factor(facility: Facility, app: App) -> None:
    token = facility.admin.post(f"/api/admin/users/{facility.researcher_id}/reset-link").json["token"]
    new = "another long password"
    facility.anonymous.post("/api/auth/password-reset", {"token": token, "newPassword": new})

    assert sign_in(facility, None, new).json == WANTED
    assert sign_in(facility, app.next_code(), new).status_code == 200


def test_the_database_holds_neither_secret_nor_codes(facility: Facility, app: App) -> None:
    factor = SecondFactor.get()
    stored = [factor.sealed_secret, *factor.recovery_hashes]

    assert not any(app.secret in text for text in stored)
    assert len(factor.recovery_hashes) == 10
    assert all(re.fullmatch("[0-9a-f]{64}", text) for text in factor.recovery_hashes)
    assert not any(
        code in text or code.replace("-", "") in text for text in stored for code in app.recovery_codes
    )


def test_with_another_key_only_recovery_codes_are_right(facility: Facility, app: App) -> None:
    (facility.home / "secret.key").write_bytes(Fernet.generate_key())

    assert sign_in(facility, app.next_code()).json == WRONG
    assert sign_in(facility, app.recovery_codes[0]).status_code == 200


@pytest.fixture
def strict(facility: Facility) -> Facility:
    """A facility that wants a second factor of its admins."""
    facility.admin.patch("/api/admin/settings/access", {"adminsNeedSecondFactor": True})
    return facility


def test_an_admin_without_one_may_set_it_up_and_nothing_else(strict: Facility) -> None:
    admin = Client(strict, sign_in(strict, email=ADMIN).cookies["service_session"].value)

    refused = [
        admin.get("/api/modules"),
        admin.get("/api/admin/settings"),
        admin.get("/api/auth/sessions"),
        admin.get("/api/live", params={"topics": "orders"}),
        admin.patch("/api/admin/settings/access", {"adminsNeedSecondFactor": False}),
        admin.delete(f"/api/admin/users/{strict.researcher_id}/totp"),
        admin.delete(TOTP),
    ]

    assert {(answer.status_code, *answer.json.items()) for answer in refused} == {
        (403, *SET_UP_FIRST.items())
    }
    session = admin.get("/api/auth/session").json
    assert (session["user"]["email"], session["secondFactorSetup"]) == (ADMIN, True)
    assert admin.get(TOTP).json == {"enabled": False, "required": True, "recoveryCodesLeft": 0}
    assert admin.post(CONFIRM, {"password": PASSWORD}).status_code == 200
    same = {"currentPassword": "wrong", "newPassword": ""}
    assert admin.post("/api/auth/password", same).status_code == 400

    set_up(strict, admin)

    assert "secondFactorSetup" not in admin.get("/api/auth/session").json
    assert admin.get("/api/admin/settings").status_code == 200
    assert admin.post("/api/auth/sign-out").status_code == 200


def test_every_route_that_wants_a_session_is_closed_to_an_admin_without_one(strict: Facility) -> None:
    objects = make_one_of_each(strict.researcher_id, strict.admin_id, strict.clock.now())
    opened = set()
    for route in routes(strict.services):
        path = re.sub(r"{(\w+)[^}]*}", lambda found: objects.get(found[1], "x"), route.path)
        for method, access in route.access.items():
            if access.needs in {Needs.NOTHING, Needs.WEBLOG_SECRET}:
                continue
            if strict.admin.request(method, path, body="{").json != SET_UP_FIRST:
                opened.add(f"{method} {route.path}")

    assert opened == {
        f"GET {TOTP}", f"POST {TOTP}", f"POST {TOTP}/confirm", f"POST {CONFIRM}", "POST /api/auth/password",
    }  # fmt: skip


def test_researchers_and_who_signed_in_by_a_provider_are_not_asked(strict: Facility) -> None:
    sessions, admin = strict.services.sessions, User.get_by_id(strict.admin_id)
    by_provider = Client(strict, sessions.start(admin, "127.0.0.1", by_provider=True))

    assert strict.researcher.get("/api/modules").status_code == 200
    assert by_provider.get("/api/admin/settings").status_code == 200
    assert by_provider.get(TOTP).json["required"] is False


def test_a_session_that_an_admin_has_already_is_asked_too(strict: Facility) -> None:
    assert strict.admin.get("/api/admin/settings").json == SET_UP_FIRST


def test_the_token_of_an_admin_without_one_waits_for_it_too(facility: Facility) -> None:
    wanted = {"name": "Night script", "scopes": ["admin"], "expiresInDays": 1}
    script = Client(facility, token=facility.admin.post("/api/user/tokens", wanted).json["token"])
    wanted |= {"name": "NovaSeq X", "scopes": ["uploads:write"], "addresses": ["127.0.0.1"]}
    machine = Client(facility, token=facility.admin.post("/api/admin/machines", wanted).json["token"])
    before = script.get("/api/admin/users").status_code
    facility.admin.patch("/api/admin/settings/access", {"adminsNeedSecondFactor": True})

    refused = script.get("/api/admin/users")

    assert (before, refused.status_code, refused.json) == (200, 403, SET_UP_FIRST)
    assert machine.get("/api/streams").status_code == 200
    set_up(facility, facility.admin)
    assert script.get("/api/admin/users").status_code == 200


def test_the_token_of_an_admin_who_signs_in_by_a_provider_only_is_not_asked(facility: Facility) -> None:
    wanted = {"name": "Night script", "scopes": ["admin"], "expiresInDays": 1}
    script = Client(facility, token=facility.admin.post("/api/user/tokens", wanted).json["token"])
    facility.admin.patch("/api/admin/settings/access", {"adminsNeedSecondFactor": True})
    User.update(password_hash="").where(User.id == facility.admin_id).execute()

    assert script.get("/api/admin/users").status_code == 200


def test_one_that_is_begun_only_does_not_do(strict: Facility) -> None:
    strict.admin.post(TOTP)

    assert strict.admin.get("/api/admin/settings").json == SET_UP_FIRST


def test_the_demo_is_not_asked(
    facility_template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEQFACILITY_DEMO", "1")
    facility = open_facility(facility_template, tmp_path)
    facility.services.facility.change("access", {"adminsNeedSecondFactor": True}, facility.clock.now())
    answer = facility.anonymous.post("/api/demo/session", {"as": "admin"})
    visitor = Client(facility, answer.cookies["service_session"].value)

    seen = [visitor.get("/api/admin/settings"), visitor.get(TOTP), visitor.post(TOTP)]
    facility.close()

    assert [one.status_code for one in seen] == [200, 200, 403]
    assert seen[1].json == {"enabled": False, "required": False, "recoveryCodesLeft": 0}
