"""The run monitor: looks after every active run, so that a status is never wrong for long.

It holds nothing that a restart could lose. Several monitors may run: each run is leased, and every move is
a conditional update.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from seqfacility_wire.errors import ServiceError
from seqfacility_workflow_runtime.executors.contract import CancellationRefused, Executor, LaunchUnclear

from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary import Backend, RunStatus
from seqfacility_instance.runs.errors import CancellationNotAccepted
from seqfacility_instance.runs.rules.failure import launch_interrupted_failure
from seqfacility_instance.runs.rules.verdict import ACTIVE_STATUSES
from seqfacility_instance.runs.service.cancellation import RunCancellation
from seqfacility_instance.runs.service.completion import Completion, add_process_event
from seqfacility_instance.runs.service.jobs import Jobs, Seen
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
        leased = [run for run in rows.list_watched() if self._lease(run, now)]
        seen = self.jobs.ask(leased, now)
        for run in leased:
            try:
                changed = self._look_after(run, seen.get(run.id), now) or changed
            except _TROUBLE:
                _log.exception("run %s: cannot be looked after at the moment", run.id)
        for run in rows.list_stuck_launches(now - limits.LAUNCH_CLAIM_MAX_AGE):
            changed = self._reconcile(run, now) or changed
        for run in rows.list_stuck_cancellations(now - _CANCEL_RETRY):
            changed = self._cancel_again(run) or changed
        return changed

    def _lease(self, run: PipelineRun, now: datetime) -> bool:
        return rows.claim_lease(run.id, self.holder, now + _LEASE, now)

    def _look_after(self, run: PipelineRun, seen: Seen | None, now: datetime) -> bool:
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

    def _reconcile(self, run: PipelineRun, now: datetime) -> bool:
        """Take over the job of a launch whose caller died, or fail the run; never launch again. Gap: G152."""
        folder, token = folder_of(run), run.launch_token
        try:
            executor = self.executors[run.execution_mode]
            handle = None if folder is None else executor.find(folder)
            if handle is None or token is None:
                # A caller that is merely slow finds the mark that this leaves, and launches nothing.
                self.jobs.cancel(run)
                return self.completion.fail(run, launch_interrupted_failure(), now)
        except (LaunchUnclear, CancellationRefused):
            return False
        return rows.claim_launched(run.id, token, run.execution_mode, handle.number, run.command, now)

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
