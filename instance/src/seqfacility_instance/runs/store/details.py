"""Reading what is known about one run: tasks, events, samples, files."""

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


def list_events(run_id: str) -> list[PipelineRunEvent]:
    """List the newest events of a run, newest first. Spec: instance, Weblog intake 4. Decision: G160."""
    return list(
        PipelineRunEvent.select()
        .where(PipelineRunEvent.pipeline_run == run_id)
        .order_by(PipelineRunEvent.occurred_at.desc(), PipelineRunEvent.id.desc())
        .limit(limits.WEBLOG_EVENTS_PER_RUN)
    )
