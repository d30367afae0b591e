"""Departments: the list that people choose from and the list that admins keep."""

from typing import Any

from seqfacility_testkit.facility import Facility

DEPARTMENTS = "/api/admin/departments"


def make(facility: Facility, **body: object) -> dict[str, Any]:
    answer = facility.admin.post(DEPARTMENTS, body)
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json["department"]
    return made


def test_everybody_sees_the_active_ones_by_name(facility: Facility) -> None:
    second, first = make(facility, name="Virology"), make(facility, name="Genomics")
    make(facility, name="Closed", isActive=False)

    assert facility.anonymous.get("/api/departments").json == {
        "departments": [
            {"id": first["id"], "name": "Genomics"},
            {"id": second["id"], "name": "Virology"},
        ]
    }


def test_an_admin_sees_all_with_the_number_of_their_users(facility: Facility) -> None:
    genomics = make(facility, name="Genomics", description="Floor 3")
    facility.researcher.put("/api/user/profile", {"departmentId": genomics["id"]})

    listed = facility.admin.get(DEPARTMENTS).json["departments"]

    assert listed == [{**genomics, "userCount": 1}]
    assert genomics["description"] == "Floor 3"
    assert genomics["isActive"] is True


def test_a_name_is_unique(facility: Facility) -> None:
    make(facility, name="Genomics")
    virology = make(facility, name="Virology")
    taken = {"error": "A department with this name already exists"}

    created = facility.admin.post(DEPARTMENTS, {"name": " Genomics "})
    renamed = facility.admin.put(f"{DEPARTMENTS}/{virology['id']}", {"name": "Genomics"})

    assert (created.status_code, created.json) == (409, taken)
    assert (renamed.status_code, renamed.json) == (409, taken)


def test_a_change_keeps_what_is_not_sent(facility: Facility) -> None:
    made = make(facility, name="Genomics", description="Floor 3")

    answer = facility.admin.put(f"{DEPARTMENTS}/{made['id']}", {"isActive": False})

    changed = answer.json["department"]
    assert {**changed, "updatedAt": made["updatedAt"]} == {**made, "isActive": False}


def test_a_department_in_use_stays(facility: Facility) -> None:
    made = make(facility, name="Genomics")
    facility.researcher.put("/api/user/profile", {"departmentId": made["id"]})

    used = facility.admin.delete(f"{DEPARTMENTS}/{made['id']}")
    facility.researcher.put("/api/user/profile", {"departmentId": ""})
    free = facility.admin.delete(f"{DEPARTMENTS}/{made['id']}")

    assert (used.status_code, used.json) == (409, {"error": "Department is in use"})
    assert (free.status_code, free.json) == (200, {"success": True})


def test_an_unknown_department_is_told_before_the_body_is_read(facility: Facility) -> None:
    for answer in (
        facility.admin.put(f"{DEPARTMENTS}/nowhere", body="{"),
        facility.admin.delete(f"{DEPARTMENTS}/nowhere"),
    ):
        assert (answer.status_code, answer.json) == (404, {"error": "Department not found"})


def test_a_department_needs_a_name(facility: Facility) -> None:
    answer = facility.admin.post(DEPARTMENTS, {"description": "x"})

    assert answer.json == {"error": "Validation failed", "details": ["name: is required"]}
