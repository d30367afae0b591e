"""Making a run: every check in the documented order, then one row."""

from collections.abc import Mapping
from dataclasses import dataclass

from seqfacility_wire.errors import ServiceError

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import FacilityAdmin
from seqfacility_instance.access.errors import OrderNotFound, StudyNotFound
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.ids import provisional_run_number
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.core.vocabulary.pipelines import ExecutionMode, TargetType
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.pipelines.bodies import as_json
from seqfacility_instance.pipelines.reference_data.service import ReferenceDatabases
from seqfacility_instance.pipelines.service import Pipelines, Usable
from seqfacility_instance.runs.errors import TargetUnsupported, VersionNotInstalled
from seqfacility_instance.runs.rules.requests import (
    RunRequest,
    chosen_samples,
    read_mode,
    read_request,
    resolved_backend,
)
from seqfacility_instance.runs.service.inputs import checked_inputs
from seqfacility_instance.runs.service.sequencing_input import named_input
from seqfacility_instance.runs.service.used_version import used_version
from seqfacility_instance.runs.store import activity, rows, targets
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.pipelines import PipelineRun


@dataclass(frozen=True, slots=True)
class DryRun:
    """The answer that creation would give. Decision: G150."""

    valid: bool
    status: int
    error: str | None
    details: list[str]


@dataclass(frozen=True, slots=True)
class RunCreation:
    """Creates pipeline runs. Decision: G146-G151."""

    pipelines: Pipelines
    databases: ReferenceDatabases
    facility: FacilitySettings
    clock: Clock

    def create(self, caller: FacilityAdmin, body: Mapping[str, object]) -> PipelineRun:
        """Make a pending run with a provisional number.

        Raises the errors of the create rows, in the order of G148.

        Spec: instance, Pipeline runs. Decision: G147, G148, G149, G151.
        """
        request = read_request(body)
        return self._make(caller, request, self.pipelines.usable(request.pipeline_id))

    def again(self, caller: FacilityAdmin, run_id: str) -> PipelineRun:
        """Make a pending run with the choices of another one: version, samples, configuration, mode.

        It is checked as any new run, so what has become wrong meanwhile is refused. Raises `RunNotFound`,
        `VersionNotInstalled`, `PipelineDisabled` and the errors of the create rows.

        Decision: G714.
        """
        run = rows.get_for(caller, run_id)
        usable = self.pipelines.usable_version(run.pipeline_id, run.pipeline_version)
        if usable is None:
            raise VersionNotInstalled(pipeline_id=run.pipeline_id, version=run.pipeline_version)
        samples = None if run.input_sample_ids is None else tuple(run.input_sample_ids)
        target, config = targets.target_of(run), dict(run.config)
        if run.sequencing_run_id is not None:
            samples = None
        mode = _mode_of(run, self.facility)
        request = RunRequest(run.pipeline_id, target, samples, config, mode, run.sequencing_run_id)
        return self._make(caller, request, usable, run)

    def _make(
        self, caller: FacilityAdmin, request: RunRequest, usable: Usable, first: PipelineRun | None = None
    ) -> PipelineRun:
        sample_ids = self._check(caller, request, usable)
        package, now = usable.package, self.clock.now()
        backend = resolved_backend(request.mode, package.id, self.facility.execution())
        is_order = request.target.type is TargetType.ORDER
        with database.atomic():
            run = rows.create(
                {
                    "run_number": provisional_run_number(package.id, now),
                    "pipeline_id": package.id,
                    "pipeline_version": package.version,
                    "package_sha256": usable.sha256,
                    "target_type": request.target.type,
                    "order": request.target.id if is_order else None,
                    "study": None if is_order else request.target.id,
                    "user": caller.user_id,
                    "requested_mode": request.mode,
                    "execution_mode": backend,
                    "input_sample_ids": sample_ids,
                    "config": request.config,
                    "sequencing_run_id": request.sequencing_run_id,
                    "started_from": None if first is None else first.id,
                    "created_at": now,
                    "updated_at": now,
                }
            )
            activity.add_steps(run.id, [(step.id, step.name) for step in package.definition.steps])
            detail = used_version(run, usable.warnings)
            if first is not None:
                detail["startedFrom"] = first.run_number
            audit.record(caller, AuditAction.RUN_CREATED, "pipeline-run", run.id, now, **detail)
        return run

    def validate(self, caller: FacilityAdmin, body: Mapping[str, object]) -> DryRun:
        """Return what creation would answer, and store nothing. Decision: G150."""
        try:
            request = read_request(body)
            self._check(caller, request, self.pipelines.usable(request.pipeline_id))
        except ServiceError as refused:
            return DryRun(False, refused.status, refused.text, refused.details or [])
        return DryRun(True, 200, None, [])

    def _check(self, caller: FacilityAdmin, request: RunRequest, usable: Usable) -> list[str] | None:
        """Check a request in the order of the document; return the ids of its samples. Decision: G148."""
        package, target = usable.package, request.target
        if target.type.value not in package.manifest.targets:
            raise TargetUnsupported(pipeline_id=package.id, target=target.type.value)
        if not targets.target_exists(caller, target):
            raise OrderNotFound if target.type is TargetType.ORDER else StudyNotFound
        sample_ids = chosen_samples(request.sample_ids, targets.codes_of_target(target))
        asked = as_json(request.config)
        configs = (self.databases.expected(package, usable.config, asked), usable.config, asked)
        root = self.facility.stream_ingest().output_root
        sequencing = named_input(package, target.id, request.sequencing_run_id, root)
        base = self.facility.storage().data_base_path
        checked_inputs(package, target, sample_ids, base, *configs, sequencing=sequencing)
        return sample_ids if sequencing is None else sequencing.sample_ids


def _mode_of(run: PipelineRun, facility: FacilitySettings) -> ExecutionMode:
    """Return where a run was sent: its start may have chosen another mode than its creation."""
    mode = run.requested_mode
    if run.run_folder is None:
        return mode
    is_same = resolved_backend(mode, run.pipeline_id, facility.execution()) is run.execution_mode
    return mode if is_same else read_mode(run.execution_mode.value)
