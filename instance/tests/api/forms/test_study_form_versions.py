"""The study forms that were saved, of all studies and of one: who saved which when, and what was before."""

from typing import Any

import pytest
from falcon.testing import Result
from seqfacility_instance.facility_settings import store
from seqfacility_instance.tables.studies import StudyForm, StudyFormVersion
from seqfacility_testkit.facility import Facility

PATH = "/api/admin/study-form-config"


@pytest.fixture
def study(facility: Facility) -> str:
    """Make a study that may have a form of its own."""
    row = store.find_row()
    assert row is not None
    switched = {"modules": {"dynamic-studies": True}, "globalDisabled": False}
    assert store.claim_modules(row, switched, facility.clock.now())
    study_id: str = facility.researcher.post("/api/studies", {"title": "Two shores"}).json["study"]["id"]
    return study_id


def save(facility: Facility, name: str, study_id: str | None = None) -> dict[str, Any]:
    field = {"id": "f1", "name": name, "type": "text"}
    answer = facility.admin.put(f"{PATH}{_of(study_id)}", {"fields": [field], "groups": []})
    assert answer.status_code == 200
    form: dict[str, Any] = answer.json
    return form


def versions(facility: Facility, study_id: str | None = None) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = facility.admin.get(f"{PATH}/versions{_of(study_id)}").json["versions"]
    return listed


def version(facility: Facility, number: int | str, study_id: str | None = None) -> Result:
    return facility.admin.get(f"{PATH}/versions/{number}{_of(study_id)}")


def names(form: dict[str, Any]) -> list[str]:
    return [field["name"] for field in form["fields"]]


def _of(study_id: str | None) -> str:
    return "" if study_id is None else f"?studyId={study_id}"


def test_each_save_is_kept_with_who_made_it_and_when(facility: Facility) -> None:
    first, second = save(facility, "one"), save(facility, "two")

    listed = facility.admin.get(f"{PATH}/versions").json

    assert [(one["version"], one["savedAt"], one["savedBy"]["id"]) for one in listed["versions"]] == [
        (3, second["updatedAt"], facility.admin_id),
        (2, first["updatedAt"], facility.admin_id),
    ]
    assert (listed["total"], listed["limit"], listed["offset"]) == (2, 50, 0)
    kept = version(facility, 2).json
    assert (kept["fields"], kept["groups"]) == (first["fields"], first["groups"])
    assert (kept["studyId"], kept["savedAt"]) == (None, first["updatedAt"])
    assert kept["savedBy"] == listed["versions"][1]["savedBy"]


def test_the_first_version_is_the_form_that_was_there_before_the_first_save(facility: Facility) -> None:
    built_in = facility.admin.get(PATH).json
    before = version(facility, 1).json
    assert (before["version"], before["fields"]) == (1, built_in["fields"])
    assert versions(facility) == []

    save(facility, "one")

    assert version(facility, 1).json == before
    assert (before["savedAt"], before["savedBy"]) == (None, None)


def test_a_form_that_was_saved_before_there_was_a_history_is_its_first_version(
    facility: Facility, study: str
) -> None:
    of_all, own = save(facility, "all"), save(facility, "own", study)
    StudyFormVersion.delete().execute()

    save(facility, "allToo")
    save(facility, "ownToo", study)

    assert version(facility, 1).json["fields"] == of_all["fields"]
    assert version(facility, 1, study).json["fields"] == own["fields"]
    assert version(facility, 1, study).json["savedAt"] == own["updatedAt"]
    assert [one["version"] for one in versions(facility, study)] == [2]


def test_the_form_of_a_study_has_a_history_of_its_own(facility: Facility, study: str) -> None:
    of_all = save(facility, "all")
    save(facility, "own", study)
    save(facility, "ownAgain", study)

    assert [one["version"] for one in versions(facility, study)] == [3, 2]
    assert [one["version"] for one in versions(facility)] == [2]
    assert version(facility, 1, study).json["fields"] == of_all["fields"]
    second = version(facility, 2, study).json
    assert (names(second), second["studyId"]) == (["own"], study)


def test_a_save_that_is_refused_is_no_version(facility: Facility) -> None:
    save(facility, "one")
    seen = '"never given"'
    body = {"fields": [{"id": "f1", "name": "late", "type": "text"}], "groups": []}

    assert facility.admin.request("PUT", PATH, json=body, headers={"If-Match": seen}).status_code == 409
    assert facility.admin.put(PATH, {"fields": "none", "groups": []}).status_code == 400

    assert [one["version"] for one in versions(facility)] == [2]


def test_the_versions_are_read_page_by_page(facility: Facility, study: str) -> None:
    for name in ("one", "two", "three"):
        save(facility, name, study)

    page = facility.admin.get(f"{PATH}/versions?studyId={study}&limit=1&offset=1").json

    assert ([one["version"] for one in page["versions"]], page["total"]) == ([3], 3)


def test_a_version_that_was_never_saved_and_a_study_that_is_not_there_are_not_found(
    facility: Facility,
) -> None:
    for number in (2, 0, "latest"):
        unknown = version(facility, number)
        assert (unknown.status_code, unknown.json) == (404, {"error": "Form version not found"})
    for path in ("versions", "versions/1"):
        assert facility.admin.get(f"{PATH}/{path}?studyId=none").json == {"error": "Study not found"}


def test_with_a_study_go_the_versions_of_its_form(facility: Facility, study: str) -> None:
    save(facility, "all")
    save(facility, "own", study)

    assert facility.researcher.delete(f"/api/studies/{study}").status_code == 200

    assert StudyForm.select().count() == 0
    assert [row.study_id for row in StudyFormVersion.select()] == [None, None]
