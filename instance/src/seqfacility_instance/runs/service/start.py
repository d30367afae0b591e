"""Starting and resuming runs: refusals, then one claim of many callers, or a place in the queue."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path

from seqfacility_wire.errors import ServiceError
from seqfacility_workflow_runtime.executors.contract import Executor
from seqfacility_workflow_runtime.executors.rules import new_launch_token

from seqfacility_instance.access.callers import LiveFacilityAdmin
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.data_folder import free_bytes
from seqfacility_instance.core.vocabulary.pipelines import Backend, ExecutionMode, FailureKind, RunStatus
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.pipelines.bodies import as_json
from seqfacility_instance.pipelines.reference_data.service import ReferenceDatabases
from seqfacility_instance.pipelines.service import Pipelines, Usable
from seqfacility_instance.runs.errors import (
    BasePathNotConfigured,
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
from seqfacility_instance.runs.service.finish import Completion
from seqfacility_instance.runs.service.isolation import Fault, attempted
from seqfacility_instance.runs.service.launch import Launched, Plan, RunLaunch, Starter
from seqfacility_instance.runs.service.observe import ALL_READINGS
from seqfacility_instance.runs.service.queue import LocalQueue, Place
from seqfacility_instance.runs.service.resume import Resumable, Resumption
from seqfacility_instance.runs.store import rows, targets
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.pipelines import PipelineRun


@dataclass(frozen=True, slots=True)
class RunStarting:
    """Starts pending runs, and resumes those that have ended. Decision: G152, G153, G710, G711, G717."""

    pipelines: Pipelines
    databases: ReferenceDatabases
    completion: Completion
    executors: Mapping[Backend, Executor]
    facility: FacilitySettings
    clock: Clock
    queue: LocalQueue
    resumption: Resumption
    launch: RunLaunch

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
            sequencer_root=self.facility.stream_ingest().output_root,
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
        return self.launch.carry_out(plan, rows.find(run.id) or run, token)

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
