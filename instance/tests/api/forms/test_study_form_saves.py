"""Saves of study forms: none goes over another unseen, and what one would mean is told before."""

from typing import Any

import pytest
from falcon.testing import Result
from seqfacility_instance.facility_settings import store
from seqfacility_testkit.facility import Facility

PATH = "/api/admin/study-form-config"
FIELD = {"id": "f1", "name": "projectCode", "type": "text"}
BODY: dict[str, Any] = {"fields": [FIELD], "groups": []}


def save(facility: Facility, path: str = PATH, **headers: str) -> Result:
    return facility.admin.request("PUT", path, json=BODY, headers=headers)


def make_study(facility: Facility) -> str:
    study_id: str = facility.researcher.post("/api/studies", {"title": "Two shores"}).json["study"]["id"]
    return study_id


@pytest.fixture
def dynamic(facility: Facility) -> None:
    row = store.find_row()
    assert row is not None
    switched = {"modules": {"dynamic-studies": True}, "globalDisabled": False}
    assert store.claim_modules(row, switched, facility.clock.now())


def test_a_save_with_the_entity_tag_of_another_state_changes_nothing(facility: Facility) -> None:
    seen = facility.admin.get(PATH).headers["etag"]
    saved = save(facility, **{"If-Match": seen})
    assert saved.status_code == 200

    for late in (seen, '"never given"'):
        refused = save(facility, **{"If-Match": late})
        assert (refused.status_code, refused.json["error"]) == (
            409,
            "This record was changed by somebody else",
        )

    assert facility.admin.get(PATH).headers["etag"] == saved.headers["etag"] != seen
    assert save(facility, **{"If-Match": saved.headers["etag"]}).status_code == 200
    assert save(facility, **{"If-Match": "*"}).status_code == 200


@pytest.mark.usefixtures("dynamic")
def test_two_saves_of_one_studys_form_are_told_apart(facility: Facility) -> None:
    path = f"{PATH}?studyId={make_study(facility)}"
    save(facility)
    seen = facility.admin.get(path).headers["etag"]

    assert save(facility, path, **{"If-Match": seen}).json["source"] == "study"
    assert save(facility, path, **{"If-Match": seen}).status_code == 409


@pytest.mark.usefixtures("dynamic")
def test_it_is_told_how_many_studies_a_form_would_be_asked_of(facility: Facility) -> None:
    own, _other = make_study(facility), make_study(facility)

    def studies(path: str) -> int:
        asked: int = facility.admin.post(path, BODY).json["studies"]
        return asked

    assert studies(f"{PATH}/impact") == 2
    assert studies(f"{PATH}/impact?studyId={own}") == 1
    assert facility.admin.get(PATH).json["source"] == "default"

    save(facility, f"{PATH}?studyId={own}")
    assert studies(f"{PATH}/impact") == 1


def test_what_a_save_would_refuse_is_refused_before(facility: Facility) -> None:
    wrong = {"fields": [{**FIELD, "type": "barcode"}], "groups": []}
    refused = facility.admin.post(f"{PATH}/impact", wrong)
    assert (refused.status_code, refused.json) == (400, facility.admin.put(PATH, wrong).json)

    of_one = facility.admin.post(f"{PATH}/impact?studyId={make_study(facility)}", BODY)
    assert (of_one.status_code, of_one.json["error"]) == (400, "Dynamic studies are not enabled")
