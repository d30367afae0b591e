"""Starting a run: one launch of many callers, never two jobs, never a run that nobody looks after."""

import os
import shlex
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn
from urllib.parse import urlsplit

from seqfacility_pipeline_package.documents import JsonObject
from seqfacility_wire.errors import ServiceError
from seqfacility_workflow_runtime.engines.contract import (
    UnsupportedWorkflow,
    WeblogTarget,
    WorkflowEngine,
)
from seqfacility_workflow_runtime.executors.contract import (
    CancellationRefused,
    Executor,
    Job,
    JobHandle,
    LaunchFailed,
    LaunchUnclear,
)
from seqfacility_workflow_runtime.executors.rules import new_launch_token
from seqfacility_workflow_runtime.run_folder import RunFolder

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import LiveFacilityAdmin
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.ids import canonical_run_number
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.core.vocabulary.pipelines import Backend, Engine, FailureKind, RunStatus
from seqfacility_instance.facility_settings.sections import ExecutionSection
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.pipelines.bodies import as_json
from seqfacility_instance.pipelines.reference_data.service import ReferenceDatabases
from seqfacility_instance.pipelines.service import (
    Pipelines,
    engine_of,
    engine_program,
    unavailable_reasons,
)
from seqfacility_instance.runs.errors import (
    AlreadyStarted,
    BasePathNotConfigured,
    LaunchRefused,
    NotPending,
    RunDirectoryNotUsable,
    RunNotFound,
)
from seqfacility_instance.runs.rules.failure import failure
from seqfacility_instance.runs.rules.requests import (
    Target,
    chosen_samples,
    read_mode,
    read_sample_ids,
    resolved_backend,
)
from seqfacility_instance.runs.rules.verdict import ACTIVE_STATUSES
from seqfacility_instance.runs.service.finish import Completion
from seqfacility_instance.runs.service.inputs import RunInputs, checked_inputs, gathered_samples
from seqfacility_instance.runs.service.launch_events import launched_event, warning_event
from seqfacility_instance.runs.service.observe import started_event
from seqfacility_instance.runs.service.stage import (
    WEBLOG_PATH,
    Plan,
    resources_for,
    staged_run,
    write_run_folder,
)
from seqfacility_instance.runs.store import activity, rows, targets
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.pipelines import PipelineRun

MakeEngine = Callable[[str], WorkflowEngine]
RunToken = Callable[[str, str], str]

_UNCLEAR = "Nobody can say yet whether the run was started; its state shows within ten minutes"
_OWN_MACHINE = frozenset({"localhost", "127.0.0.1", "::1"})
_NO_PACKAGE = "The package of this run is no longer installed"


@dataclass(frozen=True, slots=True)
class Launched:
    """What a start answers. Spec: instance, Pipeline runs, start."""

    backend: Backend
    number: str
    run_folder: str
    warnings: list[str]


@dataclass(frozen=True, slots=True)
class RunLaunch:
    """Starts pending runs. `run_token` makes the weblog token of a run from the secret.

    Decision: G152-G155.
    """

    pipelines: Pipelines
    databases: ReferenceDatabases
    completion: Completion
    executors: Mapping[Backend, Executor]
    engines: Mapping[Engine, MakeEngine]
    run_token: RunToken
    facility: FacilitySettings
    clock: Clock
    public_url: str | None

    def start(
        self,
        caller: LiveFacilityAdmin,
        run_id: str,
        read_body: Callable[[], Mapping[str, object]],
        own_address: str,
    ) -> Launched:
        """Launch a pending run once.

        `own_address` is where this process answers, for engines of a facility without a public address. The
        claim comes after everything that can be refused without touching the run; whatever fails behind it
        makes the run `failed`.

        Spec: instance, Pipeline runs, start. Decision: G152, G153.
        """
        run = rows.find_for(caller, run_id)
        if run is None:
            raise RunNotFound
        if run.status is not RunStatus.PENDING:
            raise NotPending(status=run.status.value)
        self.pipelines.check_enabled(run.pipeline_id)
        body, execution = read_body(), self.facility.execution()
        asked = body.get("executionMode")
        mode = run.requested_mode if asked is None else read_mode(asked)
        sample_ids = _sample_ids(run, read_sample_ids(body.get("sampleIds")))
        backend = resolved_backend(mode, run.pipeline_id, execution)
        base = self.facility.storage().data_base_path
        if base is None:
            raise BasePathNotConfigured
        directory = Path(execution.run_directory or f"{base}/pipeline_runs")
        check_directory(directory)
        self._check_databases(caller, run)
        token, now = new_launch_token(), self.clock.now()
        if not rows.claim_launch(run.id, token, now):
            raise self._already_started(run.id)
        inputs = self._checked_inputs(run, sample_ids, base)
        plan = self._plan(run, inputs, backend, execution, own_address)
        return self._launch(caller, plan, directory, token)

    def _checked_inputs(self, run: PipelineRun, sample_ids: list[str] | None, base: str) -> RunInputs:
        """Pass the three stages again: between creation and start everything may have changed.

        Decision: G153.
        """
        package = self.pipelines.version(run.pipeline_id, run.pipeline_version)
        if package is None:
            self._fail(run, LaunchRefused(reason=_NO_PACKAGE), FailureKind.LAUNCH)
        try:
            samples = gathered_samples(target_of(run), sample_ids, base)
            configs = self._configs(run)
            provided = self.databases.for_run(package, *configs).config
            return checked_inputs(package, samples, provided, *configs)
        except ServiceError as refused:
            self._fail(run, refused, FailureKind.VALIDATION)

    def _configs(self, run: PipelineRun) -> tuple[JsonObject, JsonObject]:
        return self.pipelines.admin_config(run.pipeline_id), as_json(run.config)

    def _check_databases(self, caller: LiveFacilityAdmin, run: PipelineRun) -> None:
        """Ask for the databases that the run cannot go without; raises `DatabaseNotReady`. Decision: G332."""
        package = self.pipelines.version(run.pipeline_id, run.pipeline_version)
        if package is not None:
            self.databases.check_needed(caller, package, *self._configs(run))

    def _plan(
        self,
        run: PipelineRun,
        inputs: RunInputs,
        backend: Backend,
        execution: ExecutionSection,
        own_address: str,
    ) -> Plan:
        package = self.pipelines.version(run.pipeline_id, run.pipeline_version)
        folder = self.pipelines.place_of(run.pipeline_id, run.pipeline_version)
        assert package is not None
        assert folder is not None
        address = execution.weblog_url or self.public_url or own_address
        weblog = None
        if execution.weblog_secret is not None:
            url = f"{address.rstrip('/')}{WEBLOG_PATH}?runId={run.id}"
            weblog = WeblogTarget(url, self.run_token(execution.weblog_secret, run.id))
        missing = self.databases.for_run(package, *self._configs(run)).missing
        return Plan(run, package, folder, inputs, backend, execution, weblog, missing)

    def _launch(self, caller: LiveFacilityAdmin, plan: Plan, directory: Path, token: str) -> Launched:
        run, warnings = plan.run, launch_warnings(plan)
        try:
            folder = self._make_folder(plan, directory, token)
            check_engine(plan)
            handle, command = self._submit(plan, folder, token)
        except (LaunchFailed, UnsupportedWorkflow) as failed:
            self._check_still_wanted(run.id, token)
            self._fail(run, LaunchRefused(reason=str(failed)), FailureKind.LAUNCH)
        except (LaunchUnclear, CancellationRefused) as unclear:
            raise LaunchRefused(reason=_UNCLEAR) from unclear
        except OSError as failed:
            reason = f"The run folder could not be written: {failed.strerror or 'unknown error'}"
            self._fail(run, LaunchRefused(reason=reason), FailureKind.LAUNCH)
        self._record(caller, plan, token, handle, command, warnings)
        return Launched(plan.backend, handle.number, str(folder.path), warnings)

    def _submit(self, plan: Plan, folder: RunFolder, token: str) -> tuple[JobHandle, str]:
        """Fill the run folder and hand the job to its executor; gives its command for people to read."""
        name = engine_of(plan.package)
        engine = self.engines[name](engine_program(name, plan.execution))
        reads = targets.active_reads([sample.id for sample in plan.inputs.samples])
        staged = staged_run(folder, folder.path.name, write_run_folder(folder, plan, reads), plan)
        engine.stage(staged)
        command = engine.command(staged)
        self._check_still_wanted(plan.run.id, token)
        job = Job(plan.run.id, folder, token, command.argv, command.environment, resources_for(plan))
        return self.executors[plan.backend].submit(job), shlex.join(command.argv)

    def _make_folder(self, plan: Plan, directory: Path, token: str) -> RunFolder:
        """Return the run its canonical number and a folder that nobody has, then note both.

        A folder that is there already is left to whoever made it, another instance for example or this one
        before its database was restored; the run takes the next number. The row comes last, so that it never
        names a folder of somebody else.

        Decision: G151, G155, G382.
        """
        run, now = plan.run, self.clock.now()
        while True:
            with database.atomic():
                count = rows.next_count(run.pipeline_id, f"{now:%Y%m%d}")
            run_number = canonical_run_number(run.pipeline_id, now, count)
            folder = RunFolder(directory / run_number)
            try:
                folder.create()
                break
            except FileExistsError:
                continue
        values: dict[str, object] = {
            "run_number": run_number,
            "run_folder": str(folder.path),
            "execution_mode": plan.backend,
            "input_sample_ids": [sample.id for sample in plan.inputs.samples],
        }
        with database.atomic():
            is_wanted = rows.claim_staged(run.id, token, values, now)
        if not is_wanted:
            shutil.rmtree(folder.path, ignore_errors=True)
            raise self._already_started(run.id)
        return folder

    def _record(
        self,
        caller: LiveFacilityAdmin,
        plan: Plan,
        token: str,
        handle: JobHandle,
        command: str,
        warnings: list[str],
    ) -> None:
        """Note the job. When the run was cancelled while it was launched, the job ends at once.

        Decision: G152.
        """
        run, now = plan.run, self.clock.now()
        with database.atomic():
            won = rows.claim_launched(run.id, token, plan.backend, handle, command, now)
            if won:
                for number, text in enumerate(warnings):
                    activity.add_event(run.id, warning_event(text, number, now))
                activity.add_event(run.id, launched_event(plan.backend, handle.number, now))
                if plan.backend is Backend.LOCAL:
                    activity.add_event(run.id, started_event(now))
                audit.record(
                    caller, AuditAction.RUN_STARTED, "pipeline-run", run.id, now, backend=plan.backend.value
                )
        if not won:
            try:
                self.executors[plan.backend].cancel(handle)
            except CancellationRefused as refused:
                raise LaunchRefused(reason="The cancelled run could not be ended") from refused
            raise self._already_started(run.id)

    def _check_still_wanted(self, run_id: str, token: str) -> None:
        """Ask right before the launch; nobody who wants its end or gave it up later can miss the folder.

        Decision: G384.
        """
        run = rows.find(run_id)
        is_ours = run is not None and run.status in ACTIVE_STATUSES and run.launch_token == token
        if run is None or not is_ours or run.cancel_requested_at is not None:
            raise self._already_started(run_id)

    def _already_started(self, run_id: str) -> AlreadyStarted:
        run = rows.find(run_id)
        return AlreadyStarted(status=(RunStatus.CANCELLED if run is None else run.status).value)

    def _fail(self, run: PipelineRun, error: ServiceError, kind: FailureKind) -> NoReturn:
        """Fail the run, unless it was cancelled meanwhile, and answer why."""
        now = self.clock.now()
        text = "; ".join([error.text, *(error.details or [])[:20]])
        current = rows.find(run.id) or run
        if not self.completion.fail(current, failure(kind, text), now):
            raise self._already_started(run.id)
        raise error


def check_engine(plan: Plan) -> None:
    """Raise `LaunchFailed` when this machine is to run an engine that it does not have. Decision: G140."""
    missing = unavailable_reasons(plan.package, plan.execution)
    if missing and plan.backend is Backend.LOCAL:
        raise LaunchFailed("; ".join(missing))


def launch_warnings(plan: Plan) -> list[str]:
    """Return what is not right but keeps no run from starting. Decision: G153."""
    warnings = []
    if plan.weblog is None:
        warnings.append("No weblog secret is set, so progress is known from the trace alone.")
    elif plan.backend is Backend.SLURM and urlsplit(plan.weblog.url).hostname in _OWN_MACHINE:
        warnings.append(
            "No weblogUrl is set that other machines can reach; progress is known from the trace."
        )
    if plan.backend is Backend.SLURM:
        # The nodes may well have what this machine lacks.
        warnings += [
            f"{reason} on this machine" for reason in unavailable_reasons(plan.package, plan.execution)
        ]
    warnings += [
        f"Reference database {label} is not ready; the run goes on without it"
        for label in plan.missing_databases
    ]
    unused = [sample.code for sample in plan.inputs.samples if sample.read is None]
    needs_reads = any(item.source == "reads" for item in plan.package.manifest.inputs)
    if needs_reads and unused:
        warnings.append(f"Samples without reads: {', '.join(unused[:20])}")
    return warnings


def check_directory(directory: Path) -> None:
    """Make sure that run folders can be made here; raises `RunDirectoryNotUsable`. Decision: G153."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as failed:
        raise RunDirectoryNotUsable from failed
    if not directory.is_dir() or not os.access(directory, os.W_OK | os.X_OK):
        raise RunDirectoryNotUsable


def target_of(run: PipelineRun) -> Target:
    """Name the target of a run. Decision: G146."""
    return Target(run.target_type, run.order_id or run.study_id or "")


def _sample_ids(run: PipelineRun, named: Sequence[str] | None) -> list[str] | None:
    """Choose the samples of a start: the run's own selection, else those named now, else all (None).

    Raises `InvalidSampleIds`.

    Spec: instance, Pipeline runs, start. Decision: G153.
    """
    if run.input_sample_ids is not None or named is None:
        return run.input_sample_ids
    return chosen_samples(named, targets.codes_of_target(target_of(run)))


def folder_of(run: PipelineRun) -> RunFolder | None:
    """Name the folder of a run; None before it is staged."""
    return None if run.run_folder is None else RunFolder(Path(run.run_folder))
