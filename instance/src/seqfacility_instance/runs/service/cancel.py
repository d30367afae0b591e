"""Cancelling and deleting runs."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from seqfacility_workflow_runtime.executors.contract import CancellationRefused
from seqfacility_workflow_runtime.launch import read_launch_order
from seqfacility_workflow_runtime.run_folder import remove_folder

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import FacilityAdmin, LiveFacilityAdmin
from seqfacility_instance.core import limits
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.core.vocabulary.pipelines import RunStatus
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.reads.store import delete_digests_of_run
from seqfacility_instance.results.run_inputs import read_description
from seqfacility_instance.runs.errors import (
    CancellationNotAccepted,
    CannotCancel,
    CannotDeleteRunning,
)
from seqfacility_instance.runs.rules.verdict import ACTIVE_STATUSES
from seqfacility_instance.runs.service.finish import Completion
from seqfacility_instance.runs.service.jobs import Jobs
from seqfacility_instance.runs.service.used_version import used_version
from seqfacility_instance.runs.store import monitors, rows
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.pipelines import PipelineRun

_POLL_SECONDS = 0.25
FINAL_STATUSES = tuple(status for status in RunStatus if status not in ACTIVE_STATUSES)


@dataclass(frozen=True, slots=True)
class Cancelled:
    """What a cancellation came to; `was_final` when the run was not cancelled, but ended by itself before.

    Decision: G385.
    """

    status: RunStatus
    was_final: bool


@dataclass(frozen=True, slots=True)
class RunCancellation:
    """Ends runs, and removes what is left of them. Decision: G164, G165."""

    jobs: Jobs
    completion: Completion
    facility: FacilitySettings
    clock: Clock

    def cancel(self, caller: LiveFacilityAdmin, run_id: str) -> Cancelled:
        """Cancel an active run; nothing that it started is left.

        The request is written down first, with who asks: what the dying run then reports, an exit code or an
        error event, follows from it and never makes the run `failed`. Raises `RunNotFound`, `CannotCancel`,
        and `CancellationNotAccepted` when the job is still there; the run is then unchanged, but for the
        request when another machine has to carry it out.

        Spec: instance, Pipeline runs, cancel. Decision: G152, G156, G164, G272, G383, G385.
        """
        run = rows.get_for(caller, run_id)
        if run.status not in ACTIVE_STATUSES:
            raise CannotCancel
        return self._cancel(caller, run)

    def _cancel(self, caller: FacilityAdmin, run: PipelineRun) -> Cancelled:
        noted_at = self.clock.now()
        with database.atomic():
            is_first = rows.claim_cancel_request(run.id, noted_at)
            audit.record(caller, AuditAction.RUN_CANCELLED, "pipeline-run", run.id, noted_at)
        current = rows.find(run.id) or run
        try:
            return self.carry_out(current)
        except CancellationNotAccepted:
            # WHY: a machine that has the job carries the request out later; that of another caller stays.
            if is_first and not self.jobs.is_elsewhere(current):
                now = self.clock.now()
                with database.atomic():
                    if rows.withdraw_cancel_request(run.id, noted_at, now):
                        audit.record(
                            caller, AuditAction.RUN_CANCELLATION_REFUSED, "pipeline-run", run.id, now
                        )
            raise

    def carry_out(self, run: PipelineRun) -> Cancelled:
        """End the job of a run whose end is wanted, then make it cancelled. Raises `CancellationNotAccepted`.

        A launch that is being made right now sees the request or the mark, or ends its own job.
        """
        self._end_job(run)
        self.completion.cancel(run, self.clock.now())
        final = rows.find(run.id)
        status = RunStatus.CANCELLED if final is None else final.status
        return Cancelled(status, was_final=status is not RunStatus.CANCELLED)

    def _end_job(self, run: PipelineRun) -> bool:
        """End the job of a run; False when its machine is gone and nobody can know. Decision: G164, G383.

        Raises `CancellationNotAccepted`.
        """
        try:
            self.jobs.cancel(run)
        except CancellationRefused as refused:
            if not self.jobs.is_elsewhere(run):
                raise CancellationNotAccepted from refused
            return self._leave_to_its_machine(run)
        return True

    def _leave_to_its_machine(self, run: PipelineRun) -> bool:
        """Let the monitor of the machine that has the job end it, and wait for that.

        Gives False at once when no monitor of that host has been alive for `MACHINE_GIVEN_UP`: somebody who
        asks then has decided that the machine is gone. Its monitor ends the job all the same if it returns.
        Raises `CancellationNotAccepted` when it does not come to it in time; the request stays.

        Decision: G383.
        """
        rows.delegate_cancellation(run.id, self.clock.now())
        seen_at = monitors.last_seen(run.job_host or "")
        if seen_at is None or self.clock.now() - seen_at > limits.MACHINE_GIVEN_UP:
            return False

        def has_ended() -> bool:
            current = rows.find(run.id)
            if current is None or current.job_over_at is not None:
                return True
            return run.status in ACTIVE_STATUSES and current.status not in ACTIVE_STATUSES

        if not _comes_true(has_ended, limits.CANCEL_ELSEWHERE_SECONDS):
            raise CancellationNotAccepted
        return True

    def delete(self, caller: FacilityAdmin, run_id: str) -> None:
        """Remove a run with everything that belongs to it; promoted reads stay.

        Whatever the status, its job is over before: nothing may write into a folder that is gone, or run on
        without a row to find it by. Then the rows go first: what a crash leaves is a folder, and no run that
        points to nothing. Raises `RunNotFound`, `CannotDeleteRunning`, `CancellationNotAccepted`.

        Spec: instance, Errors: delete run. Decision: G165, G380, G385.
        """
        run = rows.get_for(caller, run_id)
        if run.status is RunStatus.RUNNING:
            raise CannotDeleteRunning
        if run.status in ACTIVE_STATUSES:
            self._cancel(caller, run)
        self._make_sure_that_its_job_is_over(rows.find(run.id) or run)
        now = self.clock.now()
        with database.atomic():
            delete_digests_of_run(run.id)
            if not rows.delete(run.id, FINAL_STATUSES):
                raise CannotDeleteRunning
            detail = {"runNumber": run.run_number, **used_version(run)}
            audit.record(caller, AuditAction.RUN_DELETED, "pipeline-run", run.id, now, **detail)
        self._remove_folder(run)

    def _make_sure_that_its_job_is_over(self, run: PipelineRun) -> None:
        """End the job of a final run and wait until it is over; a Slurm job takes its time to leave its node.

        Raises `CancellationNotAccepted`.

        Decision: G380.
        """
        if run.job_over_at is not None or not self._end_job(run):
            return

        def is_over() -> bool:
            current = rows.find(run.id)
            return current is None or current.job_over_at is not None or self.jobs.is_over(run)

        if not _comes_true(is_over, limits.JOB_LEAVES_SECONDS):
            raise CancellationNotAccepted

    def _remove_folder(self, run: PipelineRun) -> None:
        """Remove a folder that is certainly this run's: in the run directory, and saying so twice.

        `run.json` and the launch order both name the run that made the folder. What cannot be read is left.

        Decision: G165, G382.
        """
        folder, base = rows.folder_of(run), self.facility.storage().data_base_path
        directories = {self.facility.execution().run_directory, base and f"{base}/pipeline_runs"}
        if folder is None or str(folder.path.parent) not in directories:
            return
        try:
            if folder.path.is_symlink():
                return
            description, order = read_description(folder), read_launch_order(folder)
        except OSError:
            return
        is_launched_by_another = order is not None and order.run_id != run.id
        if description is not None and description.run_id == run.id and not is_launched_by_another:
            remove_folder(folder.path)


def _comes_true(condition: Callable[[], bool], seconds: float) -> bool:
    """Ask again and again, for `seconds` at most."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() >= deadline:
            return False
        time.sleep(_POLL_SECONDS)
    return True
