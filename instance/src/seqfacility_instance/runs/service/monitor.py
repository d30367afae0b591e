"""The run monitor: looks after every active run, so that a status is never wrong for long.

It holds nothing that a restart could lose. Several monitors may run: each run is leased, and every move is
a conditional update.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from seqfacility_wire.errors import ServiceError
from seqfacility_workflow_runtime.executors.contract import Executor, LaunchUnclear

from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary import Backend, RunStatus
from seqfacility_instance.runs.errors import CancellationNotAccepted
from seqfacility_instance.runs.rules.failure import launch_interrupted_failure
from seqfacility_instance.runs.rules.verdict import ACTIVE_STATUSES
from seqfacility_instance.runs.service.cancellation import RunCancellation
from seqfacility_instance.runs.service.completion import Completion, add_process_event, note_seen
from seqfacility_instance.runs.service.jobs import Jobs, Seen, is_ended
from seqfacility_instance.runs.service.launch import folder_of
from seqfacility_instance.runs.service.observation import Observation
from seqfacility_instance.runs.store import activity, rows, selection
from seqfacility_instance.tables import PipelineRun, database

_LEASE = timedelta(seconds=30)
"""A monitor that dies gives its runs free after it. A look that takes longer is done twice at worst, and
every move is conditional."""

_CANCEL_RETRY = timedelta(seconds=60)
"""Longer than a cancellation in a request takes, so that the monitor never works against one."""

_TROUBLE = (OSError, ServiceError, ValueError)
"""What the files of one run can do to us; a database that fails is not among it and ends the tick."""

_log = logging.getLogger("seqfacility.runs")


@dataclass(frozen=True, slots=True)
class RunMonitor:
    """Finishes what requests and engines cannot. Gap: G152, G181, G185, G264."""

    jobs: Jobs
    observation: Observation
    completion: Completion
    cancellation: RunCancellation
    executors: Mapping[Backend, Executor]
    holder: str

    def tick(self, now: datetime) -> bool:
        """Look after all active runs once; gives whether anything changed.

        One query a backend tells about all jobs. What goes wrong with one run is noted and leaves the
        others alone.

        Gap: G184, G185.
        """
        changed = selection.repair_visibility() > 0
        machine = self.jobs.machine
        watched = [*rows.list_watched(machine), *rows.list_outlived(machine)]
        leased = [run for run in watched if self._lease(run, now)]
        seen = self.jobs.ask(leased, now)
        for run in leased:
            try:
                changed = self._look_after(run, seen.get(run.id), now) or changed
            except _TROUBLE:
                _log.exception("run %s: cannot be looked after at the moment", run.id)
        for run in rows.list_stuck_launches(now - limits.LAUNCH_CLAIM_MAX_AGE):
            changed = self._reconcile(run, now) or changed
        for run in rows.list_stuck_cancellations(machine, now - _CANCEL_RETRY):
            changed = self._cancel_again(run) or changed
        return changed

    def _lease(self, run: PipelineRun, now: datetime) -> bool:
        return rows.claim_lease(run.id, self.holder, now + _LEASE, now)

    def _look_after(self, run: PipelineRun, seen: Seen | None, now: datetime) -> bool:
        if run.status not in ACTIVE_STATUSES:
            return self._watch_outliving_job(run, seen, now)
        has_news = self.observation.absorb(run)
        started = seen is not None and self._note_running(run, seen, now)
        finished = self.completion.finish(run.id, seen=seen)
        return has_news or started or finished

    def _note_running(self, run: PipelineRun, seen: Seen, now: datetime) -> bool:
        """A queued run whose job the scheduler calls running is running. Gap: G156."""
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
        wants to delete, and whatever a job left that is missing, gets none.

        Gap: G380.
        """
        if seen is None:
            # Its launch was never noted: the caller died, or the run ended before.
            try:
                return self._note_unnoted_job(run, now) or self._end_for_good(run, now)
            except LaunchUnclear:
                return False
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
        folder, token = folder_of(run), run.launch_token
        handle = None if folder is None else self.executors[run.execution_mode].find(folder)
        if handle is None or token is None:
            return False
        return rows.claim_launched(run.id, token, run.execution_mode, handle, run.command, now)

    def _end_for_good(self, run: PipelineRun, now: datetime) -> bool:
        return self.jobs.end(run) and rows.note_job(run.id, {"job_over_at": now})

    def _reconcile(self, run: PipelineRun, now: datetime) -> bool:
        """Take over the job of a launch whose caller died, or fail the run; never launch again. Gap: G152."""
        token = run.launch_token
        try:
            if self._note_unnoted_job(run, now):
                return True
            # Whoever is merely slow asks before launching, or loses the claim and ends its own job.
            if token is not None and not rows.claim_given_up(run.id, token, now):
                return False
        except LaunchUnclear:
            return False
        return self._end_for_good(run, now) and self.completion.fail(run, launch_interrupted_failure(), now)

    def _cancel_again(self, run: PipelineRun) -> bool:
        """Carry out a cancellation whose request died half-way. Gap: G164."""
        if run.status not in ACTIVE_STATUSES:
            return False
        try:
            self.cancellation.carry_out(run)
        except CancellationNotAccepted:
            _log.warning("run %s: its job could not be cancelled yet", run.id)
            return False
        return True
