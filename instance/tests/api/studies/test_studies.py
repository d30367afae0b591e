"""Studies over HTTP: rights, samples, metadata, the pinned checklist."""

from typing import Any

from falcon.testing import Result
from seqfacility_instance.core.vocabulary.pipelines import Backend, RunStatus, TargetType
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_instance.tables.studies import Study
from seqfacility_testkit.facility import Client, Facility
from seqfacility_testkit.queries import counted_queries


def refusal(answer: Result) -> tuple[int, object]:
    return answer.status_code, answer.json


def make_study(client: Client, **body: Any) -> dict[str, Any]:
    answer = client.post("/api/studies", {"title": "Soil", **body})
    assert answer.status_code == 201, answer.text
    study: dict[str, Any] = answer.json["study"]
    return study


def make_samples(client: Client, *rows: dict[str, Any]) -> list[dict[str, Any]]:
    order_id = client.post("/api/orders", {}).json["order"]["id"]
    answer = client.post(f"/api/orders/{order_id}/samples", {"samples": list(rows) or [{"taxId": "562"}]})
    samples: list[dict[str, Any]] = answer.json["samples"]
    return samples


def test_a_new_study_is_pinned_to_the_active_checklists(facility: Facility) -> None:
    active = facility.anonymous.get("/api/mixs-checklists").json["version"]

    study = make_study(
        facility.researcher,
        alias="soil-1",
        checklistType="gsc mixs soil",
        metadata={"studyAbstract": "Deep."},
    )

    assert study["mixsVersion"] == active
    assert study["checklistType"] == "ERC000022"
    assert study["metadata"] == {"studyAbstract": "Deep."}
    assert study["userId"] == facility.researcher_id
    assert study["samples"] == []
    assert study["counts"] == {"samples": 0}
    assert (study["submitted"], study["readyForSubmission"]) == (False, False)


def test_a_study_needs_a_title_and_a_known_checklist(facility: Facility) -> None:
    answer = facility.researcher.post("/api/studies", {"title": " "})
    assert refusal(answer) == (
        400,
        {"error": "Validation failed", "details": ["title: must not be empty"]},
    )
    answer = facility.researcher.post("/api/studies", {"title": "Soil", "checklistType": "no such"})
    assert refusal(answer) == (
        400,
        {"error": "Validation failed", "details": ["checklistType: is not a known checklist"]},
    )


def test_an_alias_is_used_once(facility: Facility) -> None:
    make_study(facility.researcher, alias="soil-1")
    other = make_study(facility.other_researcher)
    refused = (409, {"error": "Alias is already in use"})

    assert (
        refusal(facility.other_researcher.post("/api/studies", {"title": "x", "alias": "soil-1"})) == refused
    )
    path = f"/api/studies/{other['id']}"
    assert refusal(facility.other_researcher.put(path, {"alias": "soil-1"})) == refused
    assert facility.other_researcher.put(path, {"alias": "soil-2"}).json["study"]["alias"] == "soil-2"
    assert facility.other_researcher.put(path, {"alias": ""}).json["study"]["alias"] is None


def test_unknown_studies_are_not_found_and_foreign_ones_forbidden(facility: Facility) -> None:
    study = make_study(facility.researcher)

    for method, tail in (
        ("GET", ""),
        ("PUT", ""),
        ("DELETE", ""),
        ("POST", "/samples"),
        ("PUT", "/samples"),
        ("DELETE", "/samples"),
        ("GET", "/mixs-impact"),
    ):
        unknown = facility.other_researcher.request(method, f"/api/studies/nobody{tail}")
        foreign = facility.other_researcher.request(method, f"/api/studies/{study['id']}{tail}")

        assert refusal(unknown) == (404, {"error": "Study not found"})
        assert refusal(foreign) == (403, {"error": "Forbidden"})


def test_studies_are_listed_for_their_owner_and_for_admins(facility: Facility) -> None:
    first = make_study(facility.researcher, title="Alpine lakes")
    second = make_study(facility.other_researcher, title="Soil")

    def listed(client: Client, **params: str) -> list[str]:
        return [study["id"] for study in client.get("/api/studies", params=params).json["studies"]]

    assert listed(facility.researcher) == [first["id"]]
    assert listed(facility.admin) == [second["id"], first["id"]]
    assert listed(facility.admin, q="alpine") == [first["id"]]
    assert listed(facility.admin, limit="1", offset="1") == [first["id"]]


def test_a_list_of_studies_costs_the_same_for_one_and_for_many(facility: Facility) -> None:
    def cost() -> int:
        with counted_queries() as statements:
            facility.admin.get("/api/studies")
        return len(statements)

    make_study(facility.researcher)
    one = cost()
    for _ in range(10):
        make_study(facility.researcher)

    assert cost() == one <= 10


def test_only_an_admin_gives_an_accession_or_another_owner(facility: Facility) -> None:
    study = make_study(facility.researcher, userId=facility.admin_id)
    path = f"/api/studies/{study['id']}"
    body = {"studyAccessionId": "PRJEB1", "userId": facility.other_researcher_id}

    kept = facility.researcher.put(path, body).json["study"]
    given = facility.admin.put(path, body).json["study"]

    assert (kept["studyAccessionId"], kept["userId"]) == (None, facility.researcher_id)
    assert (given["studyAccessionId"], given["userId"]) == ("PRJEB1", facility.other_researcher_id)


def test_a_put_merges_metadata_and_leaves_the_rest(facility: Facility) -> None:
    study = make_study(facility.researcher, metadata={"studyAbstract": "a", "principalInvestigator": "b"})

    changed = facility.researcher.put(
        f"/api/studies/{study['id']}", {"metadata": {"studyAbstract": None, "unlisted": 1}}
    ).json["study"]

    assert changed["metadata"] == {"principalInvestigator": "b"}
    assert changed["title"] == "Soil"


def test_the_pin_moves_only_to_a_stored_version(facility: Facility) -> None:
    study = make_study(facility.researcher)
    path = f"/api/studies/{study['id']}"

    assert refusal(facility.researcher.put(path, {"mixsVersion": 99})) == (
        400,
        {"error": "Validation failed", "details": ["mixsVersion: is not a stored version"]},
    )
    assert refusal(facility.researcher.put(path, {"mixsVersion": "1"})) == (
        400,
        {"error": "Validation failed", "details": ["mixsVersion: must be an integer"]},
    )


def test_a_stale_save_of_a_study_is_refused(facility: Facility) -> None:
    study = make_study(facility.researcher)
    path = f"/api/studies/{study['id']}"
    facility.researcher.put(path, {"title": "second", "baseUpdatedAt": study["updatedAt"]})

    late = facility.researcher.put(path, {"title": "third", "baseUpdatedAt": study["updatedAt"]})

    assert refusal(late) == (409, {"error": "This record was changed by somebody else"})


def test_a_submitted_study_is_neither_marked_nor_deleted(facility: Facility) -> None:
    study = make_study(facility.researcher)
    path = f"/api/studies/{study['id']}"
    assert facility.researcher.put(path, {"readyForSubmission": True}).json["study"]["readyForSubmission"]
    Study.update(submitted=True).execute()

    assert refusal(facility.researcher.put(path, {"readyForSubmission": False})) == (
        400,
        {"error": "Study has been submitted"},
    )
    assert refusal(facility.researcher.delete(path)) == (409, {"error": "Study has been submitted"})
    assert facility.researcher.put(path, {"title": "still"}).json["study"]["title"] == "still"


def test_a_study_with_runs_is_not_deleted(facility: Facility) -> None:
    study = make_study(facility.researcher)
    PipelineRun.create(
        run_number="X-1",
        pipeline_id="x",
        pipeline_version="1.0.0",
        status=RunStatus.PENDING,
        target_type=TargetType.STUDY,
        study=study["id"],
        user=facility.admin_id,
        execution_mode=Backend.LOCAL,
    )

    assert refusal(facility.researcher.delete(f"/api/studies/{study['id']}")) == (
        409,
        {"error": "Study has pipeline runs"},
    )


def test_deleting_a_study_leaves_its_samples(facility: Facility) -> None:
    study, (sample,) = make_study(facility.researcher), make_samples(facility.researcher)
    path = f"/api/studies/{study['id']}"
    facility.researcher.post(f"{path}/samples", {"sampleIds": [sample["id"]]})

    assert facility.researcher.delete(path).json == {"success": True}

    assert facility.researcher.get(f"/api/samples/{sample['id']}").json["sample"]["study"] is None


def test_samples_join_a_study_by_id_or_code(facility: Facility) -> None:
    study = make_study(facility.researcher)
    first, second = make_samples(facility.researcher, {}, {})
    path = f"/api/studies/{study['id']}/samples"

    joined = facility.researcher.post(
        path, {"sampleIds": [first["id"], second["sampleId"], first["id"]]}
    ).json
    again = facility.researcher.post(path, {"sampleIds": [first["id"]]}).json

    assert joined["added"] == 2
    assert [sample["studyId"] for sample in joined["samples"]] == [study["id"]] * 2
    assert again["added"] == 0
    assert len(again["samples"]) == 2
    whole = facility.researcher.get(f"/api/samples/{first['id']}").json["sample"]
    assert whole["study"] == {"id": study["id"], "title": "Soil"}
    assert facility.researcher.get("/api/samples", params={"unassigned": "true"}).json["total"] == 0


def test_a_researcher_adds_only_own_samples(facility: Facility) -> None:
    study = make_study(facility.researcher)
    (mine,), (foreign,) = make_samples(facility.researcher), make_samples(facility.other_researcher)
    path = f"/api/studies/{study['id']}/samples"

    refused = facility.researcher.post(path, {"sampleIds": [mine["id"], "nobody", foreign["id"]]})

    assert refusal(refused) == (400, {"error": f"Invalid sample IDs: nobody, {foreign['id']}"})
    assert facility.researcher.get(f"/api/samples/{mine['id']}").json["sample"]["study"] is None
    assert facility.admin.post(path, {"sampleIds": [foreign["id"]]}).json["added"] == 1


def test_a_sample_belongs_to_one_study(facility: Facility) -> None:
    first, second = make_study(facility.researcher), make_study(facility.researcher)
    (sample,) = make_samples(facility.researcher)
    facility.researcher.post(f"/api/studies/{first['id']}/samples", {"sampleIds": [sample["id"]]})

    refused = facility.researcher.post(f"/api/studies/{second['id']}/samples", {"sampleIds": [sample["id"]]})

    assert refusal(refused) == (
        409,
        {
            "error": "Sample already belongs to another study",
            "details": [f"{sample['sampleId']}: already belongs to another study"],
        },
    )


def test_metadata_of_samples_is_changed_for_those_named_only(facility: Facility) -> None:
    study = make_study(facility.researcher)
    first, second = make_samples(
        facility.researcher, {"checklistData": {"depth": "1"}}, {"checklistData": {"depth": "2"}}
    )
    path = f"/api/studies/{study['id']}/samples"
    facility.researcher.post(path, {"sampleIds": [first["id"], second["id"]]})

    saved = facility.researcher.put(
        path,
        {
            "samples": [
                {
                    "id": first["id"],
                    "taxId": "9606",
                    "checklistData": {"ph": "7"},
                    "checklistUnits": {"depth": "m"},
                    "customFields": {"collectionDate": "2031-05-04", "facilitySampleQc": "passed"},
                }
            ]
        },
    ).json["samples"]

    assert saved[0]["checklistData"] == {"depth": "1", "ph": "7"}
    assert saved[0]["checklistUnits"] == {"depth": "m"}
    assert saved[0]["customFields"] == {"collectionDate": "2031-05-04"}
    assert saved[0]["taxId"] is None
    assert saved[1]["checklistData"] == {"depth": "2"}
    assert refusal(facility.researcher.put(path, {"samples": [{"id": "nobody"}]})) == (
        400,
        {"error": "Invalid sample IDs: nobody"},
    )
    wrong = facility.researcher.put(
        path, {"samples": [{"id": first["id"], "customFields": {"collectionDate": "May"}}]}
    )
    assert refusal(wrong) == (
        400,
        {
            "error": "Validation failed",
            "details": ["samples[0].customFields.collectionDate: must be a date like 2031-05-04"],
        },
    )


def test_after_submission_a_study_changes_what_its_own_form_asks(facility: Facility) -> None:
    study, (sample,) = make_study(facility.researcher), make_samples(facility.researcher)
    path = f"/api/studies/{study['id']}/samples"
    facility.researcher.post(path, {"sampleIds": [sample["id"]]})
    facility.researcher.post(f"/api/orders/{sample['orderId']}/status", {"status": "SUBMITTED"})
    fields = {"volumeUl": 5, "geographicLocation": "Lake"}

    saved = facility.researcher.put(path, {"samples": [{"id": sample["id"], "customFields": fields}]}).json

    assert saved["samples"][0]["customFields"] == {"geographicLocation": "Lake"}


def test_samples_leave_a_study_by_body_or_by_query(facility: Facility) -> None:
    study = make_study(facility.researcher)
    first, second, third = make_samples(facility.researcher, {}, {}, {})
    path = f"/api/studies/{study['id']}/samples"
    facility.researcher.post(path, {"sampleIds": [first["id"], second["id"], third["id"]]})

    by_body = facility.researcher.request("DELETE", path, json={"sampleIds": [first["id"], "nobody"]})
    by_query = facility.researcher.delete(f"{path}?sampleIds={second['sampleId']},{third['id']}")
    by_nothing = facility.researcher.delete(path)

    assert by_body.json == {"removed": 1}
    assert by_query.json == {"removed": 2}
    assert refusal(by_nothing) == (
        400,
        {"error": "Validation failed", "details": ["sampleIds: is required"]},
    )


def test_at_most_five_thousand_samples_are_named_in_a_call(facility: Facility) -> None:
    study = make_study(facility.researcher)

    answer = facility.researcher.post(f"/api/studies/{study['id']}/samples", {"sampleIds": ["x"] * 5001})

    assert refusal(answer) == (
        400,
        {"error": "Validation failed", "details": ["sampleIds: must have at most 5000 entries"]},
    )


def test_the_impact_of_the_pinned_version_is_how_complete_the_samples_are(facility: Facility) -> None:
    study = make_study(facility.researcher, checklistType="ERC000011")
    whole = facility.anonymous.get("/api/mixs-checklists", params={"accession": "ERC000011"}).json
    required = [field["name"] for field in whole["fields"] if field["required"]]
    (sample,) = make_samples(facility.researcher, {"checklistData": {required[0]: "not collected"}})
    facility.researcher.post(f"/api/studies/{study['id']}/samples", {"sampleIds": [sample["id"]]})

    impact = facility.researcher.get(f"/api/studies/{study['id']}/mixs-impact").json["impact"]

    assert impact["currentVersion"] == impact["targetVersion"] == study["mixsVersion"]
    assert impact["addedFields"] == impact["removedFields"] == impact["newlyRequired"] == []
    assert [found["missing"] for found in impact["samples"]] == [required[1:]]


def test_the_impact_of_an_unknown_version_is_refused(facility: Facility) -> None:
    study = make_study(facility.researcher, checklistType="ERC000011")
    path = f"/api/studies/{study['id']}/mixs-impact"

    assert refusal(facility.researcher.get(path, params={"version": "new"})) == (
        400,
        {"error": "version must be an integer"},
    )
    assert refusal(facility.researcher.get(path, params={"version": "99"})) == (
        404,
        {"error": "Checklist not found: ERC000011"},
    )


def test_admin_fields_of_a_study_form_stay_with_admins(facility: Facility) -> None:
    facility.admin.put(
        "/api/admin/study-form-config",
        {
            "fields": [
                {"id": "1", "name": "open", "type": "text"},
                {"id": "2", "name": "closed", "type": "text", "adminOnly": True},
                {"id": "3", "name": "closedSample", "type": "text", "adminOnly": True, "perSample": True},
            ],
            "groups": [],
        },
    )
    study, (sample,) = (
        make_study(facility.researcher, metadata={"open": "a", "closed": "b"}),
        make_samples(facility.researcher),
    )
    path = f"/api/studies/{study['id']}"
    facility.researcher.post(f"{path}/samples", {"sampleIds": [sample["id"]]})
    rows = [{"id": sample["id"], "customFields": {"closedSample": "secret"}}]
    facility.admin.put(path, {"metadata": {"closed": "secret"}})
    facility.admin.put(f"{path}/samples", {"samples": rows})

    assert study["metadata"] == {"open": "a"}
    seen = facility.researcher.put(path, {"metadata": {"closed": None}}).json["study"]
    assert seen["metadata"] == {"open": "a"}
    assert seen["samples"][0]["customFields"] == {}
    kept = facility.admin.get(path).json["study"]
    assert kept["metadata"] == {"open": "a", "closed": "secret"}
    assert kept["samples"][0]["customFields"] == {"closedSample": "secret"}


def test_keys_that_a_study_does_not_have_are_told_and_ignored(facility: Facility) -> None:
    body = {"title": "Soil", "abstract": "x", "metadata": {"studyAbstract": "a", "studyAbstrct": "b"}}
    told = ["abstract: is not a known key", "metadata.studyAbstrct: is not a field that is asked for"]

    made = facility.researcher.post("/api/studies", body)
    changed = facility.researcher.put(f"/api/studies/{made.json['study']['id']}", body)

    assert (made.status_code, changed.status_code) == (201, 200)
    assert made.json["warnings"] == changed.json["warnings"] == told
    assert changed.json["study"]["metadata"] == {"studyAbstract": "a"}


def test_keys_that_a_sample_of_a_study_does_not_have_are_told_and_ignored(facility: Facility) -> None:
    study = make_study(facility.researcher)
    [sample] = make_samples(facility.researcher)
    path = f"/api/studies/{study['id']}/samples"
    facility.researcher.post(path, {"sampleIds": [sample["id"]]})
    row = {"id": sample["id"], "color": "red", "customFields": {"volume": 1}}

    answer = facility.researcher.put(path, {"samples": [row]})

    assert answer.json["warnings"] == [
        "samples[0].color: is not a known key",
        "samples[0].customFields.volume: is not a field that is asked for",
    ]
    assert "volume" not in answer.json["samples"][0]["customFields"]


def test_a_study_sent_back_as_it_came_is_not_warned_of(facility: Facility) -> None:
    study_id = make_study(facility.researcher, metadata={"studyAbstract": "a"})["id"]
    [sample] = make_samples(facility.researcher)
    path = f"/api/studies/{study_id}"
    facility.researcher.post(f"{path}/samples", {"sampleIds": [sample["id"]]})
    facility.admin.put(path, {"metadata": {"older": "x"}})

    for client in (facility.researcher, facility.admin):
        study = client.get(path).json["study"]
        assert "warnings" not in client.put(path, study).json
        assert "warnings" not in client.put(f"{path}/samples", {"samples": study["samples"]}).json
