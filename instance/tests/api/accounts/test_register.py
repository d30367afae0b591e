"""Registration: who may make an account, and the order in which the others are told why not."""

from datetime import timedelta
from typing import Any

import pytest
from seqfacility_instance.tables.people import AdminInvite, User
from seqfacility_testkit.facility import PASSWORD, RESEARCHER, Facility

REGISTER = "/api/register"
NEW = {"email": "Marie@Lab.test ", "password": PASSWORD, "firstName": "Marie", "lastName": "Curie"}
ADMIN_TO_BE = {**NEW, "role": "FACILITY_ADMIN"}


def invite(facility: Facility, **body: object) -> str:
    code: str = facility.admin.post("/api/admin/invites", body).json["code"]
    return code


@pytest.fixture(autouse=True)
def open_registration(facility: Facility) -> None:
    """Let accounts of researchers be active at once; how others wait has tests of its own."""
    facility.services.facility.change("access", {"registrationNeedsApproval": False}, facility.clock.now())


def refusal(facility: Facility, body: dict[str, Any]) -> tuple[int, str]:
    answer = facility.anonymous.post(REGISTER, body)
    return answer.status_code, answer.json["error"]


def test_a_researcher_makes_an_account_and_is_not_signed_in_by_it(facility: Facility) -> None:
    department = facility.admin.post("/api/admin/departments", {"name": "Genomics"}).json["department"]

    answer = facility.anonymous.post(
        REGISTER,
        {**NEW, "researcherRole": "PI", "institution": "Sorbonne", "departmentId": department["id"]},
    )

    assert answer.status_code == 201
    user = answer.json["user"]
    assert answer.json == {
        "success": True,
        "user": {
            "id": user["id"], "email": "marie@lab.test", "firstName": "Marie", "lastName": "Curie",
            "role": "RESEARCHER", "isDemo": False,
        },
    }  # fmt: skip
    assert "set-cookie" not in answer.headers
    profile = facility.sign_in("marie@lab.test").get("/api/user/profile").json["profile"]
    assert (profile["researcherRole"], profile["institution"]) == ("PI", "Sorbonne")
    assert profile["department"] == {"id": department["id"], "name": "Genomics"}


@pytest.mark.parametrize(
    ("change", "detail"),
    [
        ({"email": None}, "email: is required"),
        ({"email": "nobody"}, "email: must be an e-mail address"),
        ({"email": "a b@lab.test"}, "email: must be an e-mail address"),
        ({"email": 5}, "email: must be a string"),
        ({"password": None}, "password: is required"),
        ({"firstName": " "}, "firstName: must not be empty"),
        ({"lastName": "x" * 256}, "lastName: must have at most 255 characters"),
        ({"role": "KING"}, "role: must be one of: RESEARCHER, FACILITY_ADMIN"),
        (
            {"researcherRole": "BOSS"},
            "researcherRole: must be one of: PI, POSTDOC, PHD_STUDENT, MASTER_STUDENT, TECHNICIAN, OTHER",
        ),
        ({"departmentId": "nowhere"}, "departmentId: is not an active department"),
        ({"inviteCode": 7}, "inviteCode: must be a string"),
    ],
)
def test_a_malformed_key_is_named(facility: Facility, change: dict[str, object], detail: str) -> None:
    answer = facility.anonymous.post(REGISTER, {**NEW, **change})

    assert (answer.status_code, answer.json) == (400, {"error": "Validation failed", "details": [detail]})


def test_a_department_that_is_closed_cannot_be_chosen(facility: Facility) -> None:
    closed = facility.admin.post("/api/admin/departments", {"name": "Old", "isActive": False})

    answer = facility.anonymous.post(REGISTER, {**NEW, "departmentId": closed.json["department"]["id"]})

    assert answer.json["details"] == ["departmentId: is not an active department"]


@pytest.mark.parametrize(
    ("password", "detail"),
    [
        ("x" * 9, "password: must have at least 10 characters"),
        ("x" * 257, "password: must have at most 256 characters"),
        ("marie@LAB.test", "password: must not be the e-mail address"),
    ],
)
def test_a_weak_password_is_refused(facility: Facility, password: str, detail: str) -> None:
    answer = facility.anonymous.post(REGISTER, {**NEW, "password": password})

    assert answer.status_code == 400
    assert answer.json == {"error": "Password does not meet the rules", "details": [detail]}


@pytest.mark.parametrize("password", ["x" * 10, "x" * 256])
def test_the_shortest_and_the_longest_password_are_taken(facility: Facility, password: str) -> None:
    assert facility.anonymous.post(REGISTER, {**NEW, "password": password}).status_code == 201


def test_each_refusal_comes_before_the_next(facility: Facility) -> None:
    taken = {**NEW, "email": RESEARCHER}
    facility.admin.put("/api/admin/modules", {"modules": {"account-validation": True}})
    facility.admin.patch(
        "/api/admin/settings/access", {"allowRegistration": False, "allowedEmailDomains": ["else.test"]}
    )

    assert refusal(facility, {**taken, "password": "short"}) == (400, "Password does not meet the rules")
    assert refusal(facility, taken) == (403, "Registration is closed")
    admin = {**taken, "role": "FACILITY_ADMIN"}
    assert refusal(facility, admin) == (400, "An invite code is required for facility admin accounts")
    assert refusal(facility, {**admin, "inviteCode": "AAAA"}) == (400, "Invite code is not valid")
    valid = {**admin, "inviteCode": invite(facility)}
    assert refusal(facility, valid) == (400, "Email domain is not allowed")
    facility.admin.patch("/api/admin/settings/access", {"allowedEmailDomains": ["LAB.test"]})
    assert refusal(facility, valid) == (409, "An account with this email already exists")
    assert facility.anonymous.post(REGISTER, {**valid, "email": "m@lab.test"}).status_code == 201


def test_domains_matter_only_while_the_module_is_on(facility: Facility) -> None:
    facility.admin.patch("/api/admin/settings/access", {"allowedEmailDomains": ["else.test"]})

    assert facility.anonymous.post(REGISTER, NEW).status_code == 201


def test_an_invite_makes_one_admin_also_while_registration_is_closed(facility: Facility) -> None:
    code = invite(facility)
    facility.admin.patch("/api/admin/settings/access", {"allowRegistration": False})

    first = facility.anonymous.post(REGISTER, {**ADMIN_TO_BE, "inviteCode": f" {code.lower()} "})
    second = refusal(facility, {**ADMIN_TO_BE, "email": "second@lab.test", "inviteCode": code})

    assert (first.status_code, first.json["user"]["role"]) == (201, "FACILITY_ADMIN")
    assert second == (400, "Invite code is not valid")
    used = facility.admin.get("/api/admin/invites").json["invites"][0]
    assert used["usedBy"]["email"] == "marie@lab.test"
    assert used["usedAt"] is not None


def test_an_invite_for_somebody_else_or_past_its_end_is_not_valid(facility: Facility) -> None:
    bound = invite(facility, email="other@lab.test")
    short = invite(facility, expiresInDays=1)
    facility.clock.advance(timedelta(days=1))

    for code in (bound, short):
        assert refusal(facility, {**ADMIN_TO_BE, "inviteCode": code}) == (400, "Invite code is not valid")


def test_a_taken_email_leaves_the_invite_unused(facility: Facility) -> None:
    code = invite(facility)

    answer = refusal(facility, {**ADMIN_TO_BE, "email": RESEARCHER.upper(), "inviteCode": code})

    assert answer == (409, "An account with this email already exists")
    assert AdminInvite.get().used_at is None


def test_a_researcher_needs_no_invite_and_uses_none(facility: Facility) -> None:
    code = invite(facility)

    answer = facility.anonymous.post(REGISTER, {**NEW, "inviteCode": code})

    assert answer.json["user"]["role"] == "RESEARCHER"
    assert AdminInvite.get().used_at is None


def test_an_address_registers_so_often_and_then_waits(facility: Facility) -> None:
    facility.admin.patch("/api/admin/settings/access", {"registrationsPerHour": 2})
    for number in range(2):
        assert facility.anonymous.post(REGISTER, {**NEW, "email": f"m{number}@lab.test"}).status_code == 201

    refused = facility.anonymous.post(REGISTER, {})
    facility.clock.advance(timedelta(minutes=61))
    later = facility.anonymous.post(REGISTER, {**NEW, "email": "m3@lab.test"})

    assert (refused.status_code, refused.json) == (429, {"error": "Too many requests"})
    assert 0 < int(refused.headers["retry-after"]) <= 3601
    assert later.status_code == 201


def test_a_registration_is_audited_without_password_and_code(facility: Facility) -> None:
    code = invite(facility)
    made = facility.anonymous.post(REGISTER, {**ADMIN_TO_BE, "inviteCode": code}).json["user"]

    trail = facility.admin.get("/api/admin/audit")

    assert [event["action"] for event in trail.json["events"][:3]] == [
        "invite-used", "registered", "invite-made",
    ]  # fmt: skip
    assert trail.json["events"][1]["actor"]["id"] == made["id"]
    assert code not in trail.text
    assert PASSWORD not in trail.text


def test_nothing_but_the_hash_of_a_password_is_stored(facility: Facility) -> None:
    facility.anonymous.post(REGISTER, NEW)

    assert User.get(User.email == "marie@lab.test").password_hash.startswith("$argon2id$")
