"""What a session does only when its person has proved again who they are."""

import json
from datetime import timedelta

import pytest
from falcon.testing import Result
from seqfacility_instance.tables.people import AuditEvent, User
from seqfacility_testkit.facility import PASSWORD, Client, Facility

CONFIRM = "/api/auth/confirm"
REFUSED = {"error": "Confirm your password first", "confirm": True}


def privileged(facility: Facility) -> dict[str, tuple[str, str, object]]:
    person = f"/api/admin/users/{facility.researcher_id}"
    return {
        "role": ("PATCH", person, {"role": "FACILITY_ADMIN"}),
        "reset link": ("POST", f"{person}/reset-link", {}),
        "invite": ("POST", "/api/admin/invites", {}),
        "package of the registry": ("POST", "/api/admin/pipelines/install", {}),
        "package of a repository": ("POST", "/api/admin/pipelines/import", {}),
        **{
            f"settings of {name}": ("PATCH", f"/api/admin/settings/{name}", {})
            for name in ("execution", "storage", "streamIngest", "access")
        },
        "modules": ("PUT", "/api/admin/modules", {}),
    }


def answers(client: Client, requests: dict[str, tuple[str, str, object]]) -> dict[str, Result]:
    return {name: client.request(method, path, json=body) for name, (method, path, body) in requests.items()}


def later(facility: Facility, **by: float) -> Facility:
    facility.clock.advance(timedelta(**by))
    return facility


def test_what_is_privileged_is_refused_ten_minutes_after_the_sign_in_and_goes_on_once_confirmed(
    facility: Facility,
) -> None:
    asked = privileged(later(facility, minutes=10))

    refused = answers(facility.admin, asked)
    confirmed = facility.admin.post(CONFIRM, {"password": PASSWORD})
    accepted = answers(facility.admin, asked)

    assert {(answer.status_code, *answer.json.items()) for answer in refused.values()} == {
        (403, *REFUSED.items())
    }
    assert (confirmed.status_code, confirmed.json) == (200, {"success": True})
    assert [name for name, answer in accepted.items() if answer.json == REFUSED] == []


def test_signing_in_counts_for_ten_minutes(facility: Facility) -> None:
    later(facility, minutes=9, seconds=59)

    assert facility.admin.patch("/api/admin/settings/access", {}).status_code == 200


def test_a_clock_that_was_set_back_confirms_no_session_for_longer(facility: Facility) -> None:
    later(facility, minutes=-11)

    assert facility.admin.patch("/api/admin/settings/access", {}).json == REFUSED


def test_other_acts_and_other_settings_ask_for_nothing(facility: Facility) -> None:
    later(facility, hours=1)

    assert facility.admin.patch("/api/admin/settings/uploads", {}).status_code == 200
    assert facility.admin.post("/api/admin/departments", {"name": "Lakes"}).status_code == 201
    assert facility.admin.patch("/api/admin/settings/nothing", {}).status_code == 404


def test_one_confirmation_holds_for_its_session_alone(facility: Facility) -> None:
    elsewhere = facility.sign_in("admin@facility.test")
    later(facility, hours=1)
    elsewhere.post(CONFIRM, {"password": PASSWORD})

    assert facility.admin.patch("/api/admin/settings/access", {}).json == REFUSED
    assert elsewhere.patch("/api/admin/settings/access", {}).status_code == 200


def test_a_wrong_password_confirms_nothing_and_is_in_the_audit(facility: Facility) -> None:
    later(facility, hours=1)

    wrong = facility.admin.post(CONFIRM, {"password": "wrong password"})

    assert (wrong.status_code, wrong.json) == (400, {"error": "Current password is not correct"})
    assert facility.admin.patch("/api/admin/settings/access", {}).json == REFUSED
    row = AuditEvent.get(AuditEvent.action == "confirmation-failed")
    assert (row.actor_id, row.object_id) == (facility.admin_id, facility.admin_id)


def test_guesses_at_the_confirmation_are_throttled_with_those_at_the_change_of_password(
    facility: Facility,
) -> None:
    facility.services.facility.change("access", {"signInMaxFailures": 2}, facility.clock.now())
    facility.admin.post(CONFIRM, {"password": "wrong"})
    facility.admin.post("/api/auth/password", {"currentPassword": "wrong", "newPassword": "x"})

    throttled = facility.admin.post(CONFIRM, {"password": PASSWORD})
    later(facility, minutes=16)

    assert throttled.status_code == 429
    assert 0 < int(throttled.headers["retry-after"]) <= 901
    assert facility.admin.post(CONFIRM, {"password": PASSWORD}).status_code == 200


def test_an_account_without_a_password_is_told_to_sign_in_again(facility: Facility) -> None:
    User.update(password_hash="!by a provider").where(User.id == facility.admin_id).execute()

    answer = facility.admin.post(CONFIRM, {"password": PASSWORD})

    assert answer.status_code == 403
    assert "Sign in again" in answer.json["error"]


@pytest.mark.parametrize(
    "body", [{}, {"password": 1}, {"password": None}, {"password": PASSWORD, "code": []}]
)
def test_a_confirmation_without_a_password_is_no_confirmation(facility: Facility, body: object) -> None:
    assert facility.admin.post(CONFIRM, body).status_code == 400


@pytest.mark.parametrize("password", ["\0", "\ud800", "x" * 50_000])
def test_rubbish_is_a_wrong_password(facility: Facility, password: str) -> None:
    assert facility.admin.post(CONFIRM, body=json.dumps({"password": password})).status_code == 400
