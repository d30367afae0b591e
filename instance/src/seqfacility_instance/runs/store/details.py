"""Reading what is known about one run: tasks, events, samples, files."""

from peewee import fn

from seqfacility_instance.core import limits
from seqfacility_instance.runs.rules.progress import BAD_TASK_STATUSES
from seqfacility_instance.runs.store.tasks import read_counts
from seqfacility_instance.tables.pipelines import PipelineRun, PipelineRunEvent, PipelineRunTask


def failed_tasks(run: PipelineRun, limit: int) -> list[PipelineRunTask]:
    """List the tasks of a run that failed, the last one first; those that were merely ended are none.

    What failed before the run was resumed explains nothing that came later.

    Decision: G168, G341, G711.
    """
    return list(
        PipelineRunTask.select()
        .where(
            (PipelineRunTask.pipeline_run == run.id)
            & (PipelineRunTask.launch == run.resumed_count)
            & PipelineRunTask.status.in_(BAD_TASK_STATUSES)
            & (PipelineRunTask.status != "ABORTED")
        )
        .order_by(PipelineRunTask.completed_at.desc(), PipelineRunTask.id.desc())
        .limit(limit)
    )


def list_tasks(run_id: str, status: str | None, limit: int, offset: int) -> tuple[list[PipelineRunTask], int]:
    """Return a page of the tasks of a run in order of submission, and how many there are. Decision: G161."""
    query = PipelineRunTask.select().where(PipelineRunTask.pipeline_run == run_id)
    if status is not None:
        query = query.where(PipelineRunTask.status == status.upper())
    total = sum(
        count.all_attempts if status is None else count.with_status(status.upper())
        for count in read_counts(run_id).values()
    )
    # Tasks that never said when they were submitted come last, in SQLite as in PostgreSQL.
    page = query.order_by(PipelineRunTask.submitted_at.asc(nulls="LAST"), PipelineRunTask.id)
    return list(page.limit(limit).offset(offset)), total


def changed_tasks(run_id: str, revision: int, task_id: str, limit: int) -> list[PipelineRunTask]:
    """List the tasks that changed after a revision, or in it and have a later id, in this order.

    Decision: G727.
    """
    is_later = (PipelineRunTask.revision > revision) | (PipelineRunTask.id > task_id)
    return list(
        PipelineRunTask.select()
        .where((PipelineRunTask.pipeline_run == run_id) & (PipelineRunTask.revision >= revision) & is_later)
        .order_by(PipelineRunTask.revision, PipelineRunTask.id)
        .limit(limit)
    )


def last_revision(run_id: str) -> int:
    """Return the newest revision of the tasks of a run. Decision: G727."""
    newest = fn.MAX(PipelineRunTask.revision)
    return int(PipelineRunTask.select(newest).where(PipelineRunTask.pipeline_run == run_id).scalar() or 0)


def count_tasks(run_id: str) -> int:
    """Count all attempts of all tasks of a run. Decision: G347."""
    return sum(count.all_attempts for count in read_counts(run_id).values())


def find_task(run_id: str, task_id: str) -> PipelineRunTask | None:
    """Find a task of a run by the id of its row."""
    found: PipelineRunTask | None = (
        PipelineRunTask.select()
        .where((PipelineRunTask.pipeline_run == run_id) & (PipelineRunTask.id == task_id))
        .first()
    )
    return found


def list_events(run_id: str) -> list[PipelineRunEvent]:
    """List the newest events of a run, newest first. Spec: instance, Weblog intake 4. Decision: G160."""
    return list(
        PipelineRunEvent.select()
        .where(PipelineRunEvent.pipeline_run == run_id)
        .order_by(PipelineRunEvent.occurred_at.desc(), PipelineRunEvent.id.desc())
        .limit(limits.WEBLOG_EVENTS_PER_RUN)
    )
