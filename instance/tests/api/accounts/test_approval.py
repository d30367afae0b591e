"""Accounts that people make for themselves wait for an admin, and nobody learns who has one."""

import pytest
from falcon.testing import Result
from seqfacility_instance.accounts import store
from seqfacility_instance.accounts.passwords import Passwords
from seqfacility_instance.tables.people import User
from seqfacility_testkit.facility import PASSWORD, RESEARCHER, Facility

NEW = {"email": "marie@lab.test", "password": PASSWORD, "firstName": "Marie", "lastName": "Curie"}


def register(facility: Facility, **changes: object) -> Result:
    return facility.anonymous.post("/api/register", {**NEW, **changes})


def pending(facility: Facility) -> list[dict[str, object]]:
    found: list[dict[str, object]] = facility.admin.get("/api/admin/users?pendingApproval=true").json["users"]
    return found


def sign_in(facility: Facility, email: str = "marie@lab.test") -> Result:
    return facility.anonymous.post("/api/auth/sign-in", {"email": email, "password": PASSWORD})


def test_an_account_waits_until_an_admin_approves_it(facility: Facility) -> None:
    made = register(facility)
    refused = sign_in(facility)
    waiting = pending(facility)
    approved = facility.admin.patch(f"/api/admin/users/{made.json['user']['id']}", {"isActive": True})

    assert (made.status_code, made.json["pendingApproval"]) == (201, True)
    assert (refused.status_code, refused.json) == (401, {"error": "Invalid email or password"})
    assert [(user["id"], user["isActive"], user["pendingApproval"]) for user in waiting] == [
        (made.json["user"]["id"], False, True)
    ]
    assert approved.json["user"]["isActive"] is True
    assert "pendingApproval" not in approved.json["user"]
    assert pending(facility) == []
    assert sign_in(facility).status_code == 200


def test_a_taken_email_and_a_new_one_are_answered_alike(facility: Facility) -> None:
    new, again, known = register(facility), register(facility), register(facility, email=RESEARCHER)

    for answer in (new, again, known):
        assert answer.status_code == 201
        user = answer.json["user"]
        assert answer.json == {
            **new.json,
            "user": {**new.json["user"], "id": user["id"], "email": user["email"]},
        }
        assert len(user["id"]) == len(new.json["user"]["id"])
    assert User.select().where(User.email.in_(["marie@lab.test", RESEARCHER])).count() == 2
    assert sign_in(facility, RESEARCHER).status_code == 200


def test_whether_an_email_is_taken_a_password_is_hashed(
    facility: Facility, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashed: list[str] = []
    really = Passwords.hash

    def counted(passwords: Passwords, password: str) -> str:
        hashed.append(password)
        return really(passwords, password)

    monkeypatch.setattr(Passwords, "hash", counted)

    register(facility)
    register(facility, email=RESEARCHER)

    assert len(hashed) == 2


def test_who_is_second_by_a_moment_is_answered_alike_and_leaves_nothing(
    facility: Facility, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "find_user_by_email", lambda _email: None)

    answer = register(facility, email=RESEARCHER)

    monkeypatch.undo()
    assert (answer.status_code, answer.json["pendingApproval"]) == (201, True)
    assert pending(facility) == []
    assert sign_in(facility, RESEARCHER).status_code == 200


def test_a_declined_account_is_gone_and_its_email_is_free(facility: Facility) -> None:
    path = f"/api/admin/users/{register(facility).json['user']['id']}/registration"

    declined, again = facility.admin.delete(path), facility.admin.delete(path)

    assert (declined.status_code, declined.json) == (200, {"success": True})
    assert (again.status_code, again.json) == (404, {"error": "User not found"})
    assert pending(facility) == []
    register(facility)
    assert len(pending(facility)) == 1


def test_an_account_that_does_not_wait_cannot_be_declined(facility: Facility) -> None:
    answer = facility.admin.delete(f"/api/admin/users/{facility.researcher_id}/registration")

    assert (answer.status_code, answer.json) == (409, {"error": "Account does not wait for approval"})
    assert sign_in(facility, RESEARCHER).status_code == 200


def test_admins_are_told_and_the_trail_names_who_decided(facility: Facility) -> None:
    facility.admin.put("/api/admin/modules", {"modules": {"notifications": True}})
    first = register(facility).json["user"]["id"]
    register(facility)
    facility.admin.delete(f"/api/admin/users/{first}/registration")
    second = register(facility).json["user"]["id"]
    facility.admin.patch(f"/api/admin/users/{second}", {"isActive": True})

    told = facility.admin.get("/api/notifications").json["notifications"]
    trail = facility.admin.get("/api/admin/audit", params={"limit": "6"}).json["events"]

    assert [(row["type"], row["title"]) for row in told] == [
        ("account-pending", "Account waits for approval: Marie Curie")
    ] * 2
    assert [(row["action"], row["actor"] and row["actor"]["id"]) for row in trail] == [
        ("user-changed", facility.admin_id),
        ("registration-approved", facility.admin_id),
        ("registered", None),
        ("registration-declined", facility.admin_id),
        ("registered-again", None),
        ("registered", None),
    ]


def test_an_invited_admin_waits_for_nobody(facility: Facility) -> None:
    code = facility.admin.post("/api/admin/invites", {}).json["code"]

    made = register(facility, role="FACILITY_ADMIN", inviteCode=code)

    assert "pendingApproval" not in made.json
    assert sign_in(facility).status_code == 200


def test_a_reset_link_does_not_approve(facility: Facility) -> None:
    user_id = register(facility).json["user"]["id"]
    token = facility.admin.post(f"/api/admin/users/{user_id}/reset-link").json["token"]

    answer = facility.anonymous.post("/api/auth/password-reset", {"token": token, "newPassword": PASSWORD})

    assert (answer.status_code, answer.json) == (400, {"error": "Reset link is not valid"})
