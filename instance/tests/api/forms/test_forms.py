"""Forms over HTTP: what is shown to whom, and what may be saved."""

from typing import Any

import pytest
from falcon.testing import Result
from seqfacility_instance.tables.people import User
from seqfacility_testkit.facility import Client, Facility

FIELD = {"id": "f1", "name": "projectCode", "type": "text"}
GROUP = {"id": "g1", "name": "Project", "icon": "tag", "order": 0}


def names(fields: list[dict[str, Any]]) -> list[str]:
    return [field["name"] for field in fields]


def modules(facility: Facility, **switched: bool) -> None:
    body = {"modules": {name.replace("_", "-"): is_on for name, is_on in switched.items()}}
    from seqfacility_instance.facility_settings import store

    row = store.find_row()
    assert row is not None
    assert store.claim_modules(row, {**body, "globalDisabled": False}, facility.clock.now())


def refusal(answer: Result) -> tuple[int, object]:
    return answer.status_code, answer.json


def details(answer: Result) -> object:
    assert answer.status_code == 400
    assert answer.json["error"] == "Validation failed"
    return answer.json["details"]


def save(client: Client, *fields: object, **more: Any) -> Result:
    return client.put("/api/admin/form-config", {"fields": list(fields), "groups": [GROUP], **more})


def test_the_built_in_form_is_version_one(facility: Facility) -> None:
    form = facility.admin.get("/api/form-schema").json

    assert form["version"] == 1
    assert names(form["fields"]) == [
        "name",
        "description",
        "sequencingTechnology",
        "platform",
        "libraryStrategy",
        "librarySource",
        "librarySelection",
        "organism",
        "sampleAlias",
        "sampleTitle",
        "barcode",
        "volumeUl",
        "concentrationNgUl",
        "facilityQcStatus",
        "facilityNotes",
        "facilitySampleQc",
    ]
    assert [(group["id"], group["name"], group["order"]) for group in form["groups"]] == [
        ("order-details", "Order details", 0),
        ("sequencing", "Sequencing", 1),
        ("samples", "Samples", 2),
        ("facility", "Facility", 3),
    ]
    assert names(form["perSampleFields"]) == [
        "organism",
        "sampleAlias",
        "sampleTitle",
        "barcode",
        "volumeUl",
        "concentrationNgUl",
        "facilitySampleQc",
    ]


def test_researchers_do_not_see_the_fields_of_admins(facility: Facility) -> None:
    form = facility.researcher.get("/api/form-schema").json

    assert not [field for field in form["fields"] + form["perSampleFields"] if field.get("adminOnly")]
    assert "facilityNotes" not in names(form["fields"])
    assert [group["id"] for group in form["groups"]][-1] == "facility"


def test_a_form_needs_a_session(facility: Facility) -> None:
    for path in ("/api/form-schema", "/api/study-form-schema"):
        assert refusal(facility.anonymous.get(path)) == (401, {"error": "Unauthorized"})
    for path in ("/api/admin/form-config", "/api/admin/study-form-config"):
        assert refusal(facility.researcher.get(path)) == (403, {"error": "Unauthorized"})
        assert refusal(facility.researcher.put(path, {})) == (403, {"error": "Unauthorized"})


def test_modules_bring_and_take_away_their_fields(facility: Facility) -> None:
    modules(facility, billing_info=True, ena_sample_fields=False)

    shown = names(facility.researcher.get("/api/form-schema").json["fields"])

    assert "billing" in shown
    assert not {"organism", "sampleAlias", "sampleTitle"} & set(shown)


def test_no_checklists_are_offered_while_their_module_is_off(facility: Facility) -> None:
    modules(facility, mixs_metadata=False)

    assert facility.researcher.get("/api/form-schema").json["enabledMixsChecklists"] == []


def test_every_save_raises_the_version(facility: Facility) -> None:
    first = save(facility.admin, FIELD).json
    second = save(facility.admin, FIELD, {**FIELD, "id": "f2", "name": "other"}).json

    assert (first["version"], second["version"]) == (2, 3)
    assert second["updatedBy"]["email"] == "admin@facility.test"
    assert second["fields"][0] == {
        "id": "f1",
        "name": "projectCode",
        "type": "text",
        "label": "projectCode",
        "options": [],
        "required": False,
        "visible": True,
        "perSample": False,
        "groupId": None,
        "order": 0,
    }
    assert facility.admin.get("/api/admin/form-config").json == second
    assert facility.researcher.get("/api/form-schema").json["version"] == 3


def test_a_save_over_an_older_version_is_refused_and_changes_nothing(facility: Facility) -> None:
    save(facility.admin, FIELD, baseVersion=1)

    late = save(facility.admin, {**FIELD, "name": "late"}, baseVersion=1)

    assert refusal(late) == (409, {"error": "This record was changed by somebody else"})
    assert names(facility.admin.get("/api/admin/form-config").json["fields"]) == ["projectCode"]


@pytest.mark.parametrize(
    ("field", "line"),
    [
        (
            {"type": "colour"},
            "type: must be one of: text, textarea, select, multiselect, checkbox, number, date,",
        ),
        ({"name": "1st"}, "name: must be letters, digits and _"),
        ({"groupId": "nowhere"}, "groupId: is not a group of this form"),
        ({"type": "select"}, "options: must not be empty"),
        ({"type": "multiselect", "options": []}, "options: must not be empty"),
        ({"validation": {"pattern": "["}}, "validation.pattern: is not a regular expression"),
        ({"validation": {"pattern": "a" * 501}}, "validation.pattern: must have at most 500 characters"),
        ({"required": "yes"}, "required: must be true or false"),
        ({"systemKey": "colour"}, "systemKey: must be one of: name, platform, "),
        ({"systemKey": "sampleAlias"}, "systemKey: does not belong to this level"),
    ],
)
def test_a_field_that_cannot_be_is_refused_by_its_place(
    facility: Facility, field: dict[str, object], line: str
) -> None:
    refused = details(save(facility.admin, {**FIELD, **field}))

    assert isinstance(refused, list)
    assert len(refused) == 1
    assert refused[0].startswith(f"fields[0].{line}")
    assert facility.admin.get("/api/admin/form-config").json["version"] == 1


def test_ids_and_names_are_unique(facility: Facility) -> None:
    refused = details(
        facility.admin.put("/api/admin/form-config", {"fields": [FIELD, FIELD], "groups": [GROUP, GROUP]})
    )

    assert refused == [
        "fields[1].id: is used more than once",
        "fields[1].name: is used more than once",
        "groups[1].id: is used more than once",
    ]


def test_a_form_has_at_most_five_hundred_fields_and_fifty_groups(facility: Facility) -> None:
    fields = [{**FIELD, "id": f"f{number}", "name": f"n{number}"} for number in range(501)]
    groups = [{**GROUP, "id": f"g{number}"} for number in range(51)]

    refused = details(facility.admin.put("/api/admin/form-config", {"fields": fields, "groups": groups}))
    assert refused == ["fields: must have at most 500 entries", "groups: must have at most 50 entries"]
    taken = facility.admin.put("/api/admin/form-config", {"fields": fields[:500], "groups": groups[:50]})
    assert taken.status_code == 200


def test_the_level_of_a_field_follows_from_its_type(facility: Facility) -> None:
    saved = save(
        facility.admin,
        {**FIELD, "type": "organism"},
        {**FIELD, "id": "f2", "name": "tube", "type": "barcode", "perSample": False},
        {**FIELD, "id": "f3", "name": "grants", "type": "funding", "perSample": True},
        {**FIELD, "id": "f4", "name": "free", "options": ["no use"]},
    ).json["fields"]

    assert [field["perSample"] for field in saved] == [True, True, False, False]
    assert saved[3]["options"] == []


def test_fields_and_groups_are_needed(facility: Facility) -> None:
    refused = details(facility.admin.put("/api/admin/form-config", {}))

    assert refused == ["fields: is required", "groups: is required"]


def test_an_unknown_checklist_cannot_be_enabled(facility: Facility) -> None:
    refused = details(save(facility.admin, FIELD, enabledMixsChecklists=["ERC999999"]))

    assert refused == ["enabledMixsChecklists[0]: is not a known checklist"]


def test_invisible_fields_are_shown_but_not_per_sample(facility: Facility) -> None:
    save(facility.admin, {**FIELD, "perSample": True, "visible": False})

    form = facility.researcher.get("/api/form-schema").json

    assert names(form["fields"]) == ["projectCode"]
    assert form["perSampleFields"] == []


def test_the_study_form_is_split_by_level_alone(facility: Facility) -> None:
    form = facility.researcher.get("/api/study-form-schema").json

    assert names(form["studyFields"]) == ["principalInvestigator", "studyAbstract", "mixsChecklist"]
    assert names(form["perSampleFields"]) == ["collectionDate", "geographicLocation"]
    assert form["studyFields"] + form["perSampleFields"] == sorted(
        form["fields"], key=lambda field: bool(field["perSample"])
    )
    assert form["modules"] == {
        "ai-validation": False,
        "mixs-metadata": True,
        "account-validation": False,
        "funding-info": False,
        "billing-info": False,
        "ena-sample-fields": False,
        "dynamic-studies": False,
        "notifications": False,
    }


def test_the_global_study_form_is_saved_and_shown(facility: Facility) -> None:
    path = "/api/admin/study-form-config"
    assert facility.admin.get(path).json["source"] == "default"

    saved = facility.admin.put(path, {"fields": [FIELD], "groups": []}).json

    assert (saved["source"], saved["studyId"]) == ("global", None)
    assert saved["updatedAt"] is not None
    assert names(facility.researcher.get("/api/study-form-schema").json["fields"]) == ["projectCode"]


def test_a_study_form_has_only_the_types_of_studies(facility: Facility) -> None:
    fields = [{**FIELD, "type": "billing"}, {**FIELD, "id": "f2", "name": "b", "type": "barcode"}]

    refused = details(facility.admin.put("/api/admin/study-form-config", {"fields": fields, "groups": []}))

    words = "type: must be one of: text, textarea, select, multiselect, checkbox, number, date, mixs, funding"
    assert refused == [f"fields[0].{words}", f"fields[1].{words}"]


def test_the_form_of_a_study_counts_while_studies_are_dynamic(facility: Facility) -> None:
    study_id = make_study(facility)
    path, schema_path = f"/api/admin/study-form-config?studyId={study_id}", "/api/study-form-schema"
    body = {"fields": [FIELD], "groups": []}
    assert refusal(facility.admin.put(path, body)) == (400, {"error": "Dynamic studies are not enabled"})
    modules(facility, dynamic_studies=True)

    saved = facility.admin.put(path, body).json

    assert (saved["source"], saved["studyId"]) == ("study", study_id)
    own = facility.researcher.get(schema_path, params={"studyId": study_id}).json
    assert names(own["fields"]) == ["projectCode"]
    assert names(facility.researcher.get(schema_path).json["fields"])[0] == "principalInvestigator"
    modules(facility, dynamic_studies=False)
    unheard = facility.researcher.get(schema_path, params={"studyId": study_id}).json
    assert names(unheard["fields"])[0] == "principalInvestigator"


def test_the_study_of_a_form_must_be_known_and_own_while_studies_are_dynamic(facility: Facility) -> None:
    study_id = make_study(facility)
    path = "/api/study-form-schema"
    assert facility.researcher.get(path, params={"studyId": "nobody"}).status_code == 200
    modules(facility, dynamic_studies=True)

    unknown = facility.researcher.get(path, params={"studyId": "nobody"})
    foreign = facility.other_researcher.get(path, params={"studyId": study_id})
    unknown_to_admin = facility.admin.get("/api/admin/study-form-config", params={"studyId": "nobody"})

    assert refusal(unknown) == refusal(unknown_to_admin) == (404, {"error": "Study not found"})
    assert refusal(foreign) == (403, {"error": "Forbidden"})


def test_an_order_remembers_the_form_it_was_filled_with(facility: Facility) -> None:
    order = facility.researcher.post("/api/orders", {}).json["order"]
    path = f"/api/orders/{order['id']}"
    facility.researcher.post(f"{path}/samples", {"samples": [{"taxId": "562"}]})
    required = {**FIELD, "required": True}
    save(facility.admin, required, {**required, "id": "f2", "name": "hidden", "adminOnly": True})

    submitted = facility.researcher.post(f"{path}/status", {"status": "SUBMITTED"})
    assert submitted.json["order"]["formVersion"] == 1

    later = facility.researcher.post("/api/orders", {}).json["order"]
    assert later["formVersion"] == 2
    path = f"/api/orders/{later['id']}"
    facility.researcher.post(f"{path}/samples", {"samples": [{}]})
    refused = facility.researcher.post(f"{path}/status", {"status": "SUBMITTED"})
    assert refusal(refused) == (
        400,
        {"error": "Order cannot be submitted", "details": ["projectCode: is required"]},
    )
    facility.researcher.put(path, {"customFields": {"projectCode": "P1"}})
    assert facility.researcher.post(f"{path}/status", {"status": "SUBMITTED"}).status_code == 200


def make_study(facility: Facility) -> str:
    from seqfacility_instance.tables.studies import Study

    owner = User.get(User.id == facility.researcher_id)
    study_id: str = Study.create(title="Soil", user=owner, mixs_version=1).id
    return study_id
