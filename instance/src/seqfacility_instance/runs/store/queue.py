"""The queue of a machine: the runs that wait for room there, and those that have it."""

from collections.abc import Collection
from datetime import datetime

from peewee import Expression, ModelUpdate, fn

from seqfacility_instance.core.ids import epoch_milliseconds
from seqfacility_instance.core.vocabulary.pipelines import Backend, RunStatus
from seqfacility_instance.tables.pipelines import PipelineRun, RunQueue

_WAITS = (
    PipelineRun.waiting_since.is_null(False)
    & PipelineRun.launch_claimed_at.is_null()
    & (PipelineRun.status == RunStatus.PENDING)
    & PipelineRun.cancel_requested_at.is_null()
)


def hold(host: str, now: datetime) -> None:
    """Let nobody else take room on a machine until the transaction ends.

    The row is locked by the update, on every database. Decision: G717.
    """
    RunQueue.insert(host=host, moved_at=now).on_conflict_ignore().execute()
    RunQueue.update(moved_at=now).where(RunQueue.host == host).execute()


def list_waiting(host: str) -> list[PipelineRun]:
    """List the runs that wait for a machine, the next one first."""
    query = PipelineRun.select().where(_WAITS & (PipelineRun.queue_host == host))
    return list(query.order_by(PipelineRun.waiting_since, PipelineRun.id))


def waits(run: PipelineRun) -> bool:
    """Return whether a row that was read is one that waits."""
    return (
        run.status is RunStatus.PENDING
        and run.waiting_since is not None
        and run.launch_claimed_at is None
        and run.cancel_requested_at is None
    )


def hosts_with_waiting() -> list[str]:
    """Name the machines that runs wait for."""
    query = PipelineRun.select(PipelineRun.queue_host).where(_WAITS).distinct()
    return [run.queue_host for run in query if run.queue_host is not None]


def move_waiting(host: str, to: str) -> None:
    """Let the runs that wait for one machine wait for another one."""
    PipelineRun.update(queue_host=to).where(_WAITS & (PipelineRun.queue_host == host)).execute()


def list_taking(host: str, backends: Collection[Backend]) -> list[PipelineRun]:
    """List the runs whose jobs are on a machine, or may be: launched, and not known to be over.

    An earlier release noted the machine with the process alone.
    """
    is_here = fn.COALESCE(PipelineRun.queue_host, PipelineRun.job_host) == host
    return list(
        PipelineRun.select().where(
            PipelineRun.job_over_at.is_null()
            & PipelineRun.launch_claimed_at.is_null(False)
            & PipelineRun.execution_mode.in_(list(backends))
            & is_here
        )
    )


def claim_place(run_id: str, values: dict[str, object], now: datetime) -> bool:
    """Let a pending run wait; one that waits keeps its place. False when it is not pending any more."""
    is_pending = (
        (PipelineRun.id == run_id)
        & (PipelineRun.status == RunStatus.PENDING)
        & PipelineRun.launch_claimed_at.is_null()
        & PipelineRun.cancel_requested_at.is_null()
    )
    return _has_changed(
        PipelineRun.update(
            updated_at=now,
            waiting_since=fn.COALESCE(PipelineRun.waiting_since, epoch_milliseconds(now)),
            **values,
        ),
        is_pending,
    )


def note_place(run_id: str, position: int, reason: str) -> bool:
    """Note where a run waits and why; False when that is known, or it does not wait."""
    is_news = (PipelineRun.queue_position.is_null()) | (PipelineRun.queue_position != position)
    is_news |= PipelineRun.queue_reason.is_null() | (PipelineRun.queue_reason != reason)
    return _has_changed(
        PipelineRun.update(queue_position=position, queue_reason=reason),
        (PipelineRun.id == run_id) & _WAITS & is_news,
    )


def claim_back(run_id: str, token: str | None, now: datetime) -> bool:
    """Give a launch that came to nothing its place in the queue back; False when it made a folder.

    Decision: G719.
    """
    is_unmade = PipelineRun.run_folder.is_null() & PipelineRun.waiting_since.is_null(False)
    return _has_changed(
        PipelineRun.update(updated_at=now, launch_token=None, launch_claimed_at=None),
        (PipelineRun.id == run_id)
        & (PipelineRun.status == RunStatus.PENDING)
        & (PipelineRun.launch_token == token)
        & PipelineRun.cancel_requested_at.is_null()
        & is_unmade,
    )


def _has_changed(query: ModelUpdate, condition: Expression) -> bool:
    changed: int = query.where(condition).execute()
    return changed == 1
