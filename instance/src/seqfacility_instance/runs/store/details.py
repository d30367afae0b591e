"""Reading what is known about one run: tasks, events, samples, files."""

from collections.abc import Iterable
from typing import cast

from peewee import Case, fn

from seqfacility_instance.core import limits
from seqfacility_instance.runs.rules.activity import FINAL_TASK_STATUSES, GOOD_TASK_STATUSES
from seqfacility_instance.tables import PipelineRunEvent, PipelineRunTask

_BAD_STATUSES = tuple(status for status in FINAL_TASK_STATUSES if status not in GOOD_TASK_STATUSES)
_UNSTARTED_STATUSES = ("NEW", "SUBMITTED", "PENDING")


def failed_process(run_id: str) -> str | None:
    """Name the process of the task that failed last; None when no task failed. Gap: G168."""
    failed = failed_tasks(run_id, 1)
    return failed[0].process if failed else None


def failed_tasks(run_id: str, limit: int) -> list[PipelineRunTask]:
    """List the tasks of a run that failed, the last one first; those that were merely ended are none.

    Gap: G168, G341.
    """
    return list(
        PipelineRunTask.select()
        .where(
            (PipelineRunTask.pipeline_run == run_id)
            & PipelineRunTask.status.in_(_BAD_STATUSES)
            & (PipelineRunTask.status != "ABORTED")
        )
        .order_by(PipelineRunTask.completed_at.desc(), PipelineRunTask.id.desc())
        .limit(limit)
    )


def list_tasks(run_id: str, status: str | None, limit: int, offset: int) -> tuple[list[PipelineRunTask], int]:
    """Give a page of the tasks of a run in order of submission, and how many there are. Gap: G161."""
    query = PipelineRunTask.select().where(PipelineRunTask.pipeline_run == run_id)
    if status is not None:
        query = query.where(PipelineRunTask.status == status.upper())
    total = query.count()
    # Tasks that never said when they were submitted come last, in SQLite as in PostgreSQL.
    is_unknown = Case(None, [(PipelineRunTask.submitted_at.is_null(), 1)], 0)
    page = query.order_by(is_unknown, PipelineRunTask.submitted_at, PipelineRunTask.id)
    return list(page.limit(limit).offset(offset)), total


def summarise_processes(run_id: str) -> list[tuple[str, int, int, int, int]]:
    """Give each process with its tasks: all, running, failed and well ended, in order of appearance.

    Gap: G188.
    """

    def counted(statuses: tuple[str, ...]) -> object:
        return fn.SUM(Case(None, [(PipelineRunTask.status.in_(statuses), 1)], 0))

    known = FINAL_TASK_STATUSES + _UNSTARTED_STATUSES
    running = fn.SUM(Case(None, [(PipelineRunTask.status.in_(known), 0)], 1))
    query = (
        PipelineRunTask.select(
            PipelineRunTask.process,
            fn.COUNT(PipelineRunTask.id),
            running,
            counted(_BAD_STATUSES),
            counted(GOOD_TASK_STATUSES),
        )
        .where(PipelineRunTask.pipeline_run == run_id)
        .group_by(PipelineRunTask.process)
        .order_by(fn.MIN(PipelineRunTask.id))
        .tuples()
    )
    counts = cast("Iterable[tuple[str, int, int, int, int]]", query)
    return [
        (process, int(total), int(active), int(bad), int(good))
        for process, total, active, bad, good in counts
    ]


def list_events(run_id: str) -> list[PipelineRunEvent]:
    """List the newest events of a run, newest first. Spec: instance, Weblog intake 4. Gap: G160."""
    return list(
        PipelineRunEvent.select()
        .where(PipelineRunEvent.pipeline_run == run_id)
        .order_by(PipelineRunEvent.occurred_at.desc(), PipelineRunEvent.id.desc())
        .limit(limits.WEBLOG_EVENTS_PER_RUN)
    )
