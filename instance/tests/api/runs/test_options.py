"""What a run could be made of, told before anybody makes it."""

from typing import Any

import pytest
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.pipeline_runs import RUNS, completed, show, use_scripted_executor
from seqfacility_testkit.sequencing import OrderInHand, submitted_order, upload


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return submitted_order(facility, samples=2)


def options(facility: Facility, pipeline_id: str, **target: str) -> dict[str, Any]:
    answer = facility.admin.get(f"/api/pipelines/{pipeline_id}/run-options", params=target)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json["options"]
    return told


def test_each_sample_is_told_with_the_reasons_that_creation_would_give(
    facility: Facility, order: OrderInHand
) -> None:
    upload(facility, order)
    upload(facility, order, targetRole="R2")

    samples = options(facility, "reads-qc", orderId=order.id)["samples"]

    assert [sample["sampleId"] for sample in samples] == order.sample_codes
    problems = {sample["id"]: sample["problems"] for sample in samples}
    assert problems == {order.sample_ids[0]: [], order.sample_ids[1]: ["has no reads"]}
    body = {"pipelineId": "reads-qc", "orderId": order.id}
    assert facility.admin.post(f"{RUNS}/validate", body).json["details"] == [
        f"{order.sample_codes[1]}: has no reads"
    ]
    assert facility.admin.post(f"{RUNS}/validate", body | {"sampleIds": order.sample_ids[:1]}).json["valid"]


def test_the_configuration_is_that_of_a_run_that_names_no_value(
    facility: Facility, order: OrderInHand
) -> None:
    facility.admin.put("/api/admin/pipelines/read-cleaning", {"enabled": True, "config": {"minLength": 60}})

    told = options(facility, "read-cleaning", orderId=order.id)

    assert told["config"] == {"minLength": 60, "minQuality": 20, "maxN": 5}
    assert (told["defaultMode"], told["executionModes"][0]) == ("local", "local")


@pytest.mark.parametrize(
    ("pipeline_id", "target", "status", "error"),
    [
        ("no-such", {"orderId": "x"}, 400, "Invalid pipeline ID"),
        ("reads-qc", {}, 400, "Exactly one of studyId or orderId is required"),
        ("reads-qc", {"orderId": "x", "studyId": "y"}, 400, "Exactly one of studyId or orderId is required"),
        ("reads-qc", {"orderId": "x"}, 404, "Sequencing Order not found"),
    ],
)
def test_what_creation_refuses_of_pipeline_and_target_is_refused_alike(
    facility: Facility, pipeline_id: str, target: dict[str, str], status: int, error: str
) -> None:
    answer = facility.admin.get(f"/api/pipelines/{pipeline_id}/run-options", params=target)

    assert (answer.status_code, answer.json["error"]) == (status, error)


def test_admins_see_how_many_reads_of_a_run_are_offered_and_how_many_promoted(
    facility: Facility, order: OrderInHand
) -> None:
    run_id, _ = completed(facility, use_scripted_executor(facility), order)
    assert show(facility, run_id)["readCandidates"] == {"open": 2, "promoted": 0}

    sent = {"sampleIds": order.sample_ids[:1]}
    assert facility.admin.post(f"{RUNS}/{run_id}/pending-writebacks", sent).status_code == 200
    facility.admin.put(f"{RUNS}/{run_id}/selection")

    (listed,) = facility.admin.get(RUNS).json["runs"]
    assert listed["readCandidates"] == {"open": 1, "promoted": 1}
    assert "readCandidates" not in show(facility, run_id, facility.researcher)
