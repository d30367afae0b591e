"""What a request may ask of a run."""

import pytest
from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.pipelines import Backend, ExecutionMode, RunStatus, TargetType
from seqfacility_instance.facility_settings.sections import ExecutionSection
from seqfacility_instance.runs.errors import (
    InvalidExecutionMode,
    InvalidSampleIds,
    InvalidStatusFilter,
    TargetRequired,
)
from seqfacility_instance.runs.rules.requests import (
    Target,
    chosen_samples,
    read_mode,
    read_request,
    read_sample_ids,
    read_statuses,
    read_target,
    resolved_backend,
)
from seqfacility_wire.errors import ValidationFailed


def test_the_first_wrong_part_is_told_in_the_documented_order() -> None:
    body: dict[str, object] = {"executionMode": "x", "sampleIds": "x", "config": []}

    with pytest.raises(InvalidExecutionMode):
        read_request(body)
    with pytest.raises(ValidationFailed) as raised:
        read_request({**body, "executionMode": None})
    assert raised.value.details == ["sampleIds: must be an array"]
    with pytest.raises(TargetRequired):
        read_request({**body, "executionMode": None, "sampleIds": None})
    with pytest.raises(ValidationFailed) as raised:
        read_request({"studyId": "s", "config": []})

    assert raised.value.details == ["config: must be an object"]


def test_what_is_left_out_is_the_default() -> None:
    request = read_request({"orderId": "o", "studyId": "", "pipelineId": 7})

    assert (request.pipeline_id, request.sample_ids, request.config) == (None, None, {})
    assert (request.mode, request.target.key) == (ExecutionMode.DEFAULT, "order:o")


@pytest.mark.parametrize("value", ["", "Local", 1, ["local"]])
def test_a_mode_is_one_of_the_words(value: object) -> None:
    assert read_mode("local") is ExecutionMode.LOCAL

    with pytest.raises(InvalidExecutionMode):
        read_mode(value)


def test_sample_ids_are_a_list_of_texts_up_to_its_bound() -> None:
    assert read_sample_ids([]) is None
    assert read_sample_ids(["a", "a"]) == ("a", "a")
    assert len(read_sample_ids(["a"] * limits.SAMPLE_IDS_PER_CALL) or ()) == limits.SAMPLE_IDS_PER_CALL

    for value, line in (
        ("a", "sampleIds: must be an array"),
        (["a", 1], "sampleIds[1]: must be a string"),
        (["a"] * (limits.SAMPLE_IDS_PER_CALL + 1), "sampleIds: must have at most 5000 entries"),
    ):
        with pytest.raises(ValidationFailed) as raised:
            read_sample_ids(value)
        assert raised.value.details == [line]


@pytest.mark.parametrize(("study", "order"), [(None, None), ("", ""), ("s", "o"), (1, [])])
def test_a_run_has_exactly_one_target(study: object, order: object) -> None:
    assert read_target("s", "") == Target(TargetType.STUDY, "s")

    with pytest.raises(TargetRequired):
        read_target(study, order)


def test_the_mode_of_the_request_comes_before_the_pipelines_and_that_before_the_facilitys() -> None:
    execution = ExecutionSection.model_validate(
        {
            "defaultBackend": "local",
            "pipelineOverrides": {"mag": {"mode": "slurm"}, "qc": {"mode": "inherit"}},
        }
    )

    assert resolved_backend(ExecutionMode.LOCAL, "mag", execution) is Backend.LOCAL
    assert resolved_backend(ExecutionMode.DEFAULT, "mag", execution) is Backend.SLURM
    assert resolved_backend(ExecutionMode.DEFAULT, "qc", execution) is Backend.LOCAL
    assert resolved_backend(ExecutionMode.DEFAULT, "other", execution) is Backend.LOCAL


def test_samples_are_found_by_id_before_code_and_each_once() -> None:
    codes_by_id = {"id1": "S-1", "S-1": "S-2"}

    assert chosen_samples(None, codes_by_id) is None
    assert chosen_samples(["S-2", "id1", "S-1"], codes_by_id) == ["S-1", "id1"]
    with pytest.raises(InvalidSampleIds, match="S-9, S-8"):
        chosen_samples(["S-9", "id1", "S-8"], codes_by_id)


def test_a_status_filter_is_words_between_commas() -> None:
    assert read_statuses(None) is None
    assert read_statuses("running, failed,running") == [RunStatus.RUNNING, RunStatus.FAILED]

    for text in ("", "running,", "Running"):
        with pytest.raises(InvalidStatusFilter):
            read_statuses(text)
