"""Starting a run: one launch of many callers, never two jobs, never a run that nobody looks after."""

import os
import shlex
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from seqfacility_wire.errors import ServiceError
from seqfacility_workflow_runtime.engines.contract import UnsupportedWorkflow, WeblogTarget, WorkflowEngine
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
from seqfacility_instance.core.vocabulary.pipelines import (
    Backend,
    Engine,
    EventSource,
    FailureKind,
    RunStatus,
)
from seqfacility_instance.facility_settings.sections import ExecutionSection
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.pipelines.bodies import as_json
from seqfacility_instance.pipelines.reference_data.service import ReferenceDatabases
from seqfacility_instance.pipelines.service import Pipelines, engine_of, engine_program, unavailable_reasons
from seqfacility_instance.runs.errors import (
    AlreadyStarted,
    BasePathNotConfigured,
    LaunchRefused,
    NotPending,
    RunDirectoryNotUsable,
)
from seqfacility_instance.runs.rules.failure import failure
from seqfacility_instance.runs.rules.requests import (
    chosen_samples,
    read_mode,
    read_sample_ids,
    resolved_backend,
)
from seqfacility_instance.runs.rules.tokens import run_token
from seqfacility_instance.runs.rules.verdict import ACTIVE_STATUSES
from seqfacility_instance.runs.service.finish import Completion
from seqfacility_instance.runs.service.inputs import checked_inputs
from seqfacility_instance.runs.service.stage import Launch, launch_warnings, resources_for, staged_run
from seqfacility_instance.runs.store import activity, rows, targets
from seqfacility_instance.runs.store.activity import own_event
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.pipelines import PipelineRun

MakeEngine = Callable[[str], WorkflowEngine]

_WEBLOG_PATH = "/api/pipelines/weblog"
_UNCLEAR = "Nobody can say yet whether the run was started; its state shows within ten minutes"
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
    """Starts pending runs. Decision: G152-G155, G511."""

    pipelines: Pipelines
    databases: ReferenceDatabases
    completion: Completion
    executors: Mapping[Backend, Executor]
    engines: Mapping[Engine, MakeEngine]
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
        run = rows.get_for(caller, run_id)
        if run.status is not RunStatus.PENDING:
            raise NotPending(status=run.status.value)
        usable = self.pipelines.usable_version(run.pipeline_id, run.pipeline_version)
        body, execution = read_body(), self.facility.execution()
        asked, config = body.get("executionMode"), as_json(run.config)
        mode = run.requested_mode if asked is None else read_mode(asked)
        sample_ids = _sample_ids(run, read_sample_ids(body.get("sampleIds")))
        backend = resolved_backend(mode, run.pipeline_id, execution)
        base = self.facility.storage().data_base_path
        if base is None:
            raise BasePathNotConfigured
        directory = Path(execution.run_directory or f"{base}/pipeline_runs")
        _check_directory(directory)
        if usable is not None:
            self.databases.check_needed(caller, usable.package, usable.config, config)
        token = new_launch_token()
        if not rows.claim_launch(run.id, token, self.clock.now()):
            raise _already_started(run.id)
        if usable is None:
            self._fail(run, LaunchRefused(reason=_NO_PACKAGE), FailureKind.LAUNCH)
        package = usable.package
        try:
            # WHY: between creation and start everything may have changed. Decision: G153.
            databases = self.databases.for_run(package, usable.config, config)
            configs = (databases.config, usable.config, config)
            inputs = checked_inputs(package, targets.target_of(run), sample_ids, base, *configs)
        except ServiceError as refused:
            self._fail(run, refused, FailureKind.VALIDATION)
        launch = Launch(
            run=run,
            token=token,
            package=package,
            package_folder=usable.folder,
            inputs=inputs,
            backend=backend,
            queues=self.executors[backend].queues,
            execution=execution,
            weblog=self._weblog(run.id, execution, own_address),
            missing_databases=databases.missing,
            missing_programs=unavailable_reasons(package, execution),
            resources=resources_for(package, backend, execution),
        )
        return self._launch(caller, launch, directory)

    def _weblog(self, run_id: str, execution: ExecutionSection, own_address: str) -> WeblogTarget | None:
        if execution.weblog_secret is None:
            return None
        address = execution.weblog_url or self.public_url or own_address
        url = f"{address.rstrip('/')}{_WEBLOG_PATH}?runId={run_id}"
        return WeblogTarget(url, run_token(execution.weblog_secret, run_id))

    def _launch(self, caller: LiveFacilityAdmin, launch: Launch, directory: Path) -> Launched:
        """Make the folder, stage the run, hand over the job and note it; each step may fail the run."""
        run, warnings = launch.run, launch_warnings(launch)
        try:
            folder = self._make_folder(launch, directory)
            handle, command = self._submit(launch, folder)
        except (LaunchFailed, UnsupportedWorkflow) as failed:
            _check_still_wanted(launch)
            self._fail(run, LaunchRefused(reason=str(failed)), FailureKind.LAUNCH)
        except (LaunchUnclear, CancellationRefused) as unclear:
            raise LaunchRefused(reason=_UNCLEAR) from unclear
        except OSError as failed:
            reason = f"The run folder could not be written: {failed.strerror or 'unknown error'}"
            self._fail(run, LaunchRefused(reason=reason), FailureKind.LAUNCH)
        self._record(caller, launch, handle, command, warnings)
        return Launched(launch.backend, handle.number, str(folder.path), warnings)

    def _make_folder(self, launch: Launch, directory: Path) -> RunFolder:
        """Choose a run's canonical number, create a folder that nobody has, and record both.

        A folder that is there already is left to whoever made it, another instance for example or this one
        before its database was restored; the run takes the next number. The row comes last, so that it never
        names a folder of somebody else.

        Decision: G151, G155, G382.
        """
        run, now = launch.run, self.clock.now()
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
            "execution_mode": launch.backend,
            "input_sample_ids": [sample.id for sample in launch.inputs.samples],
        }
        with database.atomic():
            is_wanted = rows.claim_staged(run.id, launch.token, values, now)
        if not is_wanted:
            shutil.rmtree(folder.path, ignore_errors=True)
            raise _already_started(run.id)
        return folder

    def _submit(self, launch: Launch, folder: RunFolder) -> tuple[JobHandle, str]:
        """Fill the run folder and hand the job to its executor; return its command for people to read."""
        if launch.missing_programs and not launch.queues:
            raise LaunchFailed("; ".join(launch.missing_programs))
        name = engine_of(launch.package)
        engine = self.engines[name](engine_program(name, launch.execution))
        staged = staged_run(launch, folder)
        engine.stage(staged)
        command = engine.command(staged)
        _check_still_wanted(launch)
        job = Job(launch.run.id, folder, launch.token, command.argv, command.environment, launch.resources)
        return self.executors[launch.backend].submit(job), shlex.join(command.argv)

    def _record(
        self, caller: LiveFacilityAdmin, launch: Launch, handle: JobHandle, command: str, warnings: list[str]
    ) -> None:
        """Note the job. When the run was cancelled while it was launched, the job ends at once.

        Decision: G152, G183.
        """
        run, now, executor = launch.run, self.clock.now(), self.executors[launch.backend]
        events = [
            own_event(EventSource.LAUNCHER, "preparation_warning", now, str(number), text, message=text)
            for number, text in enumerate(warnings)
        ]
        started_as = f"Started as {executor.number_kind} {handle.number}"
        identity = (launch.backend.value, handle.number)
        events.append(own_event(EventSource.LAUNCHER, "launched", now, *identity, message=started_as))
        if not launch.queues:
            events.append(activity.started_event(now))
        with database.atomic():
            won = rows.claim_launched(run.id, launch.token, handle, command, now, queues=launch.queues)
            if won:
                activity.add_events([(run.id, event) for event in events])
                audit.record(
                    caller, AuditAction.RUN_STARTED, "pipeline-run", run.id, now, backend=launch.backend.value
                )
        if not won:
            try:
                executor.cancel(handle)
            except CancellationRefused as refused:
                raise LaunchRefused(reason="The cancelled run could not be ended") from refused
            raise _already_started(run.id)

    def _fail(self, run: PipelineRun, error: ServiceError, kind: FailureKind) -> NoReturn:
        """Fail the run, unless it was cancelled meanwhile, and answer why."""
        text = "; ".join([error.text, *(error.details or [])[:20]])
        current = rows.find(run.id) or run
        if not self.completion.fail(current, failure(kind, text), self.clock.now()):
            raise _already_started(run.id)
        raise error


def _check_still_wanted(launch: Launch) -> None:
    """Ask right before the launch; nobody who wants its end or gave it up later can miss the folder.

    Decision: G384.
    """
    run = rows.find(launch.run.id)
    is_ours = run is not None and run.status in ACTIVE_STATUSES and run.launch_token == launch.token
    if run is None or not is_ours or run.cancel_requested_at is not None:
        raise _already_started(launch.run.id)


def _already_started(run_id: str) -> AlreadyStarted:
    run = rows.find(run_id)
    return AlreadyStarted(status=(RunStatus.CANCELLED if run is None else run.status).value)


def _check_directory(directory: Path) -> None:
    """Make sure that run folders can be made here; raises `RunDirectoryNotUsable`. Decision: G153."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as failed:
        raise RunDirectoryNotUsable from failed
    if not directory.is_dir() or not os.access(directory, os.W_OK | os.X_OK):
        raise RunDirectoryNotUsable


def _sample_ids(run: PipelineRun, named: Sequence[str] | None) -> list[str] | None:
    """Choose the samples of a start: the run's own selection, else those named now, else all (None).

    Raises `InvalidSampleIds`.

    Spec: instance, Pipeline runs, start. Decision: G153.
    """
    if run.input_sample_ids is not None or named is None:
        return run.input_sample_ids
    return chosen_samples(named, targets.codes_of_target(targets.target_of(run)))
