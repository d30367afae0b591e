"""The audit trail: newest first, by action, by object, in pages."""

from seqfacility_testkit.facility import ADMIN, Facility

AUDIT = "/api/admin/audit"


def test_acts_are_listed_newest_first_with_their_actor(facility: Facility) -> None:
    facility.admin.patch("/api/admin/settings/access", {"siteName": "Core Lab"})
    facility.admin.put("/api/admin/modules", {"globalDisabled": True})

    newest, older = facility.admin.get(AUDIT).json["events"][:2]

    assert (newest["action"], older["action"]) == ("modules-saved", "settings-saved")
    assert newest["actor"] == {
        "id": facility.admin_id, "firstName": "Rosalind", "lastName": "Franklin", "email": ADMIN,
    }  # fmt: skip
    assert newest["address"] == "127.0.0.1"


def test_a_page_says_what_it_is_a_page_of(facility: Facility) -> None:
    everything = facility.admin.get(AUDIT).json

    page = facility.admin.get(AUDIT, params={"limit": "1", "offset": "1"}).json

    assert (page["total"], page["limit"], page["offset"]) == (everything["total"], 1, 1)
    assert page["events"] == everything["events"][1:2]


def test_filters_choose_by_action_and_by_object(facility: Facility) -> None:
    facility.anonymous.post("/api/auth/sign-in", {"email": ADMIN, "password": "not this one"})

    failed = facility.admin.get(AUDIT, params={"action": "sign-in-failed"}).json
    made = facility.admin.get(AUDIT, params={"objectId": facility.researcher_id}).json
    nothing = facility.admin.get(AUDIT, params={"action": "never-happened"}).json
    nonsense = facility.admin.get(AUDIT, params={"objectId": "a\0b"}).json

    assert [(event["actor"], event["detail"]) for event in failed["events"]] == [(None, {"email": ADMIN})]
    assert [event["action"] for event in made["events"]] == ["registered"]
    assert (nothing["events"], nothing["total"]) == ([], 0)
    assert nonsense == nothing


def test_a_password_that_was_tried_is_never_in_the_trail(facility: Facility) -> None:
    facility.anonymous.post("/api/auth/sign-in", {"email": ADMIN, "password": "a very secret guess"})

    assert "a very secret guess" not in facility.admin.get(AUDIT).text


def test_the_trail_is_for_admins(facility: Facility) -> None:
    refused = facility.researcher.get(AUDIT)

    assert (refused.status_code, refused.json) == (403, {"error": "Unauthorized"})
