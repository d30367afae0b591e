"""Starting a run: one launch of many callers, never two jobs, never a run that nobody looks after."""

import os
import shlex
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
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
from seqfacility_workflow_runtime.executors.rules import new_launch_token
from seqfacility_workflow_runtime.launch import retire_launch
from seqfacility_workflow_runtime.run_folder import RunFolder

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import LiveFacilityAdmin
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.data_folder import free_bytes
from seqfacility_instance.core.ids import canonical_run_number
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.core.vocabulary.pipelines import (
    Backend,
    Engine,
    EventSource,
    ExecutionMode,
    FailureKind,
    RunStatus,
)
from seqfacility_instance.facility_settings.sections import ExecutionSection
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.pipelines.bodies import as_json
from seqfacility_instance.pipelines.reference_data.service import ReferenceDatabases
from seqfacility_instance.pipelines.service import (
    Pipelines,
    Usable,
    engine_of,
    engine_program,
    unavailable_reasons,
)
from seqfacility_instance.runs.errors import (
    BasePathNotConfigured,
    LaunchRefused,
    NotEnoughDisk,
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
from seqfacility_instance.runs.rules.room import check_disk
from seqfacility_instance.runs.rules.tokens import run_token
from seqfacility_instance.runs.rules.verdict import ACTIVE_STATUSES
from seqfacility_instance.runs.service.finish import Completion
from seqfacility_instance.runs.service.inputs import RunInputs, checked_inputs
from seqfacility_instance.runs.service.isolation import Fault, attempted
from seqfacility_instance.runs.service.observe import ALL_READINGS
from seqfacility_instance.runs.service.queue import LocalQueue, Place
from seqfacility_instance.runs.service.resume import Resumable, Resumption
from seqfacility_instance.runs.service.stage import (
    Launch,
    launch_warnings,
    memory_of,
    resources_for,
    staged_run,
)
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
    """Starts pending runs, and resumes those that have ended. Decision: G152-G155, G511, G710, G711."""

    pipelines: Pipelines
    databases: ReferenceDatabases
    completion: Completion
    executors: Mapping[Backend, Executor]
    engines: Mapping[Engine, MakeEngine]
    facility: FacilitySettings
    clock: Clock
    public_url: str | None
    queue: LocalQueue
    resumption: Resumption

    def start(
        self,
        caller: LiveFacilityAdmin,
        run_id: str,
        read_body: Callable[[], Mapping[str, object]],
        own_address: str,
    ) -> Launched | Place:
        """Launch a pending run once, or let it wait for room on this machine.

        `own_address` is where this process answers, for engines of a facility without a public address. The
        claim comes after everything that can be refused without touching the run; whatever fails behind it
        makes the run `failed`. A run that waits goes on waiting, or is launched when its turn has come.

        Spec: instance, Pipeline runs, start. Decision: G152, G153, G717.
        """
        run = rows.get_for(caller, run_id)
        if run.status is not RunStatus.PENDING:
            raise NotPending(status=run.status.value)
        starter = Starter(caller.user_id, caller.address)
        if run.resumed_count:
            return self._launch_or_wait(self._resume_plan(run, starter, own_address), _nothing)
        usable = self.pipelines.usable_version(run.pipeline_id, run.pipeline_version)
        body, execution = read_body(), self.facility.execution()
        asked, config = body.get("executionMode"), as_json(run.config)
        mode = run.requested_mode if asked is None else read_mode(asked)
        sample_ids = _sample_ids(run, read_sample_ids(body.get("sampleIds")))
        backend = resolved_backend(mode, run.pipeline_id, execution)
        plan = self._plan(run, starter, mode, backend, sample_ids, usable, own_address)
        if usable is not None:
            self.databases.check_needed(caller, usable.package, usable.config, config)
        return self._launch_or_wait(plan, _nothing)

    def resume(self, caller: LiveFacilityAdmin, run_id: str, own_address: str) -> Launched | Place:
        """Let a run that failed or was cancelled go on in its own folder, or wait for room for that.

        What it has left is put aside and not looked at again; its finished tasks stay and are not repeated.
        Raises `RunNotFound`, the refusals of `Resumption`, `NotEnoughDisk` and `AlreadyStarted`; what fails
        behind the claim makes the run `failed` again.

        Decision: G710, G711.
        """
        run = rows.get_for(caller, run_id)
        self.completion.record_job_end(run)
        self.resumption.check_ended(run)
        plan = self._resume_plan(run, Starter(caller.user_id, caller.address), own_address)
        # What the trace tells of the ended launch belongs to it.
        self.completion.observation.absorb(run, ALL_READINGS)
        return self._launch_or_wait(plan, lambda now: self.resumption.claim(caller, run, now))

    def start_waiting(self) -> bool:
        """Launch the runs that wait for this machine, in their order, as long as there is room.

        One that cannot be launched any more fails, so that it keeps nobody waiting; one that lacks space on
        the disk waits, and everybody behind it. Returns whether anything changed.

        Decision: G717, G719.
        """
        self.queue.adopt()
        has_news, held_up, seen = False, None, set[str]()
        while (run := self.queue.next()) is not None and run.id not in seen:
            seen.add(run.id)
            outcome = attempted(run.id, partial(self._launch_waiting, run))
            if isinstance(outcome, Fault):
                reason = f"The run could not be launched: {outcome.reason}"
                self.completion.fail(run, failure(FailureKind.LAUNCH, reason), self.clock.now())
            elif isinstance(outcome, NotEnoughDisk):
                held_up = outcome.text
                break
            elif isinstance(outcome, Place):
                break
            has_news = True
        return self.queue.note_places(held_up) or has_news

    def _launch_waiting(self, run: PipelineRun) -> Launched | Place | NotEnoughDisk | None:
        """Launch a run whose turn it is, as it was asked for; None when it cannot be launched any more."""
        starter, address = Starter(run.waiting_by_id), run.weblog_address or ""
        try:
            if run.resumed_count:
                return self._launch_or_wait(self._resume_plan(run, starter, address), _nothing)
            usable = self.pipelines.usable_version(run.pipeline_id, run.pipeline_version)
            mode, samples = run.requested_mode, run.input_sample_ids
            plan = self._plan(run, starter, mode, run.execution_mode, samples, usable, address)
            return self._launch_or_wait(plan, _nothing)
        except NotEnoughDisk as full:
            return full
        except ServiceError as refused:
            current = rows.find(run.id)
            # What was refused behind the claim has failed the run, or left it to the monitor.
            if current is not None and current.launch_claimed_at is None:
                self.completion.fail(current, failure(FailureKind.LAUNCH, refused.text), self.clock.now())
            return None

    def _plan(
        self,
        run: PipelineRun,
        starter: Starter,
        mode: ExecutionMode,
        backend: Backend,
        sample_ids: list[str] | None,
        usable: Usable | None,
        own_address: str,
        kept: Resumable | None = None,
    ) -> Plan:
        """Find the place of a run; raises `BasePathNotConfigured` or `RunDirectoryNotUsable`."""
        execution, base = self.facility.execution(), self.facility.storage().data_base_path
        if base is None:
            raise BasePathNotConfigured
        directory = Path(execution.run_directory or f"{base}/pipeline_runs")
        if kept is not None:
            directory = kept.folder.path
        _check_directory(directory)
        return Plan(
            run=run,
            starter=starter,
            mode=mode,
            backend=backend,
            sample_ids=sample_ids,
            usable=usable,
            kept=kept,
            directory=directory,
            base=base,
            execution=execution,
            own_address=own_address,
        )

    def _resume_plan(self, run: PipelineRun, starter: Starter, own_address: str) -> Plan:
        """Plan the next launch of a run where the one before was; raises the refusals of `Resumption`."""
        kept, samples = self.resumption.check_kept(run), run.input_sample_ids
        mode, backend = run.requested_mode, run.execution_mode
        return self._plan(run, starter, mode, backend, samples, kept.usable, own_address, kept)

    def _launch_or_wait(self, plan: Plan, prepare: Callable[[datetime], None]) -> Launched | Place:
        """Claim the launch and carry it out, unless the run has to wait for room on this machine.

        `prepare` runs in the transaction of the claim. An executor that has a queue of its own takes what it
        gets. Raises `NotEnoughDisk` and `AlreadyStarted` before anything has changed.

        Decision: G152, G717, G720.
        """
        self._check_disk(plan)
        run, token = plan.run, new_launch_token()
        if self.executors[plan.backend].queues:
            now = self.clock.now()
            with database.atomic():
                prepare(now)
                is_ours = rows.claim_launch(run.id, token, now)
                if not is_ours:
                    raise rows.already_started(run.id)
        else:
            choices = {
                "waiting_by": plan.starter.user_id,
                "weblog_address": plan.own_address,
                "requested_mode": plan.mode,
                "execution_mode": plan.backend,
                "input_sample_ids": plan.sample_ids,
            }
            need = replace(plan.resources, memory_gb=plan.needed_memory_gb)
            place = self.queue.admit(run.id, token, need, choices, prepare)
            if place is not None:
                return place
        return self._carry_out(plan, rows.find(run.id) or run, token)

    def _check_disk(self, plan: Plan) -> None:
        """Raise `NotEnoughDisk` when the run folder's disk has not the room; what a resumed run reads it has.

        Decision: G720.
        """
        reads_inputs = plan.usable is not None and any(
            item.source == "reads" for item in plan.usable.package.manifest.inputs
        )
        is_new = plan.kept is None
        size = (
            targets.reads_size(targets.target_of(plan.run), plan.sample_ids) if is_new and reads_inputs else 0
        )
        try:
            free = free_bytes(plan.directory)
        except OSError as failed:
            raise RunDirectoryNotUsable from failed
        check_disk(free, size, self.facility.storage().min_free_bytes)

    def _carry_out(self, plan: Plan, run: PipelineRun, token: str) -> Launched:
        """Launch a run whose launch is claimed; what fails here fails the run."""
        usable, config, execution = plan.usable, as_json(run.config), plan.execution
        if usable is None:
            self._fail(run, LaunchRefused(reason=_NO_PACKAGE), FailureKind.LAUNCH)
        package, missing = usable.package, tuple[str, ...]()
        try:
            # WHY: between creation and start everything may have changed. Decision: G153.
            if plan.kept is None:
                databases = self.databases.for_run(package, usable.config, config)
                missing, configs = databases.missing, (databases.config, usable.config, config)
                inputs = checked_inputs(package, targets.target_of(run), plan.sample_ids, plan.base, *configs)
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
                detail: dict[str, object] = {"backend": launch.backend.value}
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


def _nothing(_now: datetime) -> None:
    """Prepare nothing: the run pends already."""
