"""Every act on an account leaves a row that says who did what, and no secret."""

from seqfacility_testkit.facility import PASSWORD, RESEARCHER, Facility

NEW_PASSWORD = "another long password"


def test_each_act_leaves_its_row(facility: Facility) -> None:
    admin = facility.admin
    user = f"/api/admin/users/{facility.researcher_id}"
    invite = admin.post("/api/admin/invites").json
    admin.delete(f"/api/admin/invites/{invite['invite']['id']}")
    department = admin.post("/api/admin/departments", {"name": "G"}).json["department"]["id"]
    admin.put(f"/api/admin/departments/{department}", {"name": "H"})
    admin.delete(f"/api/admin/departments/{department}")
    admin.patch(user, {"firstName": "A"})
    admin.patch(user, {"role": "FACILITY_ADMIN"})
    token = admin.post(f"{user}/reset-link").json["token"]
    facility.anonymous.post("/api/auth/password-reset", {"token": token, "newPassword": NEW_PASSWORD})
    client = facility.sign_in(RESEARCHER, NEW_PASSWORD)
    client.put("/api/user/profile", {"lastName": "B"})
    changed = client.post("/api/auth/password", {"currentPassword": NEW_PASSWORD, "newPassword": PASSWORD})
    client.cookie = changed.cookies["service_session"].value
    client.post("/api/auth/sign-out")

    trail = admin.get("/api/admin/audit", params={"limit": "13"})

    assert [event["action"] for event in reversed(trail.json["events"])] == [
        "invite-made", "invite-deleted", "department-saved", "department-saved", "department-deleted",
        "user-changed", "role-changed", "reset-link-made", "password-reset", "sign-in", "user-changed",
        "password-changed", "sign-out",
    ]  # fmt: skip
    for secret in (invite["code"], token, PASSWORD, NEW_PASSWORD):
        assert secret not in trail.text
