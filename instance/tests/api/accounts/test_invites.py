"""Invites: making, listing, checking and deleting them."""

from datetime import timedelta

import pytest
from seqfacility_instance.accounts.rules import normalized_code
from seqfacility_instance.tables.people import AdminInvite
from seqfacility_testkit.facility import ADMIN, Facility

INVITES = "/api/admin/invites"
VERIFY = "/api/invites/verify"


def test_the_code_is_shown_once_and_kept_as_a_hash(facility: Facility) -> None:
    made = facility.admin.post(INVITES, {"email": "New@Lab.test", "expiresInDays": 3})
    listed = facility.admin.get(INVITES)

    code = made.json["code"]
    assert made.status_code == 201
    assert made.json["invite"]["codeEnding"] == code[-4:]
    assert made.json["invite"]["email"] == "new@lab.test"
    assert made.json["invite"]["createdBy"]["email"] == ADMIN
    assert listed.json["invites"] == [made.json["invite"]]
    assert code not in listed.text
    assert len(normalized_code(code)[:-4]) * 5 >= 80
    stored = AdminInvite.get()
    assert normalized_code(code) not in stored.code_hash
    assert stored.expires_at - stored.created_at == timedelta(days=3)


def test_an_invite_lives_seven_days_unless_told_otherwise(facility: Facility) -> None:
    facility.admin.post(INVITES)

    stored = AdminInvite.get()
    assert stored.expires_at - stored.created_at == timedelta(days=7)


@pytest.mark.parametrize("days", [0, 31, 1.5, "7"])
def test_an_invite_lives_one_to_thirty_days(facility: Facility, days: object) -> None:
    answer = facility.admin.post(INVITES, {"expiresInDays": days})

    assert (answer.status_code, answer.json["error"]) == (400, "Validation failed")
    assert facility.admin.post(INVITES, {"expiresInDays": 30}).status_code == 201


def test_a_code_is_verified_without_using_it(facility: Facility) -> None:
    code = facility.admin.post(INVITES, {"email": "new@lab.test"}).json["code"]

    for body, is_valid in (
        ({"code": code}, True),
        ({"code": code.replace("-", "").lower()}, True),
        ({"code": code, "email": "NEW@lab.test"}, True),
        ({"code": code, "email": "other@lab.test"}, False),
        ({"code": "AAAAA-BBBBB-CCCCC-DDDDD"}, False),
    ):
        assert facility.anonymous.post(VERIFY, body).json == {"valid": is_valid}
    assert AdminInvite.get().used_at is None


def test_a_missing_code_is_named(facility: Facility) -> None:
    answer = facility.anonymous.post(VERIFY, {})

    assert answer.json == {"error": "Validation failed", "details": ["code: is required"]}


def test_wrong_guesses_of_one_address_are_bounded(facility: Facility) -> None:
    code = facility.admin.post(INVITES).json["code"]
    facility.admin.patch("/api/admin/settings/access", {"signInMaxFailures": 1})
    for _ in range(10):
        assert facility.anonymous.post(VERIFY, {"code": "WRONG"}).status_code == 200

    refused = facility.anonymous.post(VERIFY, {"code": code})
    facility.clock.advance(timedelta(minutes=16))

    assert (refused.status_code, refused.json) == (429, {"error": "Too many requests"})
    assert "retry-after" in refused.headers
    assert facility.anonymous.post(VERIFY, {"code": code}).json == {"valid": True}


def test_an_unused_invite_can_be_deleted_and_a_used_one_not(facility: Facility) -> None:
    first, second = (facility.admin.post(INVITES).json for _ in range(2))
    facility.anonymous.post(
        "/api/register",
        {
            "email": "m@lab.test", "password": "correct horse battery", "firstName": "M", "lastName": "C",
            "role": "FACILITY_ADMIN", "inviteCode": second["code"],
        },
    )  # fmt: skip

    deleted = facility.admin.delete(f"{INVITES}/{first['invite']['id']}")
    again = facility.admin.delete(f"{INVITES}/{first['invite']['id']}")
    used = facility.admin.delete(f"{INVITES}/{second['invite']['id']}")

    assert (deleted.status_code, deleted.json) == (200, {"success": True})
    assert (again.status_code, again.json) == (404, {"error": "Invite not found"})
    assert (used.status_code, used.json) == (409, {"error": "Invite has been used"})
    assert facility.anonymous.post(VERIFY, {"code": first["code"]}).json == {"valid": False}
