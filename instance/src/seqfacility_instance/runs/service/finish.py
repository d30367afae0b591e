"""Finishing a run: the one way by which weblog, monitor and sync come to a final status.

Whoever is first wins by the conditional update; everything before it may be repeated.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import cast

from seqfacility_wire.metrics import is_recording
from seqfacility_workflow_runtime.tail import read_tail

from seqfacility_instance.core import limits
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.events import FacilityEvent
from seqfacility_instance.core.vocabulary.pipelines import EventSource, FailureKind, RunStatus
from seqfacility_instance.facility_events.store import record
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.results.errors import NoAdapter
from seqfacility_instance.results.output_folder import TooSlow
from seqfacility_instance.results.service.resolution import Outputs
from seqfacility_instance.runs.rules.failure import (
    Clues,
    Failure,
    completed_failure,
    exit_failure,
    interrupted_failure,
    outputs_failure,
    scheduler_failure,
)
from seqfacility_instance.runs.rules.tokens import without_tokens
from seqfacility_instance.runs.rules.verdict import (
    ACTIVE_STATUSES,
    Action,
    OutputsAction,
    Witnesses,
    next_attempt,
    outputs_action,
    verdict,
)
from seqfacility_instance.runs.service.isolation import Fault, attempted
from seqfacility_instance.runs.service.jobs import Jobs, Seen, handle_of
from seqfacility_instance.runs.service.logs import clues_of
from seqfacility_instance.runs.service.observe import ALL_READINGS, Observation
from seqfacility_instance.runs.service.run_files import list_technical_files
from seqfacility_instance.runs.store import activity, rows, targets
from seqfacility_instance.runs.store.activity import own_event
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.pipelines import PipelineRun

_EVENTS = {
    RunStatus.COMPLETED: "run_completed",
    RunStatus.FAILED: "run_failed",
    RunStatus.CANCELLED: "run_cancelled",
}
_FACILITY_EVENTS = {
    RunStatus.COMPLETED: FacilityEvent.RUN_COMPLETED,
    RunStatus.FAILED: FacilityEvent.RUN_FAILED,
}


@dataclass(frozen=True, slots=True)
class Completion:
    """Brings runs to their end. Decision: G156, G180, G181."""

    outputs: Outputs
    observation: Observation
    jobs: Jobs
    facility: FacilitySettings
    clock: Clock

    def finish(
        self,
        run_id: str,
        *,
        engine_said_end: bool = False,
        seen: Seen | None = None,
        resolve_seconds: float | None = None,
    ) -> bool:
        """Collect the evidence on a run and act on the verdict; return whether anything changed.

        The executor is asked first, unless the caller has just done so (`seen`). Active: the run is held at
        99. Unknown: nothing changes. Ended with code 0: the outputs decide. Ended otherwise: failed.
        `resolve_seconds` bounds the looking for outputs when a request waits.

        Spec: instance, Weblog intake 8. Decision: G180, G181, G185.
        """
        run = rows.find(run_id)
        if run is None or run.status not in ACTIVE_STATUSES:
            return False
        now = self.clock.now()
        if seen is None:
            seen = self.jobs.ask([run], now).get(run.id)
        if seen is not None:
            note_seen(run, seen, now)
        decision = verdict(
            Witnesses(
                status=run.status,
                job=None if seen is None else seen.state,
                lost_states=self.jobs.executors[run.execution_mode].lost_states,
                is_launching=run.launch_token is not None and handle_of(run) is None,
                engine_said_end=engine_said_end or run.job_ended_at is not None,
                is_cancelling=run.cancel_requested_at is not None,
            )
        )
        match decision.action:
            case Action.HOLD:
                return rows.claim_held(run.id, now)
            case Action.RESOLVE:
                self.observation.absorb(run, ALL_READINGS)
                return self._resolve(run, engine_said_end, resolve_seconds, now)
            case Action.FAIL:
                assert seen is not None
                self.observation.absorb(run, ALL_READINGS)
                code, word = seen.state.exit_code, seen.state.word
                clues = self._clues(run, code)
                if decision.kind is FailureKind.SCHEDULER:
                    reason = scheduler_failure(word, code, clues)
                else:
                    reason = interrupted_failure(clues) if code is None else exit_failure(code, clues)
                has_failed = self.fail(run, reason, now)
                # After the status, or what the dying engine reports would be the reason. Whoever is killed in
                # between leaves a job that is not known to be over, and the monitor does it again.
                if decision.kind is FailureKind.INTERRUPTED and self.jobs.end(run):
                    rows.note_job(run.id, {"job_over_at": now})
                return has_failed
            case Action.CANCEL:
                return self.cancel(run, now)
            case _:
                return False

    def record_job_end(self, run: PipelineRun) -> None:
        """Ask about the job of a final run that nobody has seen end, and note its end; silence is none.

        Decision: G710.
        """
        if run.status in ACTIVE_STATUSES or run.job_over_at is not None:
            return
        now = self.clock.now()
        seen = self.jobs.ask([run], now).get(run.id)
        if seen is not None and seen.is_over:
            note_seen(run, seen, now)

    def cancel(self, run: PipelineRun, now: datetime) -> bool:
        """Make an active run cancelled whose job has ended. Decision: G164."""
        return self._end(run, RunStatus.CANCELLED, None, partial(rows.claim_cancelled, run.id), now)

    def fail(self, run: PipelineRun, failure: Failure, now: datetime) -> bool:
        """Fail a run for a reason, unless it is final already. Decision: G168."""
        claim = partial(rows.claim_failed, run.id, cast("dict[str, object]", failure))
        return self._end(run, RunStatus.FAILED, failure["message"], claim, now)

    def _end(
        self,
        run: PipelineRun,
        status: RunStatus,
        message: str | None,
        claim: Callable[[dict[str, object], datetime], bool],
        now: datetime,
    ) -> bool:
        tails = excerpt_columns(run, self.facility.storage().data_base_path)
        with database.atomic():
            won = claim(tails, now)
            if won:
                end_of_run(run.id, status, message, now)
        return won

    def _resolve(self, run: PipelineRun, engine_said_end: bool, seconds: float | None, now: datetime) -> bool:
        """Look for the outputs of an ended job, unless it is too early for another look. Decision: G181."""
        if run.outputs_retry_at is not None and now < run.outputs_retry_at and not engine_said_end:
            return False
        ended_at = run.job_ended_at
        if ended_at is None:
            ended_at = now
            rows.claim_observed(run.id, {"job_ended_at": now}, now)
        errors = attempted(run.id, lambda: self._output_errors(run, seconds))
        if errors is None:
            return rows.claim_held(run.id, now)
        if isinstance(errors, Fault):
            errors = [f"The outputs could not be looked through: {errors.reason}"]
        settle = timedelta(seconds=self.facility.execution().output_settle_seconds)
        now = self.clock.now()
        match outputs_action(len(errors), ended_at, settle, now):
            case OutputsAction.COMPLETE:
                return self._end(run, RunStatus.COMPLETED, None, partial(rows.claim_completed, run.id), now)
            case OutputsAction.FAIL:
                return self.fail(run, outputs_failure(errors, self._clues(run)), now)
        problem = "; ".join(errors)
        retry_at = next_attempt(run.outputs_attempts, ended_at, settle, now)
        with database.atomic():
            won = rows.claim_waiting(run.id, run.outputs_attempts + 1, retry_at, problem, now)
            if won and problem != run.outputs_problem:  # each new reason is told once
                add_process_event(run.id, "output_resolution_failed", problem, now)
        return won

    def _output_errors(self, run: PipelineRun, seconds: float | None) -> list[str] | None:
        """List why the outputs are not all there; None when `seconds` are too few to find out."""
        try:
            return self.outputs.resolve(run, seconds).errors
        except TooSlow:
            return None
        except NoAdapter as gone:
            return [gone.text]

    def complete_failure(self, run: PipelineRun, exit_code: int | None, now: datetime) -> bool:
        """Complete the failure of a run that its engine failed, once its job has ended.

        Decision: G179, G393.
        """
        if run.failure is None or run.failure.get("kind") != FailureKind.ENGINE:
            return False
        after = completed_failure(run.failure, exit_code, self._clues(run, exit_code))
        return rows.claim_failure(run.id, run.failure, cast("dict[str, object]", after), now)

    def _clues(self, run: PipelineRun, exit_code: int | None = None) -> Clues:
        return clues_of(run, exit_code, self.facility.storage().min_free_bytes)


def note_seen(run: PipelineRun, seen: Seen, now: datetime) -> None:
    """Store the state of a job, also of one that outlives its run; a new state is an event.

    Decision: G183, G185, G186, G380.
    """
    values = seen.columns(run, now)
    is_new_report = run.queue_status != seen.state.word
    is_news = is_new_report or seen.is_over or values.get("job_ended_at") is not None
    if run.job_over_at is not None or (not is_news and run.job_missing_since == seen.missing_since):
        return
    with database.atomic():
        if rows.note_job(run.id, values) and is_new_report:
            word, message = seen.state.word, f"{run.queue_status or 'unknown'} to {seen.state.word}"
            identity = (message, now.isoformat())
            event = own_event(EventSource.QUEUE, "queue_status", now, *identity, status=word, message=message)
            activity.add_event(run.id, event)
    for name, value in values.items():
        setattr(run, name, value)


def end_of_run(run_id: str, status: RunStatus, message: str | None, now: datetime) -> None:
    """Close the steps and record the end; runs in the transaction that made the run final."""
    activity.close_steps(run_id, status, now)
    add_process_event(run_id, _EVENTS[status], message, now)
    if status in _FACILITY_EVENTS:
        run = PipelineRun.get_by_id(run_id)
        owner_id = targets.owner_of_target(run)
        assert owner_id is not None, "a target with runs is never deleted"
        detail = {
            "runId": run_id,
            "runNumber": run.run_number,
            "pipelineId": run.pipeline_id,
            "orderId": run.order_id,
            "studyId": run.study_id,
            "madeBy": run.user_id,
        }
        record(_FACILITY_EVENTS[status], now, owner_id, detail)
    if is_recording():
        from seqfacility_instance.runs.meters import FINISHED_RUNS

        FINISHED_RUNS.labels(status.value).inc()


def add_process_event(run_id: str, event_type: str, message: str | None, now: datetime) -> None:
    """Write an event of our own making. Decision: G183."""
    identity = ((message or "")[: limits.WEBLOG_MESSAGE_MAX_CHARACTERS], now.isoformat())
    event = own_event(EventSource.PROCESS, event_type, now, *identity, message=message)
    activity.add_event(run_id, event)


def excerpt_columns(run: PipelineRun, base: str | None) -> dict[str, object]:
    """Take along what the run folder shows at the end, for the time when it is gone; `base` as in G193.

    These are the last lines of both logs, and the names of the engine's own files; nothing when that fails.

    Decision: G188, G342, G377.
    """
    folder = rows.folder_of(run)
    if folder is None:
        return {}

    def shown() -> dict[str, object]:
        return {
            "output_tail": _tail(folder.output_log),
            "error_tail": _tail(folder.error_log),
            "technical_files": list_technical_files(folder, base),
        }

    kept = attempted(run.id, shown)
    return {} if isinstance(kept, Fault) else kept


def _tail(path: Path) -> str | None:
    text = read_tail(path, limits.LOG_MAX_TAIL_LINES)
    return None if text is None else without_tokens(text)[-limits.LOG_CACHED_TAIL_BYTES :].replace("\0", "")
