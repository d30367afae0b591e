"""Cancelling and deleting runs."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from seqfacility_workflow_runtime.executors.contract import CancellationRefused
from seqfacility_workflow_runtime.run_folder import RunFolder, remove_folder

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import FacilityAdmin, LiveFacilityAdmin
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary import AuditAction, RunStatus
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.results.run_inputs import read_description
from seqfacility_instance.runs.errors import (
    CancellationNotAccepted,
    CannotCancel,
    CannotDeleteRunning,
    RunNotFound,
)
from seqfacility_instance.runs.rules.verdict import ACTIVE_STATUSES
from seqfacility_instance.runs.service.completion import end_of_run, last_look
from seqfacility_instance.runs.service.jobs import Jobs
from seqfacility_instance.runs.store import rows
from seqfacility_instance.tables import PipelineRun, database

FINAL_STATUSES = tuple(status for status in RunStatus if status not in ACTIVE_STATUSES)


@dataclass(frozen=True, slots=True)
class Cancelled:
    """What a cancellation came to; `was_final` when the run ended by itself at the same moment."""

    status: RunStatus
    was_final: bool


@dataclass(frozen=True, slots=True)
class RunCancellation:
    """Ends runs, and removes what is left of them. Gap: G164, G165."""

    jobs: Jobs
    facility: FacilitySettings
    clock: Clock

    def cancel(self, caller: LiveFacilityAdmin, run_id: str) -> Cancelled:
        """Cancel an active run; nothing that it started is left.

        The wish is written down first: what the dying run then reports, an exit code or an error event, is
        the echo of it and never makes the run `failed`. Raises `RunNotFound`, `CannotCancel`, and
        `CancellationNotAccepted` when the job is still there; the run is then unchanged.

        Spec: instance, Pipeline runs, cancel. Gap: G152, G156, G164, G272.
        """
        run = rows.find_for(caller, run_id)
        if run is None:
            raise RunNotFound
        if run.status not in ACTIVE_STATUSES:
            raise CannotCancel
        cancelled = self.carry_out(run)
        if not cancelled.was_final:
            audit.record(caller, AuditAction.RUN_CANCELLED, "pipeline-run", run.id, self.clock.now())
        return cancelled

    def carry_out(self, run: PipelineRun) -> Cancelled:
        """End the job of an active run and make the run cancelled. Raises `CancellationNotAccepted`."""
        now = self.clock.now()
        if run.status is RunStatus.PENDING and self._claim(run, now):
            # A launch that is being made right now sees the mark, or ends its own job.
            current = rows.find(run.id) or run
            self._end_job(current)
            return Cancelled(RunStatus.CANCELLED, was_final=False)
        rows.claim_observed(run.id, {"cancel_requested_at": now}, now)
        current = rows.find(run.id) or run
        try:
            self._end_job(current)
        except CancellationNotAccepted:
            rows.claim_observed(run.id, {"cancel_requested_at": None}, self.clock.now())
            raise
        if self._claim(current, self.clock.now()):
            return Cancelled(RunStatus.CANCELLED, was_final=False)
        final = rows.find(run.id)
        return Cancelled(RunStatus.CANCELLED if final is None else final.status, was_final=True)

    def _end_job(self, run: PipelineRun) -> None:
        try:
            self.jobs.cancel(run)
        except CancellationRefused as refused:
            raise CancellationNotAccepted from refused

    def _claim(self, run: PipelineRun, now: datetime) -> bool:
        """Make a run cancelled, unless it is final; of a pending run only while it pends."""
        tails, only_from = last_look(run, self.facility.storage().data_base_path), run.status
        with database.atomic():
            current = rows.find(run.id)
            moved_on = only_from is RunStatus.PENDING and (
                current is None or current.status is not RunStatus.PENDING
            )
            won = not moved_on and rows.claim_cancelled(run.id, tails, now)
            if won:
                end_of_run(run.id, RunStatus.CANCELLED, None, now)
        return won

    def delete(self, caller: FacilityAdmin, run_id: str) -> None:
        """Remove a run with everything that belongs to it; promoted reads stay.

        The rows go first: what a crash leaves then is a folder, and no run that points to nothing. Raises
        `RunNotFound`, `CannotDeleteRunning`, `CancellationNotAccepted`.

        Spec: instance, Errors: delete run. Gap: G165.
        """
        run = rows.find_for(caller, run_id)
        if run is None:
            raise RunNotFound
        if run.status is RunStatus.RUNNING:
            raise CannotDeleteRunning
        if run.status in ACTIVE_STATUSES:
            self.carry_out(run)
        now = self.clock.now()
        with database.atomic():
            if not rows.delete(run.id, FINAL_STATUSES):
                raise CannotDeleteRunning
            audit.record(
                caller, AuditAction.RUN_DELETED, "pipeline-run", run.id, now, runNumber=run.run_number
            )
        self._remove_folder(run)

    def _remove_folder(self, run: PipelineRun) -> None:
        """Remove a folder that is certainly this run's: in the run directory, and saying so. Gap: G165."""
        current = None if run.run_folder is None else Path(run.run_folder)
        base = self.facility.storage().data_base_path
        directories = {
            self.facility.execution().run_directory,
            None if base is None else f"{base}/pipeline_runs",
        }
        if current is None or str(current.parent) not in directories or current.is_symlink():
            return
        description = read_description(RunFolder(current))
        if description is not None and description.run_id == run.id:
            remove_folder(current)
