"""Profiles, the admin's list of users, roles, deactivation and reset links."""

from datetime import timedelta

import pytest
from seqfacility_instance.tables.people import PasswordResetLink, User
from seqfacility_testkit.facility import ADMIN, OTHER_RESEARCHER, PASSWORD, RESEARCHER, Client, Facility

USERS = "/api/admin/users"
NEW_PASSWORD = "another long password"


def test_a_profile_shows_the_own_account(facility: Facility) -> None:
    profile = facility.researcher.get("/api/user/profile").json["profile"]

    assert profile == {
        "id": facility.researcher_id, "email": RESEARCHER, "firstName": "Ada", "lastName": "Lovelace",
        "role": "RESEARCHER", "researcherRole": None, "institution": None, "department": None,
        "mustChangePassword": False, "createdAt": profile["createdAt"],
    }  # fmt: skip


def test_a_profile_changes_only_what_is_sent_and_never_role_or_email(facility: Facility) -> None:
    facility.researcher.put("/api/user/profile", {"institution": "Analytical Engines"})

    answer = facility.researcher.put(
        "/api/user/profile",
        {"firstName": "Augusta", "researcherRole": "OTHER", "institution": None,
         "role": "FACILITY_ADMIN", "email": "x@y.test"},
    )  # fmt: skip

    profile = answer.json["profile"]
    assert (profile["firstName"], profile["lastName"]) == ("Augusta", "Lovelace")
    assert (profile["researcherRole"], profile["institution"]) == ("OTHER", "Analytical Engines")
    assert (profile["role"], profile["email"]) == ("RESEARCHER", RESEARCHER)


def test_a_closed_department_may_be_kept_but_not_taken(facility: Facility) -> None:
    department = facility.admin.post("/api/admin/departments", {"name": "G"}).json["department"]["id"]
    facility.researcher.put("/api/user/profile", {"departmentId": department})
    facility.admin.put(f"/api/admin/departments/{department}", {"isActive": False})

    kept = facility.researcher.put("/api/user/profile", {"departmentId": department})
    taken = facility.other_researcher.put("/api/user/profile", {"departmentId": department})

    assert kept.status_code == 200
    assert taken.json["details"] == ["departmentId: is not an active department"]


def test_an_admin_lists_accounts_newest_first(facility: Facility) -> None:
    answer = facility.admin.get(USERS, params={"limit": "2"}).json

    assert [user["email"] for user in answer["users"]] == [OTHER_RESEARCHER, RESEARCHER]
    assert (answer["total"], answer["limit"], answer["offset"]) == (3, 2, 0)
    assert "password" not in " ".join(answer["users"][0]).replace("mustChangePassword", "")


@pytest.mark.parametrize(
    ("query", "emails"),
    [
        ({"role": "FACILITY_ADMIN"}, [ADMIN]),
        ({"role": "KING"}, []),
        ({"q": "ada love"}, [RESEARCHER]),
        ({"q": "LAB.test"}, [OTHER_RESEARCHER, RESEARCHER]),
        ({"q": "%"}, []),
        ({"q": "a\0da"}, []),
        ({"q": "lab", "role": "FACILITY_ADMIN"}, []),
        ({"state": "active"}, [OTHER_RESEARCHER, RESEARCHER, ADMIN]),
        ({"state": "inactive"}, []),
        ({"state": "asleep"}, []),
        ({"department": "none-such"}, []),
        ({"sort": "name"}, [ADMIN, OTHER_RESEARCHER, RESEARCHER]),
        ({"sort": "-name"}, [RESEARCHER, OTHER_RESEARCHER, ADMIN]),
        ({"sort": "created"}, [ADMIN, RESEARCHER, OTHER_RESEARCHER]),
        ({"sort": "hair"}, [OTHER_RESEARCHER, RESEARCHER, ADMIN]),
    ],
)
def test_accounts_are_found_by_role_and_by_text(
    facility: Facility, query: dict[str, str], emails: list[str]
) -> None:
    answer = facility.admin.get(USERS, params=query).json

    assert [user["email"] for user in answer["users"]] == emails
    assert answer["total"] == len(emails)


def test_accounts_are_found_by_state_and_department(facility: Facility) -> None:
    department = facility.admin.post("/api/admin/departments", {"name": "G"}).json["department"]["id"]
    facility.admin.patch(f"{USERS}/{facility.researcher_id}", {"departmentId": department})
    facility.admin.patch(f"{USERS}/{facility.other_researcher_id}", {"isActive": False})
    waiting = {"email": "mary@lab.test", "password": PASSWORD, "firstName": "Mary", "lastName": "Anning"}
    facility.anonymous.post("/api/register", waiting)

    def listed(**query: str) -> list[str]:
        return [user["email"] for user in facility.admin.get(USERS, params=query).json["users"]]

    assert listed(department=department) == [RESEARCHER]
    assert listed(department=department, state="inactive") == []
    assert listed(state="active") == [RESEARCHER, ADMIN]
    assert listed(state="waiting") == listed(pendingApproval="true") == ["mary@lab.test"]
    assert listed(state="inactive") == [OTHER_RESEARCHER]


def test_who_has_never_signed_in_comes_before_who_has(facility: Facility) -> None:
    facility.sign_in(OTHER_RESEARCHER)
    facility.sign_in(RESEARCHER)

    def listed(sort: str) -> list[str]:
        return [user["email"] for user in facility.admin.get(USERS, params={"sort": sort}).json["users"]]

    assert listed("-seen")[:2] == [RESEARCHER, OTHER_RESEARCHER]
    assert listed("seen")[-2:] == [OTHER_RESEARCHER, RESEARCHER]
    assert listed("seen")[0] == ADMIN


def test_one_account_is_shown_as_in_the_list(facility: Facility) -> None:
    (listed,) = facility.admin.get(USERS, params={"q": RESEARCHER}).json["users"]

    assert facility.admin.get(f"{USERS}/{facility.researcher_id}").json == {"user": listed}
    assert facility.admin.get(f"{USERS}/nobody").status_code == 404


def test_an_admin_changes_an_account(facility: Facility) -> None:
    answer = facility.admin.patch(
        f"{USERS}/{facility.researcher_id}", {"lastName": "Byron", "role": "FACILITY_ADMIN"}
    )

    user = answer.json["user"]
    assert (user["firstName"], user["lastName"], user["role"]) == ("Ada", "Byron", "FACILITY_ADMIN")
    assert (user["isActive"], user["isDemo"], user["lastSignInAt"]) == (True, False, None)
    assert facility.researcher.get(USERS).status_code == 200
    trail = facility.admin.get("/api/admin/audit", params={"objectId": facility.researcher_id}).json["events"]
    assert [(event["action"], event["detail"]) for event in trail[:2]] == [
        ("user-changed", {"keys": ["last_name"]}),
        ("role-changed", {"before": "RESEARCHER", "after": "FACILITY_ADMIN"}),
    ]


def test_a_deactivated_account_is_out_at_once_and_cannot_sign_in(facility: Facility) -> None:
    facility.admin.patch(f"{USERS}/{facility.researcher_id}", {"isActive": False})

    assert facility.researcher.get("/api/modules").status_code == 401
    refused = facility.anonymous.post("/api/auth/sign-in", {"email": RESEARCHER, "password": PASSWORD})
    assert (refused.status_code, refused.json) == (401, {"error": "Invalid email or password"})


def test_a_reactivated_account_has_none_of_its_old_sessions(facility: Facility) -> None:
    facility.admin.patch(f"{USERS}/{facility.researcher_id}", {"isActive": False})
    facility.admin.patch(f"{USERS}/{facility.researcher_id}", {"isActive": True})

    assert facility.researcher.get("/api/modules").status_code == 401
    assert facility.sign_in(RESEARCHER).get("/api/modules").status_code == 200


@pytest.mark.parametrize("change", [{"role": "RESEARCHER"}, {"isActive": False}])
def test_the_last_admin_stays(facility: Facility, change: dict[str, object]) -> None:
    answer = facility.admin.patch(f"{USERS}/{facility.admin_id}", change)

    assert answer.status_code == 409
    assert answer.json == {"error": "At least one active facility admin must remain"}
    assert facility.admin.get(USERS).status_code == 200


def test_an_admin_may_step_back_when_another_is_there(facility: Facility) -> None:
    facility.admin.patch(f"{USERS}/{facility.researcher_id}", {"role": "FACILITY_ADMIN"})

    assert facility.admin.patch(f"{USERS}/{facility.admin_id}", {"role": "RESEARCHER"}).status_code == 200
    assert facility.admin.get(USERS).status_code == 403


def test_an_unknown_account_is_told_before_the_body_is_read(facility: Facility) -> None:
    for answer in (
        facility.admin.patch(f"{USERS}/nobody", body="{"),
        facility.admin.post(f"{USERS}/nobody/reset-link"),
    ):
        assert (answer.status_code, answer.json) == (404, {"error": "User not found"})


def test_a_reset_link_works_once_and_ends_all_sessions(facility: Facility) -> None:
    link = facility.admin.post(f"{USERS}/{facility.researcher_id}/reset-link")
    body = {"token": link.json["token"], "newPassword": NEW_PASSWORD}

    first = facility.anonymous.post("/api/auth/password-reset", body)
    second = facility.anonymous.post("/api/auth/password-reset", body)

    assert link.status_code == 201
    assert link.json["token"] in link.json["path"]
    assert (first.status_code, first.json) == (200, {"success": True})
    assert (second.status_code, second.json) == (400, {"error": "Reset link is not valid"})
    assert facility.researcher.get("/api/modules").status_code == 401
    assert facility.sign_in(RESEARCHER, NEW_PASSWORD).cookie


def test_a_reset_link_ends_after_a_day(facility: Facility) -> None:
    token = facility.admin.post(f"{USERS}/{facility.researcher_id}/reset-link").json["token"]
    facility.clock.advance(timedelta(hours=24))

    answer = facility.anonymous.post(
        "/api/auth/password-reset", {"token": token, "newPassword": NEW_PASSWORD}
    )

    assert answer.json == {"error": "Reset link is not valid"}


def test_a_weak_password_leaves_the_link_as_it_is(facility: Facility) -> None:
    token = facility.admin.post(f"{USERS}/{facility.researcher_id}/reset-link").json["token"]

    weak = facility.anonymous.post("/api/auth/password-reset", {"token": token, "newPassword": "short"})
    strong = facility.anonymous.post(
        "/api/auth/password-reset", {"token": token, "newPassword": NEW_PASSWORD}
    )

    assert weak.json == {
        "error": "Password does not meet the rules",
        "details": ["newPassword: must have at least 10 characters"],
    }
    assert strong.status_code == 200


def test_a_changed_password_makes_waiting_links_useless(facility: Facility) -> None:
    token = facility.admin.post(f"{USERS}/{facility.researcher_id}/reset-link").json["token"]
    facility.researcher.post("/api/auth/password", {"currentPassword": PASSWORD, "newPassword": NEW_PASSWORD})

    answer = facility.anonymous.post("/api/auth/password-reset", {"token": token, "newPassword": "x" * 20})

    assert answer.json == {"error": "Reset link is not valid"}


def test_guesses_at_links_are_bounded(facility: Facility) -> None:
    facility.admin.patch("/api/admin/settings/access", {"signInMaxFailures": 1})
    body = {"token": "wrong", "newPassword": NEW_PASSWORD}
    for _ in range(10):
        assert facility.anonymous.post("/api/auth/password-reset", body).status_code == 400

    refused = facility.anonymous.post("/api/auth/password-reset", body)

    assert (refused.status_code, refused.json) == (429, {"error": "Too many requests"})


def test_a_link_is_stored_as_a_hash(facility: Facility) -> None:
    token = facility.admin.post(f"{USERS}/{facility.researcher_id}/reset-link").json["token"]

    assert PasswordResetLink.get().token_hash != token
    assert token not in facility.admin.get("/api/admin/audit").text


def test_a_generated_password_is_advice_until_it_is_changed(facility: Facility) -> None:
    User.update(must_change_password=True).where(User.id == facility.researcher_id).execute()
    advised = facility.researcher.get("/api/user/profile").json["profile"]["mustChangePassword"]

    body = {"currentPassword": PASSWORD, "newPassword": NEW_PASSWORD}
    changed = facility.researcher.post("/api/auth/password", body)

    assert advised is True
    renewed = Client(facility, changed.cookies["service_session"].value)
    profile = renewed.get("/api/user/profile").json["profile"]
    assert profile["mustChangePassword"] is False


def test_an_old_hash_is_renewed_at_the_next_sign_in(facility: Facility) -> None:
    from argon2 import PasswordHasher

    weak = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)
    User.update(password_hash=weak).where(User.id == facility.researcher_id).execute()

    facility.sign_in(RESEARCHER)

    renewed = User.get_by_id(facility.researcher_id)
    assert "m=47104,t=2,p=1" in renewed.password_hash
    assert renewed.last_sign_in_at is not None
