"""Reading run rows, making them, and every move of a run's status: conditional updates that can lose."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path

from peewee import JOIN, Case, Expression, Query, fn
from seqfacility_workflow_runtime.executors.contract import JobHandle
from seqfacility_workflow_runtime.processes.identity import Machine
from seqfacility_workflow_runtime.run_folder import RunFolder

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.owned_rows import in_reach
from seqfacility_instance.core import limits
from seqfacility_instance.core.ids import epoch_milliseconds
from seqfacility_instance.core.vocabulary.pipelines import RunStatus
from seqfacility_instance.runs.errors import AlreadyStarted, RunNotFound
from seqfacility_instance.runs.rules.verdict import ACTIVE_STATUSES, FINALISING
from seqfacility_instance.tables.orders import Order
from seqfacility_instance.tables.people import User
from seqfacility_instance.tables.pipelines import PipelineRun, RunNumberCounter
from seqfacility_instance.tables.studies import Study

_IS_ACTIVE = PipelineRun.status.in_(ACTIVE_STATUSES)

_NOTHING: Mapping[str, object] = {}

_OF_ONE_LAUNCH = (
    "current_step", "failure", "launch_token", "launch_claimed_at", "cancel_requested_at",
    "cancel_delegated_at", "command", "job_id", "pid", "process_started_ticks", "boot_id", "job_host",
    "pid_namespace", "queue_status", "queue_source", "queue_checked_at", "job_missing_since", "job_ended_at",
    "job_over_at", "exit_code", "output_tail", "error_tail", "technical_files", "outputs_resolved_at",
    "outputs_retry_at", "outputs_problem", "queued_at", "completed_at", "waiting_since", "waiting_by",
    "queue_host", "queue_position", "queue_reason",
)  # fmt: skip
"""What is known of one launch of a run, and of its place in a queue."""


def find(run_id: str) -> PipelineRun | None:
    """Read a run without asking who wants to know; for the weblog and the monitor."""
    return PipelineRun.get_or_none(PipelineRun.id == run_id)


def find_for(caller: SignedIn, run_id: str) -> PipelineRun | None:
    """Read a run in the caller's reach, with its order, study and user. Decision: G163, G283."""
    found: PipelineRun | None = (
        PipelineRun.select(PipelineRun, Order, Study, User)
        .join(Order, JOIN.LEFT_OUTER)
        .switch(PipelineRun)
        .join(Study, JOIN.LEFT_OUTER)
        .switch(PipelineRun)
        .join(User, on=PipelineRun.user)
        .where((PipelineRun.id == run_id) & in_reach(caller, PipelineRun.user))
        .first()
    )
    return found


def get_for(caller: SignedIn, run_id: str) -> PipelineRun:
    """Read a run as `find_for` does; raises `RunNotFound`. Decision: G14."""
    run = find_for(caller, run_id)
    if run is None:
        raise RunNotFound
    return run


def already_started(run_id: str) -> AlreadyStarted:
    """Make the refusal of whoever lost a claim, with the status that the run has now."""
    run = find(run_id)
    return AlreadyStarted(status=(RunStatus.CANCELLED if run is None else run.status).value)


def folder_of(run: PipelineRun) -> RunFolder | None:
    """Name the folder of a run; None before it is staged."""
    return None if run.run_folder is None else RunFolder(Path(run.run_folder))


def create(values: dict[str, object]) -> PipelineRun:
    """Insert a run."""
    return PipelineRun.create(**values)


def next_count(pipeline_id: str, day: str) -> int:
    """Count up and return the next canonical number of a pipeline on a day; two callers never get the same.

    The counter's row is locked by the update until the transaction ends, on every database.

    Decision: G151.
    """
    RunNumberCounter.insert(pipeline_id=pipeline_id, day=day, last_count=0).on_conflict_ignore().execute()
    counter = (RunNumberCounter.pipeline_id == pipeline_id) & (RunNumberCounter.day == day)
    RunNumberCounter.update(last_count=RunNumberCounter.last_count + 1).where(counter).execute()
    return RunNumberCounter.get(counter).last_count


def claim_launch(run_id: str, token: str, now: datetime, values: Mapping[str, object] = _NOTHING) -> bool:
    """Claim the one launch of a pending run; exactly one caller ever wins. Decision: G152.

    The time of the claim decides, not the token: a launch that was given up has none any more. `values` say
    what the run takes of its machine.
    """
    return _claim(
        (PipelineRun.id == run_id)
        & (PipelineRun.status == RunStatus.PENDING)
        & PipelineRun.launch_claimed_at.is_null()
        & PipelineRun.cancel_requested_at.is_null(),
        now,
        launch_token=token,
        launch_claimed_at=now,
        **values,
    )


def claim_resumed(run: PipelineRun, now: datetime) -> bool:
    """Let a run that has ended pend again, as it was read; exactly one caller ever wins.

    Its job must be known to be over. What the ended launch has left in the row is cleared, so that none of it
    is taken for the next one's; tasks, number, folder and the first start stay.

    Decision: G711.
    """
    return _claim(
        (PipelineRun.id == run.id)
        & (PipelineRun.status == run.status)
        & (PipelineRun.resumed_count == run.resumed_count)
        & PipelineRun.status.in_((RunStatus.FAILED, RunStatus.CANCELLED))
        & PipelineRun.job_over_at.is_null(False),
        now,
        status=RunStatus.PENDING,
        resumed_count=PipelineRun.resumed_count + 1,
        resumed_at=now,
        progress=0,
        outputs_attempts=0,
        **dict.fromkeys(_OF_ONE_LAUNCH),
    )


def claim_staged(run_id: str, token: str, values: dict[str, object], now: datetime) -> bool:
    """Note number, folder and inputs of a claimed launch; False when it is not wanted any more.

    The folder is made before and by this launch alone: a run without a folder never had a job.

    Decision: G382.
    """
    return _claim(
        (PipelineRun.id == run_id)
        & (PipelineRun.launch_token == token)
        & (PipelineRun.status == RunStatus.PENDING)
        & PipelineRun.cancel_requested_at.is_null(),
        now,
        **values,
    )


def claim_given_up(run_id: str, token: str, now: datetime) -> bool:
    """Take a launch from its caller, who loses `claim_launched` then; False when it has a job.

    Decision: G384.
    """
    return _claim(
        (PipelineRun.id == run_id)
        & (PipelineRun.launch_token == token)
        & PipelineRun.pid.is_null()
        & PipelineRun.job_id.is_null(),
        now,
        launch_token=None,
    )


def claim_launched(
    run_id: str, token: str, handle: JobHandle, command: str | None, now: datetime, *, queues: bool
) -> bool:
    """Note the job of a launch, and leave `pending`; False when the run was cancelled or given up meanwhile.

    The job waits in a queue, or is a process that runs at once. A run whose events arrived first stays as far
    as they brought it, final states included: the job is noted all the same, so that it can be found.

    Decision: G152, G155, G156, G384, G512.
    """
    noted = _claim(
        (PipelineRun.id == run_id)
        & (PipelineRun.launch_token == token)
        & (PipelineRun.status != RunStatus.CANCELLED),
        now,
        command=command,
        **({"job_id": handle.number} if queues else _process(handle)),
    )
    if not noted:
        return False
    moved: dict[str, object] = {"status": RunStatus.RUNNING, **_started(now)}
    if queues:
        moved = {"status": RunStatus.QUEUED, "queued_at": now}
    _claim((PipelineRun.id == run_id) & (PipelineRun.status == RunStatus.PENDING), now, **moved)
    return True


def claim_held(run_id: str, now: datetime) -> bool:
    """Hold an active run at 99 while its end is not confirmed; False when it is held or final already.

    Spec: instance, Weblog intake 8. Decision: G180.
    """
    is_held = (
        (PipelineRun.status == RunStatus.RUNNING)
        & (PipelineRun.progress == limits.RUN_ACTIVE_MAX_PROGRESS)
        & (PipelineRun.current_step == FINALISING)
    )
    return _claim((PipelineRun.id == run_id) & _IS_ACTIVE & ~is_held, now, **_held(now))


def claim_waiting(run_id: str, attempts: int, retry_at: datetime, problem: str, now: datetime) -> bool:
    """Hold a run whose outputs are not there yet, and note when they are looked for again. Decision: G181."""
    return _claim(
        (PipelineRun.id == run_id) & _IS_ACTIVE,
        now,
        outputs_attempts=attempts,
        outputs_retry_at=retry_at,
        outputs_problem=problem,
        **_held(now),
    )


def claim_completed(run_id: str, tails: dict[str, object], now: datetime) -> bool:
    """Complete an active run; False when it is final already. Spec: instance, Weblog intake 8."""
    return _claim(
        (PipelineRun.id == run_id) & _IS_ACTIVE,
        now,
        status=RunStatus.COMPLETED,
        progress=100,
        current_step=None,
        completed_at=now,
        outputs_resolved_at=now,
        outputs_problem=None,
        failure=None,
        **_started(now),
        **_over_without_a_folder(now),
        **tails,
    )


def claim_failed(run_id: str, failure: dict[str, object], tails: dict[str, object], now: datetime) -> bool:
    """Fail an active run; False when it is final already. Decision: G156, G168."""
    return _claim(
        (PipelineRun.id == run_id) & _IS_ACTIVE,
        now,
        status=RunStatus.FAILED,
        completed_at=now,
        failure=failure,
        **_over_without_a_folder(now),
        **tails,
    )


def claim_failure(run_id: str, before: dict[str, object], after: dict[str, object], now: datetime) -> bool:
    """Complete the reason of a failed run; False when another process has done so. Decision: G393."""
    is_untouched = (PipelineRun.status == RunStatus.FAILED) & (PipelineRun.failure == before)
    return _claim((PipelineRun.id == run_id) & is_untouched, now, failure=after)


def claim_cancelled(run_id: str, tails: dict[str, object], now: datetime) -> bool:
    """Cancel an active run; False when it is final already. Decision: G164, G278."""
    return _claim(
        (PipelineRun.id == run_id) & _IS_ACTIVE,
        now,
        status=RunStatus.CANCELLED,
        completed_at=now,
        cancel_requested_at=fn.COALESCE(PipelineRun.cancel_requested_at, epoch_milliseconds(now)),
        **_over_without_a_folder(now),
        **tails,
    )


def claim_cancel_request(run_id: str, now: datetime) -> bool:
    """Note that somebody wants an active run to end; False when it is final, or somebody wants so already.

    Decision: G164, G385.
    """
    return _claim(
        (PipelineRun.id == run_id) & _IS_ACTIVE & PipelineRun.cancel_requested_at.is_null(),
        now,
        cancel_requested_at=now,
    )


def withdraw_cancel_request(run_id: str, noted_at: datetime, now: datetime) -> bool:
    """Take back the request of `noted_at`, which was refused, while the run is active. Decision: G164."""
    return _claim(
        (PipelineRun.id == run_id) & _IS_ACTIVE & (PipelineRun.cancel_requested_at == noted_at),
        now,
        cancel_requested_at=None,
    )


def delegate_cancellation(run_id: str, now: datetime) -> None:
    """Ask the monitor of the machine that has the job to end it. Decision: G383."""
    PipelineRun.update(cancel_delegated_at=now).where(PipelineRun.id == run_id).execute()


def note_job(run_id: str, values: dict[str, object]) -> bool:
    """Note what was seen of a job that is not known to be over, whatever the status of its run.

    Decision: G380.
    """
    is_open = (PipelineRun.id == run_id) & PipelineRun.job_over_at.is_null()
    return _has_changed(PipelineRun.update(**values).where(is_open))


def claim_observed(run_id: str, values: dict[str, object], now: datetime) -> bool:
    """Note what was seen of the job of an active run; False when it is final already. Decision: G185."""
    return _claim((PipelineRun.id == run_id) & _IS_ACTIVE, now, **values)


def claim_trace_read(run_id: str, before: int, after: int) -> bool:
    """Note how far the trace was read; False when another reader was there first. Decision: G184."""
    is_untouched = (PipelineRun.id == run_id) & (PipelineRun.trace_offset == before)
    return _has_changed(PipelineRun.update(trace_offset=after).where(is_untouched))


def claim_lease(run_id: str, holder: str, until: datetime, now: datetime) -> bool:
    """Let one monitor look after a run; False while another one does. Decision: G264."""
    is_free = (
        PipelineRun.leased_until.is_null()
        | (PipelineRun.leased_until <= now)
        | (PipelineRun.lease_holder == holder)
    )
    taken = PipelineRun.update(lease_holder=holder, leased_until=until)
    return _has_changed(taken.where((PipelineRun.id == run_id) & is_free))


def release_lease(run_id: str, holder: str) -> None:
    """Let another monitor look after a run at once. Decision: G378."""
    PipelineRun.update(leased_until=None).where(
        (PipelineRun.id == run_id) & (PipelineRun.lease_holder == holder)
    ).execute()


def list_watched(machine: Machine) -> list[PipelineRun]:
    """List the runs that a monitor of `machine` looks after: active with a job, or waiting for their outputs.

    Decision: G383.
    """
    has_job = PipelineRun.pid.is_null(False) | PipelineRun.job_id.is_null(False)
    return list(
        PipelineRun.select()
        .where(_IS_ACTIVE & _is_within_reach(machine) & (has_job | PipelineRun.job_ended_at.is_null(False)))
        .order_by(PipelineRun.id)
    )


def list_outlived(machine: Machine) -> list[PipelineRun]:
    """List the final runs whose job is not known to be over; an index has them, whatever the history.

    Decision: G380, G383.
    """
    return list(
        PipelineRun.select()
        .where(PipelineRun.job_over_at.is_null() & ~_IS_ACTIVE & _is_within_reach(machine))
        .order_by(PipelineRun.id)
    )


def list_stuck_cancellations(machine: Machine, requested_before: datetime) -> list[PipelineRun]:
    """List active runs whose end somebody wants and nobody brings about: a request died, or could not.

    Decision: G164, G383.
    """
    is_stuck = (PipelineRun.cancel_requested_at <= requested_before) | (
        PipelineRun.cancel_requested_at.is_null(False) & PipelineRun.cancel_delegated_at.is_null(False)
    )
    return list(PipelineRun.select().where(_IS_ACTIVE & is_stuck & _is_within_reach(machine)))


def list_stuck_launches(claimed_before: datetime) -> list[PipelineRun]:
    """List active runs whose launch was claimed and has no job since. Decision: G152."""
    return list(
        PipelineRun.select().where(
            _IS_ACTIVE
            & (PipelineRun.launch_claimed_at <= claimed_before)
            & PipelineRun.pid.is_null()
            & PipelineRun.job_id.is_null()
            & PipelineRun.job_ended_at.is_null()
        )
    )


def delete(run_id: str, statuses: Iterable[RunStatus]) -> bool:
    """Delete a run that has one of `statuses`; what belongs to it goes too. Decision: G165."""
    is_allowed = (PipelineRun.id == run_id) & PipelineRun.status.in_(list(statuses))
    return _has_changed(PipelineRun.delete().where(is_allowed))


def _claim(condition: Expression, now: datetime, **values: object) -> bool:
    return _has_changed(PipelineRun.update(updated_at=now, **values).where(condition))


def _has_changed(query: Query) -> bool:
    """Run a conditional update; whether it found its row says who won."""
    changed: int = query.execute()
    return changed == 1


def _is_within_reach(machine: Machine) -> Expression:
    """Return whether the job of a run can be asked about on `machine`; see `distance`. Decision: G383."""
    within: Expression = (
        PipelineRun.job_host.is_null()
        | (PipelineRun.boot_id == machine.boot_id)
        | (PipelineRun.job_host == machine.host)
    )
    return within


def _process(handle: JobHandle) -> dict[str, object]:
    """Return the columns that name a job of this machine: its process. Decision: G155, G383."""
    values: dict[str, object] = {"pid": int(handle.number)}
    process = None if handle.launch is None else handle.launch.process
    if process is not None:
        values |= {
            "process_started_ticks": process.start_ticks,
            "boot_id": process.machine.boot_id,
            "job_host": process.machine.host,
            "pid_namespace": process.machine.pid_namespace,
        }
    return values


def _over_without_a_folder(now: datetime) -> dict[str, object]:
    """Note of a run that becomes final that it never had a job, when it has no folder. Decision: G380."""
    known = PipelineRun.job_over_at
    return {"job_over_at": Case(None, [(PipelineRun.run_folder.is_null(), epoch_milliseconds(now))], known)}


def _held(now: datetime) -> dict[str, object]:
    return {
        "status": RunStatus.RUNNING,
        "progress": limits.RUN_ACTIVE_MAX_PROGRESS,
        "current_step": FINALISING,
        **_started(now),
    }


def _started(now: datetime) -> dict[str, object]:
    """Set `startedAt` once."""
    return {"started_at": fn.COALESCE(PipelineRun.started_at, epoch_milliseconds(now))}
