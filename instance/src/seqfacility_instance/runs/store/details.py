"""Reading what is known about one run: tasks, events, samples, files."""

from seqfacility_instance.core import limits
from seqfacility_instance.runs.rules.activity import FINAL_TASK_STATUSES, GOOD_TASK_STATUSES
from seqfacility_instance.runs.store.tasks import list_processes
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
    counts = [process.attempts for process in list_processes(run_id)]
    total = sum(sum(one.values()) if status is None else one.get(status.upper(), 0) for one in counts)
    # Tasks that never said when they were submitted come last, in SQLite as in PostgreSQL.
    page = query.order_by(PipelineRunTask.submitted_at.asc(nulls="LAST"), PipelineRunTask.id)
    return list(page.limit(limit).offset(offset)), total


def summarise_processes(run_id: str) -> list[tuple[str, int, int, int, int]]:
    """Give each process with its tasks: all, running, failed and well ended, in order of appearance.

    Gap: G188, G347.
    """

    def counted(attempts: dict[str, int], statuses: tuple[str, ...]) -> int:
        return sum(attempts.get(status, 0) for status in statuses)

    found = []
    for row in list_processes(run_id):
        total = sum(row.attempts.values())
        bad, good = counted(row.attempts, _BAD_STATUSES), counted(row.attempts, GOOD_TASK_STATUSES)
        running = total - bad - good - counted(row.attempts, _UNSTARTED_STATUSES)
        found.append((row.process, total, running, bad, good))
    return found


def list_events(run_id: str) -> list[PipelineRunEvent]:
    """List the newest events of a run, newest first. Spec: instance, Weblog intake 4. Gap: G160."""
    return list(
        PipelineRunEvent.select()
        .where(PipelineRunEvent.pipeline_run == run_id)
        .order_by(PipelineRunEvent.occurred_at.desc(), PipelineRunEvent.id.desc())
        .limit(limits.WEBLOG_EVENTS_PER_RUN)
    )
