"""Making runs: every refusal in its words, and the order in which they come."""

import re

import pytest
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.pipeline_runs import RUNS, new_run, show
from seqfacility_testkit.sequencing import OrderInHand, submitted_order, upload


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return submitted_order(facility, samples=2)


def test_a_new_run_is_pending_with_a_provisional_number(facility: Facility, order: OrderInHand) -> None:
    answer = facility.admin.post(RUNS, {"pipelineId": "simulate-reads", "orderId": order.id})

    run = answer.json["run"]
    assert answer.status_code == 200
    assert run == {
        "id": run["id"],
        "runNumber": run["runNumber"],
        "status": "pending",
        "pipelineId": "simulate-reads",
        "studyId": None,
        "orderId": order.id,
        "targetType": "order",
        "executionMode": "local",
    }
    assert re.fullmatch(r"SIMULATE-READS-[0-9]{13}-[a-z0-9]{5}", run["runNumber"])


def test_samples_may_be_named_by_id_or_code_and_are_kept_by_id(
    facility: Facility, order: OrderInHand
) -> None:
    run_id = new_run(facility, order, sampleIds=[order.sample_codes[1], order.sample_ids[1]])

    shown = show(facility, run_id)
    assert shown["inputSampleIds"] == [order.sample_ids[1]]
    assert [sample["sampleId"] for sample in shown["samples"]] == [order.sample_codes[1]]


def test_an_empty_list_of_samples_means_all(facility: Facility, order: OrderInHand) -> None:
    run_id = new_run(facility, order, sampleIds=[])

    shown = show(facility, run_id)
    assert shown["inputSampleIds"] is None
    assert len(shown["samples"]) == 2


@pytest.mark.parametrize(
    ("setting", "mode", "backend"),
    [
        ({"defaultBackend": "slurm"}, None, "slurm"),
        ({"defaultBackend": "slurm"}, "default", "slurm"),
        ({"defaultBackend": "slurm"}, "local", "local"),
        ({"pipelineOverrides": {"simulate-reads": {"mode": "slurm"}}}, "default", "slurm"),
        (
            {"defaultBackend": "slurm", "pipelineOverrides": {"simulate-reads": {"mode": "inherit"}}},
            None,
            "slurm",
        ),
    ],
)
def test_the_execution_mode_is_resolved_from_creation_on(
    facility: Facility, order: OrderInHand, setting: dict[str, object], mode: str | None, backend: str
) -> None:
    facility.services.facility.change("execution", setting, facility.clock.now())

    answer = facility.admin.post(
        RUNS, {"pipelineId": "simulate-reads", "orderId": order.id, "executionMode": mode}
    )

    assert answer.json["run"]["executionMode"] == backend


@pytest.mark.parametrize(
    ("body", "status", "error"),
    [
        ({"executionMode": "cloud"}, 400, "executionMode must be one of: default, local, slurm"),
        ({"executionMode": 1}, 400, "executionMode must be one of: default, local, slurm"),
        ({}, 400, "Exactly one of studyId or orderId is required"),
        ({"studyId": "a", "orderId": "b"}, 400, "Exactly one of studyId or orderId is required"),
        ({"orderId": "nothing"}, 400, "Invalid pipeline ID"),
        ({"orderId": "nothing", "pipelineId": "nothing"}, 400, "Invalid pipeline ID"),
        ({"orderId": "nothing", "pipelineId": 7}, 400, "Invalid pipeline ID"),
        ({"orderId": "nothing", "pipelineId": "taxprofiler"}, 403, "Pipeline taxprofiler is disabled"),
        (
            {"studyId": "nothing", "pipelineId": "simulate-reads"},
            400,
            "Pipeline simulate-reads does not support study targets",
        ),
        ({"orderId": "nothing", "pipelineId": "simulate-reads"}, 404, "Sequencing Order not found"),
        ({"studyId": "nothing", "pipelineId": "reads-qc"}, 404, "Study not found"),
    ],
)
def test_a_request_is_refused_in_the_words_of_the_document(
    facility: Facility, body: dict[str, object], status: int, error: str
) -> None:
    answer = facility.admin.post(RUNS, body)

    assert (answer.status_code, answer.json) == (status, {"error": error})


def test_order_targets_are_refused_by_pipelines_of_studies(facility: Facility, order: OrderInHand) -> None:
    facility.admin.put("/api/admin/pipelines/mag", {"enabled": True})

    answer = facility.admin.post(RUNS, {"pipelineId": "mag", "orderId": order.id})

    assert answer.status_code == 400
    assert answer.json == {"error": "Pipeline mag does not support order targets"}


def test_sample_ids_of_another_order_are_named_in_request_order(
    facility: Facility, order: OrderInHand
) -> None:
    other = submitted_order(facility)
    wanted = ["zzz", order.sample_ids[0], other.sample_ids[0]]

    answer = facility.admin.post(
        RUNS, {"pipelineId": "simulate-reads", "orderId": order.id, "sampleIds": wanted}
    )

    assert answer.status_code == 400
    assert answer.json == {"error": f"Invalid sample IDs: zzz, {other.sample_ids[0]}"}


@pytest.mark.parametrize(
    ("sample_ids", "detail"),
    [
        ("a", "sampleIds: must be an array"),
        (["a", 1], "sampleIds[1]: must be a string"),
        (["a"] * 5001, "sampleIds: must have at most 5000 entries"),
    ],
)
def test_sample_ids_of_a_wrong_type_are_a_validation_error(
    facility: Facility, sample_ids: object, detail: str
) -> None:
    answer = facility.admin.post(RUNS, {"sampleIds": sample_ids})

    assert answer.status_code == 400
    assert answer.json == {"error": "Validation failed", "details": [detail]}


def test_missing_reads_fail_the_input_validation(facility: Facility, order: OrderInHand) -> None:
    upload(facility, order)

    answer = facility.admin.post(RUNS, {"pipelineId": "reads-qc", "orderId": order.id})

    assert answer.status_code == 400
    assert answer.json == {
        "error": "Input validation failed",
        "details": [f"{order.sample_codes[1]}: has no reads"],
    }


def test_a_read_file_that_is_gone_fails_the_input_validation(facility: Facility, order: OrderInHand) -> None:
    path = upload(facility, order)
    (facility.data / path).unlink()

    answer = facility.admin.post(
        RUNS, {"pipelineId": "reads-qc", "orderId": order.id, "sampleIds": [order.sample_ids[0]]}
    )

    assert answer.json == {
        "error": "Input validation failed",
        "details": [f"{order.sample_codes[0]}: read file is missing: {path}"],
    }


def test_a_configuration_outside_the_schema_fails_its_validation(
    facility: Facility, order: OrderInHand
) -> None:
    answer = facility.admin.post(
        RUNS,
        {
            "pipelineId": "simulate-reads",
            "orderId": order.id,
            "config": {"readCount": "many", "color": "red"},
        },
    )

    assert answer.status_code == 400
    assert answer.json["error"] == "Config validation failed"
    assert any(line.startswith("readCount: ") for line in answer.json["details"])
    assert any("color" in line for line in answer.json["details"])


def test_a_configuration_that_is_no_object_is_refused(facility: Facility, order: OrderInHand) -> None:
    answer = facility.admin.post(RUNS, {"pipelineId": "simulate-reads", "orderId": order.id, "config": [1]})

    assert answer.json == {"error": "Validation failed", "details": ["config: must be an object"]}


def test_researchers_may_not_make_runs(facility: Facility) -> None:
    assert facility.researcher.post(RUNS, {}).json == {"error": "Unauthorized"}
    assert facility.researcher.post(RUNS, {}).status_code == 403
    assert facility.anonymous.post(RUNS, {}).status_code == 401


def test_the_dry_run_tells_what_creation_would_answer_and_stores_nothing(
    facility: Facility, order: OrderInHand
) -> None:
    good = facility.admin.post(f"{RUNS}/validate", {"pipelineId": "simulate-reads", "orderId": order.id})
    missing = facility.admin.post(f"{RUNS}/validate", {"pipelineId": "reads-qc", "studyId": "nothing"})
    invalid = facility.admin.post(f"{RUNS}/validate", {"pipelineId": "reads-qc", "orderId": order.id})

    assert good.json == {"valid": True, "status": 200, "error": None, "details": []}
    assert missing.json == {"valid": False, "status": 404, "error": "Study not found", "details": []}
    assert invalid.json["status"] == 400
    assert len(invalid.json["details"]) == 2
    assert facility.admin.get(RUNS).json["total"] == 0
