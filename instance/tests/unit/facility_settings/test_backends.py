"""Closed sets, settings and schemas know the same backends as the registry of executors."""

import itertools
import re

import pytest
from pydantic import ValidationError
from seqfacility_instance.core.vocabulary.pipelines import Backend, ExecutionMode, QueueSource
from seqfacility_instance.facility_settings.sections import BEING_SAVED, ExecutionSection
from seqfacility_schemas import load_schema
from seqfacility_workflow_runtime.executors.contract import Resources
from seqfacility_workflow_runtime.executors.registry import EXECUTORS, SCHEDULERS, offered


def test_every_executor_can_be_named() -> None:
    sources = {
        one for executor in SCHEDULERS.values() for one in (executor.queue_source, executor.accounting_source)
    }

    assert list(Backend) == list(EXECUTORS)
    assert list(ExecutionMode) == ["default", *EXECUTORS]
    assert set(QueueSource) == {"local"} | sources


def test_the_schema_knows_the_backends_and_the_keys_of_every_scheduler() -> None:
    run_parts = load_schema("instance/pipeline-run-parts")["$defs"]
    parts = load_schema("instance/settings-section")["$defs"]
    keys = ("Queue", "Cores", "MemoryGb", "TimeHours", "Options")

    assert run_parts["Backend"]["enum"] == list(EXECUTORS)
    for name, part in itertools.product(SCHEDULERS, ("Execution", "PipelineOverride")):
        patterns = parts[part]["patternProperties"]
        assert [key for key in keys if not any(re.search(one, f"{name}{key}") for one in patterns)] == []


@pytest.mark.parametrize("name", SCHEDULERS)
def test_a_pipeline_overrides_what_its_scheduler_is_asked_for(name: str) -> None:
    mark = SCHEDULERS[name].option_mark
    section = ExecutionSection.model_validate({
        f"{name}Cores": 8,
        f"{name}Options": [f"{mark}a"],
        "pipelineOverrides": {"mag": {"mode": name, f"{name}MemoryGb": 64, f"{name}Options": []}},
    })  # fmt: skip

    assert section.resources(Backend(name), "other") == Resources(8, 16, 12, "", (f"{mark}a",))
    assert section.resources(Backend(name), "mag") == Resources(8, 64, 12, "", ())
    assert (section.backend_for("mag"), section.backend_for("other")) == (Backend(name), Backend.LOCAL)


@pytest.mark.parametrize(
    "refused", [{"gridengineQueue": "-t"}, {"gridengineOptions": ["-N\tx"]}, {"gridengineOptions": ["-V"]}]
)
def test_what_would_be_more_than_a_queue_or_one_option_is_read_and_not_saved(
    refused: dict[str, object],
) -> None:
    ExecutionSection.model_validate(refused)
    with pytest.raises(ValidationError):
        ExecutionSection.model_validate(refused, context=BEING_SAVED)


def test_a_backend_that_cannot_be_used_here_is_read_and_not_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SGE_ROOT", raising=False)
    stored = {"defaultBackend": "gridengine", "pipelineOverrides": {"mag": {"mode": "gridengine"}}}

    assert offered() == ["local", "slurm"]
    assert ExecutionSection.model_validate(stored).backend_for("mag") is Backend.GRIDENGINE
    with pytest.raises(ValidationError, match="must be one of: local, slurm"):
        ExecutionSection.model_validate(stored, context=BEING_SAVED)
