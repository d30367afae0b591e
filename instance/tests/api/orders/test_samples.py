"""Samples over HTTP: the table of an order, single samples, lists."""

import re
from typing import Any

from falcon.testing import Result
from seqfacility_instance.core.vocabulary.sequencing import DataClass, ReadSource
from seqfacility_instance.tables.orders import Order
from seqfacility_instance.tables.sequencing import Read, SequencingRun, SequencingRunSample
from seqfacility_testkit.facility import Client, Facility


def make_order(client: Client, **body: Any) -> str:
    order_id: str = client.post("/api/orders", body).json["order"]["id"]
    return order_id


def save(client: Client, order_id: str, *rows: object, **more: Any) -> Result:
    return client.post(f"/api/orders/{order_id}/samples", {"samples": list(rows), **more})


def make_sample(client: Client, order_id: str, **row: Any) -> dict[str, Any]:
    sample: dict[str, Any] = save(client, order_id, {"taxId": "562", **row}).json["samples"][-1]
    return sample


def submit(client: Client, order_id: str) -> None:
    assert client.post(f"/api/orders/{order_id}/status", {"status": "SUBMITTED"}).status_code == 200


def details(answer: Result) -> object:
    assert answer.status_code == 400
    assert answer.json["error"] == "Validation failed"
    return answer.json["details"]


def test_rows_without_a_name_create_samples_in_their_order(facility: Facility) -> None:
    order_id = make_order(facility.researcher)

    answer = save(facility.researcher, order_id, {"taxId": " 562 "}, {"scientificName": "Homo sapiens"})

    assert (answer.json["created"], answer.json["updated"]) == (2, 0)
    first, second = answer.json["samples"]
    assert re.fullmatch(r"S-[0-9]{13}-[A-Z0-9]{6}", first["sampleId"])
    assert first["taxId"] == "562"
    assert second["scientificName"] == "Homo sapiens"
    assert first["checklistData"] == first["checklistUnits"] == first["customFields"] == {}


def test_rows_named_by_id_or_code_update_what_they_name(facility: Facility) -> None:
    order_id = make_order(facility.researcher)
    first = make_sample(facility.researcher, order_id, checklistData={"depth": "3", "ph": "7"})
    second = make_sample(facility.researcher, order_id)

    answer = save(
        facility.researcher,
        order_id,
        {"sampleId": second["sampleId"], "sampleAlias": "b"},
        {"id": first["id"], "checklistData": {"ph": None, "depth": "4"}, "checklistUnits": {"depth": "m"}},
        {"taxId": "9606"},
    )

    assert (answer.json["created"], answer.json["updated"]) == (1, 2)
    changed_first, changed_second, third = answer.json["samples"]
    assert changed_first["checklistData"] == {"depth": "4"}
    assert changed_first["checklistUnits"] == {"depth": "m"}
    assert changed_first["taxId"] == "562"
    assert changed_first["createdAt"] == first["createdAt"]
    assert changed_first["updatedAt"] > first["updatedAt"]
    assert changed_second["sampleAlias"] == "b"
    assert third["taxId"] == "9606"


def test_nothing_is_saved_when_one_row_is_refused(facility: Facility) -> None:
    order_id = make_order(facility.researcher)
    other = make_sample(facility.researcher, make_order(facility.researcher))

    answer = save(
        facility.researcher,
        order_id,
        {"taxId": "1"},
        {"sampleId": other["sampleId"]},
        {"id": "nobody"},
        {"customFields": {"volumeUl": "much", "barcode": 4}},
    )

    assert details(answer) == [
        "samples[1].sampleId: not a sample of this order",
        "samples[2].id: not a sample of this order",
        "samples[3].customFields.volumeUl: must be a number",
        "samples[3].customFields.barcode: must be a string",
    ]
    assert facility.researcher.get(f"/api/orders/{order_id}/samples").json["samples"] == []


def test_wrong_types_are_named_by_row_and_key(facility: Facility) -> None:
    order_id = make_order(facility.researcher)

    answer = save(facility.researcher, order_id, {}, {}, {"taxId": 562})

    assert details(answer) == ["samples[2].taxId: must be a string"]
    assert details(facility.researcher.post(f"/api/orders/{order_id}/samples", {})) == [
        "samples: is required"
    ]
    assert details(save(facility.researcher, order_id, "x")) == ["samples[0]: must be an object"]


def test_a_sample_is_named_once_in_a_call(facility: Facility) -> None:
    order_id = make_order(facility.researcher)
    sample = make_sample(facility.researcher, order_id)

    answer = save(facility.researcher, order_id, {"id": sample["id"]}, {"sampleId": sample["sampleId"]})

    assert details(answer) == ["samples[1].sampleId: is already in samples[0]"]


def test_five_thousand_rows_are_taken_and_one_more_is_not(facility: Facility) -> None:
    order_id = make_order(facility.researcher)

    assert details(save(facility.researcher, order_id, *[{}] * 5001)) == [
        "samples: must have at most 5000 entries"
    ]
    assert save(facility.researcher, order_id, *[{}] * 5000).json["created"] == 5000


def test_a_barcode_is_stored_in_its_one_spelling(facility: Facility) -> None:
    order_id = make_order(facility.researcher)

    sample = make_sample(facility.researcher, order_id, customFields={"barcode": "BC1"})

    assert sample["customFields"] == {"barcode": "barcode01"}


def test_the_owner_changes_samples_only_in_a_draft(facility: Facility) -> None:
    order_id = make_order(facility.researcher)
    sample = make_sample(facility.researcher, order_id)
    submit(facility.researcher, order_id)
    path = f"/api/samples/{sample['id']}"
    refusal = {"error": "Order can only be changed while it is a draft"}

    for answer in (
        save(facility.researcher, order_id, {}),
        facility.researcher.put(path, {"taxId": "1"}),
        facility.researcher.delete(path),
    ):
        assert (answer.status_code, answer.json) == (400, refusal)
    assert facility.admin.put(path, {"taxId": "1"}).json["sample"]["taxId"] == "1"


def test_the_sampleset_comes_with_the_order_and_changes_by_key(facility: Facility) -> None:
    order_id = make_order(facility.researcher)
    path = f"/api/orders/{order_id}/samples"
    assert facility.researcher.get(path).json["sampleset"] == {
        "orderId": order_id,
        "checklists": [],
        "selectedFields": None,
        "fieldOverrides": None,
        "sampleType": 1,
    }

    sampleset = {"checklists": ["ERC000011"], "fieldOverrides": {"depth": {"label": "How deep"}}}
    save(facility.researcher, order_id, sampleset=sampleset)
    save(facility.researcher, order_id, sampleset={"sampleType": 2})

    assert facility.researcher.get(path).json["sampleset"] == {
        "orderId": order_id,
        "checklists": ["ERC000011"],
        "selectedFields": None,
        "fieldOverrides": {"depth": {"label": "How deep"}},
        "sampleType": 2,
    }


def test_researchers_neither_see_nor_change_the_sample_fields_of_admins(facility: Facility) -> None:
    order_id = make_order(facility.researcher)
    sample = make_sample(
        facility.researcher,
        order_id,
        customFields={"facilitySampleQc": "passed", "collectionDate": "2031-05-04"},
    )
    path = f"/api/samples/{sample['id']}"
    assert sample["customFields"] == {"collectionDate": "2031-05-04"}

    facility.admin.put(path, {"customFields": {"facilitySampleQc": "failed", "box": "A"}})

    assert facility.researcher.get(path).json["sample"]["customFields"] == {"collectionDate": "2031-05-04"}
    seen = facility.researcher.get("/api/samples").json["samples"][0]
    assert seen["customFields"] == {"collectionDate": "2031-05-04"}
    assert facility.admin.get(path).json["sample"]["customFields"] == {
        "collectionDate": "2031-05-04",
        "facilitySampleQc": "failed",
        "box": "A",
    }


def test_a_single_sample_names_its_order_study_and_reads(facility: Facility) -> None:
    order_id = make_order(facility.researcher, name="Soil")
    sample = make_sample(facility.researcher, order_id)

    whole = facility.researcher.get(f"/api/samples/{sample['id']}").json["sample"]

    assert whole["order"]["id"] == order_id
    assert whole["order"]["name"] == "Soil"
    assert whole["study"] is None
    assert whole["reads"] == []


def test_a_researcher_sees_only_delivered_reads(facility: Facility) -> None:
    order_id = make_order(facility.researcher)
    sample = make_sample(facility.researcher, order_id)
    read = Read.create(
        sample=sample["id"], file1="a.fastq.gz", data_class=DataClass.CLEANED, source=ReadSource.LINK
    )
    path = f"/api/samples/{sample['id']}"

    def seen(client: Client) -> tuple[int, int]:
        order = client.get(f"/api/orders/{order_id}").json["order"]
        return len(client.get(path).json["sample"]["reads"]), order["counts"]["reads"]

    assert seen(facility.admin) == (1, 1)
    assert seen(facility.researcher) == (0, 0)
    Order.update(sequencing_files_published_at=facility.clock.now()).execute()
    assert seen(facility.researcher) == (1, 1)
    Read.update(data_class=DataClass.RAW).where(Read.id == read.id).execute()
    assert seen(facility.researcher) == (0, 0)


def test_a_stale_change_of_a_sample_is_refused(facility: Facility) -> None:
    sample = make_sample(facility.researcher, make_order(facility.researcher))
    path = f"/api/samples/{sample['id']}"
    facility.admin.put(path, {"taxId": "1", "baseUpdatedAt": sample["updatedAt"]})

    late = facility.researcher.put(path, {"taxId": "2", "baseUpdatedAt": sample["updatedAt"]})

    assert (late.status_code, late.json) == (409, {"error": "This record was changed by somebody else"})


def test_a_table_over_a_row_that_somebody_changed_is_refused_whole(facility: Facility) -> None:
    order_id = make_order(facility.researcher)
    first, second = (make_sample(facility.researcher, order_id) for _ in range(2))
    changed = facility.admin.put(f"/api/samples/{second['id']}", {"sampleAlias": "theirs"}).json["sample"]
    rows = [
        {"id": one["id"], "sampleAlias": "mine", "baseUpdatedAt": one["updatedAt"]} for one in (first, second)
    ]

    tried = facility.researcher.post(f"/api/orders/{order_id}/samples?dryRun=true", {"samples": rows})
    late = save(facility.researcher, order_id, *rows)

    body = {
        "error": "This record was changed by somebody else",
        "details": [f"samples[1].baseUpdatedAt: was changed at {changed['updatedAt']}"],
    }
    assert [(one.status_code, one.json) for one in (tried, late)] == [(409, body)] * 2
    stored = facility.researcher.get(f"/api/orders/{order_id}/samples").json["samples"]
    assert [one["sampleAlias"] for one in stored] == [None, "theirs"]


def test_a_save_that_answers_rows_alone_tells_the_next_base(facility: Facility) -> None:
    order_id = make_order(facility.researcher)
    path = f"/api/orders/{order_id}/samples"

    made = facility.researcher.post(f"{path}?return=counts", {"samples": [{"taxId": "562"}]}).json
    row = {"id": made["ids"][0], "taxId": "9606", "baseUpdatedAt": made["updatedAt"][0]}
    saved = facility.researcher.post(f"{path}?return=counts", {"samples": [row]})

    assert saved.status_code == 200
    assert saved.json["updatedAt"] != made["updatedAt"]
    [sample] = facility.researcher.get(path).json["samples"]
    assert saved.json["updatedAt"] == [sample["updatedAt"]]
    assert (
        "updatedAt" not in facility.researcher.post(f"{path}?return=counts&dryRun=true", {"samples": []}).json
    )


def test_a_base_that_is_no_time_is_named(facility: Facility) -> None:
    order_id = make_order(facility.researcher)

    answer = save(facility.researcher, order_id, {"taxId": "562", "baseUpdatedAt": "yesterday"})

    assert details(answer) == ["samples[0].baseUpdatedAt: must be an ISO 8601 timestamp"]


def test_unknown_samples_are_not_found_and_foreign_ones_forbidden(facility: Facility) -> None:
    sample = make_sample(facility.researcher, make_order(facility.researcher))

    for method in ("GET", "PUT", "DELETE"):
        unknown = facility.other_researcher.request(method, "/api/samples/nobody")
        foreign = facility.other_researcher.request(method, f"/api/samples/{sample['id']}")

        assert (unknown.status_code, unknown.json) == (404, {"error": "Sample not found"})
        assert (foreign.status_code, foreign.json) == (403, {"error": "Forbidden"})


def test_a_sample_with_sequencing_data_is_not_deleted(facility: Facility) -> None:
    order_id = make_order(facility.researcher)
    sample = make_sample(facility.researcher, order_id)
    path = f"/api/samples/{sample['id']}"
    run = SequencingRun.create(order=order_id, run_id="R1")
    assignment = SequencingRunSample.create(sequencing_run=run.id, sample=sample["id"])

    refused = facility.researcher.delete(path)
    assignment.delete_instance()

    assert (refused.status_code, refused.json) == (409, {"error": "Sample has sequencing data"})
    assert facility.researcher.delete(path).json == {"success": True}
    assert facility.researcher.get(path).status_code == 404


def test_samples_are_listed_newest_first_filtered_and_searched(facility: Facility) -> None:
    first_order, second_order = make_order(facility.researcher), make_order(facility.researcher)
    first = make_sample(facility.researcher, first_order, sampleAlias="deep")
    second = make_sample(facility.researcher, second_order, scientificName="Homo sapiens")
    make_sample(facility.other_researcher, make_order(facility.other_researcher))

    def listed(client: Client, **params: str) -> list[str]:
        return [sample["id"] for sample in client.get("/api/samples", params=params).json["samples"]]

    assert listed(facility.researcher) == [second["id"], first["id"]]
    assert listed(facility.researcher, orderId=first_order) == [first["id"]]
    assert listed(facility.researcher, q="DEEP") == [first["id"]]
    assert listed(facility.researcher, q="sapiens") == [second["id"]]
    assert listed(facility.researcher, unassigned="true", limit="1") == [second["id"]]
    study_id = facility.researcher.post("/api/studies", {"title": "Soil"}).json["study"]["id"]
    facility.researcher.post(f"/api/studies/{study_id}/samples", {"sampleIds": [second["id"]]})
    assert listed(facility.researcher, unassigned="true") == [first["id"]]
    assert facility.admin.get("/api/samples", params={"unassigned": "true"}).json["total"] == 2
    assert listed(facility.researcher, orderId="nobody") == []
    assert len(listed(facility.admin)) == 3
