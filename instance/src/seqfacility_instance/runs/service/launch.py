"""The launch of a run that is claimed: never two jobs, never a run that nobody looks after."""

import shlex
import shutil
from collections.abc import Callable, Mapping
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
    Resources,
)
from seqfacility_workflow_runtime.launch import retire_launch
from seqfacility_workflow_runtime.run_folder import RunFolder

from seqfacility_instance.access import audit
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.ids import canonical_run_number
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.core.vocabulary.pipelines import (
    Backend,
    Engine,
    EventSource,
    ExecutionMode,
    FailureKind,
)
from seqfacility_instance.facility_settings.sections import ExecutionSection
from seqfacility_instance.pipelines.bodies import as_json
from seqfacility_instance.pipelines.reference_data.service import ReferenceDatabases
from seqfacility_instance.pipelines.service import (
    Usable,
    engine_of,
    engine_program,
    unavailable_reasons,
)
from seqfacility_instance.runs.errors import (
    LaunchRefused,
)
from seqfacility_instance.runs.rules.failure import failure
from seqfacility_instance.runs.rules.tokens import run_token
from seqfacility_instance.runs.rules.verdict import ACTIVE_STATUSES
from seqfacility_instance.runs.service.finish import Completion
from seqfacility_instance.runs.service.inputs import RunInputs, checked_inputs
from seqfacility_instance.runs.service.resume import Resumable
from seqfacility_instance.runs.service.sequencing_input import named_input
from seqfacility_instance.runs.service.stage import (
    Launch,
    launch_warnings,
    memory_of,
    resources_for,
    staged_run,
)
from seqfacility_instance.runs.service.used_version import used_version
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
class Starter:
    """Who started a run; a run that waited is launched in the name of whoever asked for it."""

    user_id: str | None
    address: str | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be launched, as far as it is known before the claim.

    `kept` is what a resumed run goes on with; a run without it is staged in a folder of its own. A run whose
    version is gone has no package: it fails once its launch is claimed.
    """

    run: PipelineRun
    starter: Starter
    mode: ExecutionMode
    backend: Backend
    sample_ids: list[str] | None
    usable: Usable | None
    kept: Resumable | None
    directory: Path
    base: str
    sequencer_root: str | None
    execution: ExecutionSection
    own_address: str

    @property
    def resources(self) -> Resources:
        """What the run takes of its machine, or asks of its scheduler."""
        if self.usable is None:
            return Resources()
        return resources_for(self.usable.package, self.backend, self.execution)

    @property
    def needed_memory_gb(self) -> int | None:
        """How much memory the run may use, as far as its package says so."""
        return self.resources.memory_gb or (None if self.usable is None else memory_of(self.usable.package))


@dataclass(frozen=True, slots=True)
class RunLaunch:
    """Carries out a launch that is claimed: folder, staging, job, note. Decision: G152-G155, G511."""

    databases: ReferenceDatabases
    completion: Completion
    executors: Mapping[Backend, Executor]
    engines: Mapping[Engine, MakeEngine]
    clock: Clock
    public_url: str | None

    def carry_out(self, plan: Plan, run: PipelineRun, token: str) -> Launched:
        """Launch a run whose launch is claimed with `token`; what fails here fails the run."""
        usable, config, execution = plan.usable, as_json(run.config), plan.execution
        if usable is None:
            self._fail(run, LaunchRefused(reason=_NO_PACKAGE), FailureKind.LAUNCH)
        package, missing = usable.package, tuple[str, ...]()
        try:
            # WHY: between creation and start everything may have changed. Decision: G153.
            if plan.kept is None:
                databases = self.databases.for_run(package, usable.config, config)
                missing, configs = databases.missing, (databases.config, usable.config, config)
                sequencing = named_input(
                    package, run.order_id or "", run.sequencing_run_id, plan.sequencer_root
                )
                target, samples = targets.target_of(run), plan.sample_ids
                inputs = checked_inputs(package, target, samples, plan.base, *configs, sequencing=sequencing)
            else:
                inputs = RunInputs([], plan.kept.config, "")
        except ServiceError as refused:
            self._fail(run, refused, FailureKind.VALIDATION)
        launch = Launch(
            run=run,
            token=token,
            package=package,
            package_folder=usable.folder,
            inputs=inputs,
            backend=plan.backend,
            queues=self.executors[plan.backend].queues,
            execution=execution,
            weblog=self._weblog(run, execution, plan.own_address),
            missing_databases=missing,
            missing_programs=unavailable_reasons(package, execution),
            package_warnings=usable.warnings,
            resources=plan.resources,
            kept=None if plan.kept is None else plan.kept.folder,
        )
        return self._launch(plan.starter, launch, plan.directory)

    def _weblog(self, run: PipelineRun, execution: ExecutionSection, own_address: str) -> WeblogTarget | None:
        address = execution.weblog_url or self.public_url or own_address
        if execution.weblog_secret is None or not address:
            return None
        url = f"{address.rstrip('/')}{_WEBLOG_PATH}?runId={run.id}"
        return WeblogTarget(url, run_token(execution.weblog_secret, run.id, run.resumed_count))

    def _launch(self, starter: Starter, launch: Launch, directory: Path) -> Launched:
        """Make the folder, stage the run, hand over the job and note it; each step may fail the run."""
        run, warnings = launch.run, launch_warnings(launch)
        try:
            folder = self._make_folder(launch, directory) if launch.kept is None else self._clear(launch)
            handle, command = self._submit(launch, folder)
        except (LaunchFailed, UnsupportedWorkflow) as failed:
            _check_still_wanted(launch)
            self._fail(run, LaunchRefused(reason=str(failed)), FailureKind.LAUNCH)
        except (LaunchUnclear, CancellationRefused) as unclear:
            raise LaunchRefused(reason=_UNCLEAR) from unclear
        except OSError as failed:
            reason = f"The run folder could not be written: {failed.strerror or 'unknown error'}"
            self._fail(run, LaunchRefused(reason=reason), FailureKind.LAUNCH)
        self._record(starter, launch, handle, command, warnings)
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
            raise rows.already_started(run.id)
        return folder

    def _clear(self, launch: Launch) -> RunFolder:
        """Put aside what the launch before has left in the folder of a resumed run, whose it stays.

        Decision: G711, G712.
        """
        run, folder = launch.run, launch.kept
        assert folder is not None, "only a run that was launched before is resumed"
        anew = self._engine(launch).begun_anew(folder)
        retire_launch(folder, run.resumed_count, anew)
        values: dict[str, object] = {"trace_offset": 0} if folder.trace in anew else {}
        with database.atomic():
            is_wanted = rows.claim_staged(run.id, launch.token, values, self.clock.now())
        if not is_wanted:
            raise rows.already_started(run.id)
        return folder

    def _engine(self, launch: Launch) -> WorkflowEngine:
        name = engine_of(launch.package)
        return self.engines[name](engine_program(name, launch.execution))

    def _submit(self, launch: Launch, folder: RunFolder) -> tuple[JobHandle, str]:
        """Fill the run folder and hand the job to its executor; return its command for people to read."""
        if launch.missing_programs and not launch.queues:
            raise LaunchFailed("; ".join(launch.missing_programs))
        engine = self._engine(launch)
        staged = staged_run(launch, folder)
        engine.stage(staged)
        command = engine.command(staged)
        _check_still_wanted(launch)
        job = Job(launch.run.id, folder, launch.token, command.argv, command.environment, launch.resources)
        return self.executors[launch.backend].submit(job), shlex.join(command.argv)

    def _record(
        self, starter: Starter, launch: Launch, handle: JobHandle, command: str, warnings: list[str]
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
                detail = {"backend": launch.backend.value, **used_version(run, launch.package_warnings)}
                who = (starter.user_id, starter.address)
                audit.write(*who, AuditAction.RUN_STARTED, "pipeline-run", run.id, now, detail)
        if not won:
            try:
                executor.cancel(handle)
            except CancellationRefused as refused:
                raise LaunchRefused(reason="The cancelled run could not be ended") from refused
            raise rows.already_started(run.id)

    def _fail(self, run: PipelineRun, error: ServiceError, kind: FailureKind) -> NoReturn:
        """Fail the run, unless it was cancelled meanwhile, and answer why."""
        text = "; ".join([error.text, *(error.details or [])[:20]])
        current = rows.find(run.id) or run
        if not self.completion.fail(current, failure(kind, text), self.clock.now()):
            raise rows.already_started(run.id)
        raise error


def _check_still_wanted(launch: Launch) -> None:
    """Ask right before the launch; nobody who wants its end or gave it up later can miss the folder.

    Decision: G384.
    """
    run = rows.find(launch.run.id)
    is_ours = run is not None and run.status in ACTIVE_STATUSES and run.launch_token == launch.token
    if run is None or not is_ours or run.cancel_requested_at is not None:
        raise rows.already_started(launch.run.id)
