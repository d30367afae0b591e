"""The order forms that were saved: who saved which when, and that no save goes over another unseen."""

from typing import Any

from falcon.testing import Result
from seqfacility_testkit.facility import Client, Facility

PATH = "/api/admin/form-config"
FIELD = {"id": "f1", "name": "projectCode", "type": "text"}


def save(client: Client, name: str, **headers: str) -> Result:
    body = {"fields": [{**FIELD, "name": name}], "groups": []}
    return client.request("PUT", PATH, json=body, headers=headers)


def names(answer: Result) -> list[str]:
    form: dict[str, Any] = answer.json
    return [field["name"] for field in form["fields"]]


def test_each_save_is_kept_with_who_made_it_and_when(facility: Facility) -> None:
    first, second = save(facility.admin, "one").json, save(facility.admin, "two").json

    listed = facility.admin.get(f"{PATH}/versions").json

    assert [(one["version"], one["savedAt"], one["savedBy"]) for one in listed["versions"]] == [
        (3, second["updatedAt"], second["updatedBy"]),
        (2, first["updatedAt"], first["updatedBy"]),
    ]
    assert (listed["total"], listed["limit"], listed["offset"]) == (2, 50, 0)
    assert facility.admin.get(f"{PATH}/versions/2").json == first


def test_the_versions_are_read_page_by_page(facility: Facility) -> None:
    for name in ("one", "two", "three"):
        save(facility.admin, name)

    page = facility.admin.get(f"{PATH}/versions", params={"limit": "1", "offset": "1"}).json

    assert ([one["version"] for one in page["versions"]], page["total"]) == ([3], 3)


def test_the_first_version_is_the_built_in_form(facility: Facility) -> None:
    built_in = facility.admin.get(PATH).json
    save(facility.admin, "one")

    first = facility.admin.get(f"{PATH}/versions/1").json

    assert (first["version"], first["updatedAt"], first["updatedBy"]) == (1, None, None)
    assert first["fields"] == built_in["fields"]


def test_a_version_that_was_never_saved_is_not_found(facility: Facility) -> None:
    for version in ("2", "0", "latest"):
        unknown = facility.admin.get(f"{PATH}/versions/{version}")
        assert (unknown.status_code, unknown.json) == (404, {"error": "Form version not found"})


def test_a_save_with_the_entity_tag_of_another_version_changes_nothing(facility: Facility) -> None:
    seen = facility.admin.get(PATH).headers["etag"]
    saved = save(facility.admin, "mine", **{"If-Match": seen})
    assert (seen, saved.headers["etag"]) == ('"1"', '"2"')

    for late in (seen, '"99"', '"never given"'):
        refused = save(facility.admin, "late", **{"If-Match": late})
        assert (refused.status_code, refused.json["error"]) == (
            409,
            "This record was changed by somebody else",
        )

    assert names(facility.admin.get(PATH)) == ["mine"]
    assert save(facility.admin, "whatever", **{"If-Match": "*"}).json["version"] == 3
