"""Pure checks on what a request asks of a run."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from seqfacility_wire.errors import ValidationFailed
from seqfacility_workflow_runtime.executors.registry import EXECUTORS, offered

from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.pipelines import (
    Backend,
    ExecutionMode,
    RunStatus,
    TargetType,
)
from seqfacility_instance.facility_settings.sections import ExecutionSection
from seqfacility_instance.runs.errors import (
    InvalidExecutionMode,
    InvalidSampleIds,
    InvalidStatusFilter,
    TargetRequired,
)


class Target(NamedTuple):
    """What a run works on. Decision: G146."""

    type: TargetType
    id: str

    @property
    def key(self) -> str:
        """Name the target as a selection does. Decision: G146."""
        return f"{self.type.value}:{self.id}"


@dataclass(frozen=True, slots=True)
class TaskCursor:
    """How far somebody has read the changes of a run's tasks: to a task, in a revision. Decision: G727."""

    revision: int = 0
    task_id: str = ""

    def __str__(self) -> str:
        return f"{self.revision}.{self.task_id}" if self.task_id else "0"


_CURSOR: Final = re.compile(r"(\d{1,9})\.([0-9A-Za-z_-]{1,64})", re.ASCII)


def read_task_cursor(text: str) -> TaskCursor:
    """Read a cursor; what is none is the beginning. Decision: G16, G727."""
    found = _CURSOR.fullmatch(text)
    return TaskCursor() if found is None else TaskCursor(int(found[1]), found[2])


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What a caller wants of a new run, as far as the request alone can be checked."""

    pipeline_id: str | None
    target: Target
    sample_ids: tuple[str, ...] | None
    config: dict[str, object]
    mode: ExecutionMode
    sequencing_run_id: str | None = None


def read_request(body: Mapping[str, object]) -> RunRequest:
    """Check the request of a new run in the documented order.

    Raises `InvalidExecutionMode`, `ValidationFailed` (sampleIds, sequencingRunId), `TargetRequired`. The
    configuration's type comes with its stage.

    Spec: instance, Errors: create run. Decision: G148.
    """
    mode = read_mode(body.get("executionMode"))
    sample_ids = read_sample_ids(body.get("sampleIds"))
    target = read_target(body.get("studyId"), body.get("orderId"))
    pipeline_id, config = body.get("pipelineId"), body.get("config")
    if config is not None and not isinstance(config, dict):
        raise ValidationFailed(["config: must be an object"])
    return RunRequest(
        pipeline_id if isinstance(pipeline_id, str) else None,
        target,
        sample_ids,
        config or {},
        mode,
        read_sequencing_run_id(body.get("sequencingRunId"), sample_ids),
    )


def read_sequencing_run_id(value: object, sample_ids: Sequence[str] | None) -> str | None:
    """Read `sequencingRunId`; empty is the same as left out. Raises `ValidationFailed`.

    Decision: G986.
    """
    if value is not None and not isinstance(value, str):
        raise ValidationFailed(["sequencingRunId: must be a string"])
    if value and sample_ids is not None:
        raise ValidationFailed(["sampleIds: a sequencing run says itself which samples it has"])
    return value or None


def read_mode(value: object) -> ExecutionMode:
    """Read `executionMode`; left out means `default`. Raises `InvalidExecutionMode`.

    Decision: G147, G148, G515.
    """
    if value is None:
        return ExecutionMode.DEFAULT
    named = offered()
    if value not in [ExecutionMode.DEFAULT, *named]:
        raise InvalidExecutionMode(name for name in named if EXECUTORS[name].is_optional)
    return ExecutionMode(value)


def read_sample_ids(value: object) -> tuple[str, ...] | None:
    """Read `sampleIds`; an empty list is the same as left out. Raises `ValidationFailed`.

    Decision: G148, G256.
    """
    if value is None:
        return None
    if not isinstance(value, list):
        raise ValidationFailed(["sampleIds: must be an array"])
    wrong = [
        f"sampleIds[{at}]: must be a string" for at, item in enumerate(value) if not isinstance(item, str)
    ]
    if wrong:
        raise ValidationFailed(wrong[:50])
    if len(value) > limits.SAMPLE_IDS_PER_CALL:
        raise ValidationFailed([f"sampleIds: must have at most {limits.SAMPLE_IDS_PER_CALL} entries"])
    return tuple(value) or None


def read_target(study_id: object, order_id: object) -> Target:
    """Read the one target of a run; an empty id counts as missing. Raises `TargetRequired`.

    Decision: G148.
    """
    given = [
        Target(kind, value)
        for kind, value in ((TargetType.STUDY, study_id), (TargetType.ORDER, order_id))
        if isinstance(value, str) and value
    ]
    if len(given) != 1:
        raise TargetRequired
    return given[0]


def resolved_backend(mode: ExecutionMode, pipeline_id: str, execution: ExecutionSection) -> Backend:
    """Resolve `default`: the pipeline's own mode, unless it inherits, else the facility's. Decision: G147."""
    if mode is not ExecutionMode.DEFAULT:
        return Backend(mode.value)
    return execution.backend_for(pipeline_id)


def chosen_samples(wanted: Sequence[str] | None, codes_by_id: Mapping[str, str]) -> list[str] | None:
    """Find the named samples among those of the target, by id first, then by code; None means all.

    Raises `InvalidSampleIds` naming those that are not there, in request order.

    Decision: G4, G148.
    """
    if wanted is None:
        return None
    ids_by_code = {code: sample_id for sample_id, code in codes_by_id.items()}
    found = [name if name in codes_by_id else ids_by_code.get(name) for name in wanted]
    missing = [name for name, sample_id in zip(wanted, found, strict=True) if sample_id is None]
    if missing:
        raise InvalidSampleIds(ids=", ".join(missing))
    return list(dict.fromkeys(sample_id for sample_id in found if sample_id is not None))


def read_statuses(text: str | None) -> list[RunStatus] | None:
    """Read the status filter, words separated by commas; None means all. Raises `InvalidStatusFilter`.

    Decision: G157.
    """
    if text is None:
        return None
    words = [word.strip() for word in text.split(",")]
    if any(word not in set(RunStatus) for word in words):
        raise InvalidStatusFilter
    return [RunStatus(word) for word in dict.fromkeys(words)]
