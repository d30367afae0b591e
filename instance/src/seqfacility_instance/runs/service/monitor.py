"""The run monitor: looks after every active run, so that a status is never wrong for long.

It holds nothing that a restart could lose. Several monitors may run: each run is leased, and every move is
a conditional update.
"""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial

from seqfacility_workflow_runtime.executors.contract import Executor, LaunchUnclear
from seqfacility_workflow_runtime.launch import is_launched_as
from seqfacility_workflow_runtime.run_folder import RunFolder

from seqfacility_instance.background.renewal import renewed
from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.pipelines import Backend, RunStatus
from seqfacility_instance.runs.errors import CancellationNotAccepted
from seqfacility_instance.runs.rules.failure import launch_interrupted_failure, unattended_failure
from seqfacility_instance.runs.rules.verdict import ACTIVE_STATUSES
from seqfacility_instance.runs.service.cancel import RunCancellation
from seqfacility_instance.runs.service.finish import Completion, add_process_event, note_seen
from seqfacility_instance.runs.service.isolation import Fault, RunPool, attempted
from seqfacility_instance.runs.service.jobs import Jobs, Seen, is_ended
from seqfacility_instance.runs.service.observe import Observation
from seqfacility_instance.runs.service.start import RunStarting
from seqfacility_instance.runs.store import activity, queue, rows, selection
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.pipelines import PipelineRun

_LEASE = timedelta(seconds=30)
"""A monitor that dies gives its runs free after it."""

_LEASE_RENEWED_EVERY_SECONDS = 10.0

_CANCEL_RETRY = timedelta(seconds=60)
"""Longer than a cancellation in a request takes, so that the monitor never works against one."""

_QUEUE = "those that wait"
"""What the pool calls the work on the queue, which one thread does for all runs in it."""

_log = logging.getLogger("seqfacility.runs")


_Task = tuple[PipelineRun, Callable[[], bool]]
"""A run and what is to be done with it; return whether anything changed."""


@dataclass(frozen=True, slots=True)
class RunMonitor:
    """Finishes what requests and engines cannot. Decision: G152, G181, G185, G264, G377, G378."""

    jobs: Jobs
    observation: Observation
    completion: Completion
    cancellation: RunCancellation
    executors: Mapping[Backend, Executor]
    starts: RunStarting
    holder: str
    pool: RunPool = field(default_factory=lambda: RunPool(limits.MONITOR_RUNS_THREADS))
    _turned_away: set[str] = field(default_factory=set, init=False)

    def tick(self, now: datetime, patience_seconds: float | None = None) -> bool:
        """Look after all active runs once; return whether anything changed.

        One query a backend tells about all jobs. What may take long, such as the outputs of an ended run, is
        done in threads; when it takes longer than `patience_seconds`, it goes on beside the next ticks. None
        waits for all. What goes wrong with one run is logged and leaves the others alone.

        Decision: G184, G185, G377, G378.
        """
        changed = threading.Event()
        if selection.repair_visibility() > 0:
            changed.set()
        machine = self.jobs.machine
        watched = [*rows.list_watched(machine), *rows.list_outlived(machine)]
        leased = [run for run in watched if not self.pool.is_busy(run.id) and self._lease(run)]
        seen, slow = self.jobs.ask(leased, now), list[_Task]()
        for run in leased:
            look = partial(self._process_run, run, seen.get(run.id), now)
            if _may_take_long(run, seen.get(run.id)):
                slow.append((run, look))
            else:
                self._attempt(run, look, changed)
        launches = rows.list_stuck_launches(now - limits.LAUNCH_CLAIM_MAX_AGE)
        slow += [(run, partial(self._reconcile, run, now)) for run in launches]
        cancellations = rows.list_stuck_cancellations(machine, now - _CANCEL_RETRY)
        slow += [(run, partial(self._cancel_again, run)) for run in cancellations]
        self._share(slow, patience_seconds, changed)
        if queue.hosts_with_waiting():
            self.pool.start(_QUEUE, partial(self._start_waiting, changed), patience_seconds)
            self.pool.wait(patience_seconds)
        return changed.is_set()

    def _start_waiting(self, changed: threading.Event) -> None:
        if self.starts.start_waiting():
            changed.set()

    def _share(
        self, tasks: Sequence[_Task], patience_seconds: float | None, changed: threading.Event
    ) -> None:
        """Let the threads do tasks; what finds no free one is left to another monitor, or comes first next.

        So no number of slow runs, as a scheduler that does not answer makes them, keeps the others waiting.
        """
        first = set(self._turned_away)
        self._turned_away.clear()
        for run, work in sorted(tasks, key=lambda task: task[0].id not in first):
            if self.pool.is_busy(run.id):
                continue
            if not self.pool.start(run.id, partial(self._hold, run, work, changed), patience_seconds):
                rows.release_lease(run.id, self.holder)
                self._turned_away.add(run.id)
                patience_seconds = 0
        if tasks:
            self.pool.wait(patience_seconds)

    def _hold(self, run: PipelineRun, work: Callable[[], bool], changed: threading.Event) -> None:
        """Work on a run under a lease that lasts as long as the work."""
        if self._lease(run):
            with renewed(lambda: self._lease(run), _LEASE_RENEWED_EVERY_SECONDS):
                self._attempt(run, work, changed)

    def _lease(self, run: PipelineRun) -> bool:
        now = self.completion.clock.now()
        return rows.claim_lease(run.id, self.holder, now + _LEASE, now)

    def _attempt(self, run: PipelineRun, work: Callable[[], bool], changed: threading.Event) -> None:
        outcome = attempted(run.id, work)
        if isinstance(outcome, Fault):
            outcome = attempted(run.id, partial(self._give_up, run.id, outcome.reason))
        if outcome is True:
            changed.set()

    def _give_up(self, run_id: str, reason: str) -> bool:
        """End a run that cannot be looked after, once its job has ended and its outputs had their time.

        Decision: G377.
        """
        run, now = rows.find(run_id), self.completion.clock.now()
        settle = timedelta(seconds=self.completion.facility.execution().output_settle_seconds)
        if run is None or run.job_ended_at is None or now < run.job_ended_at + settle:
            return False
        if run.cancel_requested_at is not None:
            return self.completion.cancel(run, now)
        return self.completion.fail(run, unattended_failure(reason), now)

    def _process_run(self, run: PipelineRun, seen: Seen | None, now: datetime) -> bool:
        if run.status not in ACTIVE_STATUSES:
            return self._watch_outliving_job(run, seen, now)
        has_news = self.observation.absorb(run)
        started = seen is not None and self._note_running(run, seen, now)
        finished = self.completion.finish(run.id, seen=seen)
        return has_news or started or finished

    def _note_running(self, run: PipelineRun, seen: Seen, now: datetime) -> bool:
        """A queued run whose job the scheduler calls running is running. Decision: G156."""
        if run.status not in {RunStatus.PENDING, RunStatus.QUEUED} or seen.state.word != "RUNNING":
            return False
        with database.atomic():
            current = rows.find(run.id)
            waits = current is not None and current.status in {RunStatus.PENDING, RunStatus.QUEUED}
            moved = waits and activity.claim_activity(run.id, RunStatus.RUNNING, 0, None, now)
            if moved:
                add_process_event(run.id, "run_started", None, now)
        return moved

    def _watch_outliving_job(self, run: PipelineRun, seen: Seen | None, now: datetime) -> bool:
        """Watch the job of a final run until it is over, and end one that nobody wants any more.

        A failed run's job gets the time in which its engine tidies up; a cancelled run's, one that somebody
        wants to delete, and whatever a job left that is missing, gets none. Its end completes what is told of
        the failure.

        Decision: G380, G393.
        """
        if seen is None:
            # Its launch was never noted: the caller died, or the run ended before.
            try:
                return self._note_unnoted_job(run, now) or self._end_for_good(run, now)
            except LaunchUnclear:
                return False
        if is_ended(seen.state):
            # Before the job is noted as over: whoever is killed in between is repeated.
            self.completion.complete_failure(run, seen.state.exit_code, now)
        note_seen(run, seen, now)
        if seen.is_over:
            return True
        is_due = (
            run.status is RunStatus.CANCELLED
            or run.cancel_delegated_at is not None
            or is_ended(seen.state)
            or (run.completed_at is not None and now - run.completed_at >= limits.JOB_OUTLIVES_RUN)
        )
        return is_due and self._end_for_good(run, now)

    def _note_unnoted_job(self, run: PipelineRun, now: datetime) -> bool:
        """Take over the job of a launch that nobody has noted; that of an earlier launch is none."""
        folder, token, executor = rows.folder_of(run), run.launch_token, self.executors[run.execution_mode]
        if folder is None or token is None:
            return False
        handle = executor.find(folder)
        if handle is None or (run.resumed_count and not _belongs_to_launch(run, folder, token)):
            return False
        return rows.claim_launched(run.id, token, handle, run.command, now, queues=executor.queues)

    def _end_for_good(self, run: PipelineRun, now: datetime) -> bool:
        return self.jobs.end(run) and rows.note_job(run.id, {"job_over_at": now})

    def _reconcile(self, run: PipelineRun, now: datetime) -> bool:
        """Take over the job of a launch whose caller died, or fail the run; never launch again.

        A run that had waited for room and has no folder yet waits again, in its old place.

        Decision: G152, G719.
        """
        token = run.launch_token
        try:
            if self._note_unnoted_job(run, now):
                return True
            # Whoever is merely slow asks before launching, or loses the claim and ends its own job.
            if token is not None and not rows.claim_given_up(run.id, token, now):
                return False
            if queue.claim_back(run.id, None, now):
                return True
        except LaunchUnclear:
            return False
        if not self.jobs.end(run):
            return False
        # Whoever was killed after this note comes here again, and finds it made.
        rows.note_job(run.id, {"job_over_at": now})
        return self.completion.fail(run, launch_interrupted_failure(), now)

    def _cancel_again(self, run: PipelineRun) -> bool:
        """Carry out a cancellation whose request died half-way. Decision: G164."""
        if run.status not in ACTIVE_STATUSES:
            return False
        try:
            self.cancellation.carry_out(run)
        except CancellationNotAccepted:
            _log.warning("run %s: its job could not be cancelled yet", run.id)
            return False
        return True


def _belongs_to_launch(run: PipelineRun, folder: RunFolder, token: str) -> bool:
    """Return whether what a folder tells is of the newest launch of a resumed run. Raises `LaunchUnclear`."""
    try:
        return is_launched_as(folder, token)
    except OSError as problem:
        message = f"The folder of run {run.id} cannot be read"
        raise LaunchUnclear(message) from problem


def _may_take_long(run: PipelineRun, seen: Seen | None) -> bool:
    """Return whether outputs are to be looked for, or the job of a final run may have to be ended."""
    if run.status not in ACTIVE_STATUSES:
        return True
    return run.job_ended_at is not None or (seen is not None and is_ended(seen.state))
