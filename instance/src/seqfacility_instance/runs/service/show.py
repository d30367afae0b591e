"""Reading runs: who may, the list, the details."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from seqfacility_wire.errors import ServiceError
from seqfacility_wire.paging import Page
from seqfacility_workflow_runtime.launch import ExitRecord, read_exit

from seqfacility_instance.access.callers import FacilityAdmin, SignedIn
from seqfacility_instance.access.errors import Forbidden
from seqfacility_instance.access.reading import may_read_run
from seqfacility_instance.core.vocabulary.pipelines import EventClass, EventSource, FailureKind, RunStatus
from seqfacility_instance.pipelines.bodies import Noticed
from seqfacility_instance.pipelines.service import Pipelines
from seqfacility_instance.results import store as results
from seqfacility_instance.results.run_inputs import InputFile, read_description
from seqfacility_instance.run_plans.store import find_run
from seqfacility_instance.runs.errors import CannotResume, NoTaskLog, RunFolderNotSet, TaskNotFound
from seqfacility_instance.runs.rules.causes import Cause, KnownCause, known_cause
from seqfacility_instance.runs.rules.event import stored_class
from seqfacility_instance.runs.rules.progress import ProcessCount, WorkflowSteps, contradicts
from seqfacility_instance.runs.rules.requests import TaskCursor
from seqfacility_instance.runs.service.logs import log_excerpt, shown_lines
from seqfacility_instance.runs.service.resume import Resumption
from seqfacility_instance.runs.service.run_files import RunFile, list_run_files
from seqfacility_instance.runs.service.task_logs import TaskLog, read_task_logs
from seqfacility_instance.runs.store import activity, details, listing, rows, selection, targets
from seqfacility_instance.runs.store.listing import RunExtras, RunFilter
from seqfacility_instance.runs.store.tasks import read_counts
from seqfacility_instance.tables.orders import Sample
from seqfacility_instance.tables.pipelines import (
    PipelineRun,
    PipelineRunEvent,
    PipelineRunStep,
    PipelineRunTask,
)
from seqfacility_instance.tables.results import Assembly, Bin, PipelineArtifact
from seqfacility_instance.tables.sequencing import SequencingRun


@dataclass(frozen=True, slots=True)
class PipelineLabel:
    """How a pipeline is shown beside its runs."""

    name: str
    icon: str


@dataclass(frozen=True, slots=True)
class RunPage:
    """A page of the run list with everything its rows show."""

    runs: list[PipelineRun]
    total: int
    extras: RunExtras
    labels: dict[tuple[str, str], PipelineLabel]


@dataclass(frozen=True, slots=True)
class RunRecord:
    """Everything that is known about one run. Decision: G160."""

    run: PipelineRun
    extras: RunExtras
    label: PipelineLabel
    samples: list[Sample]
    steps: list[PipelineRunStep]
    step_tasks: dict[str, ProcessCount]
    events: list[PipelineRunEvent]
    artifacts: list[PipelineArtifact]
    assemblies: list[Assembly]
    bins: list[Bin]
    input_files: list[InputFile]
    contradiction: PipelineRunEvent | None
    started_from: PipelineRun | None
    sequencing_run: SequencingRun | None
    can_resume: bool
    cannot_resume_reason: str | None
    noticed: Noticed
    """What is said against the version that it was made with; told to admins."""


@dataclass(frozen=True, slots=True)
class ChangedTasks:
    """Some tasks in the order of their changes, and where to read on.

    `is_reset` says that the cursor was one of other tasks, and that these are the first ones of all.

    Decision: G727.
    """

    tasks: list[PipelineRunTask]
    total: int
    cursor: TaskCursor
    has_more: bool
    is_reset: bool


@dataclass(frozen=True, slots=True)
class RunEvidence:
    """What each witness of a run said, and what is known of a failure's cause. Decision: G341.

    `engine` is the engine's last word on the whole workflow, with what it means in `engine_said`;
    `failed_tasks` has the last one first.
    """

    run: PipelineRun
    engine: PipelineRunEvent | None
    engine_said: EventClass | None
    exit_record: ExitRecord | None
    failed_tasks: list[PipelineRunTask]
    cause: KnownCause | None
    last_lines: list[str]


_ENGINE_ENDS = frozenset({EventClass.WORKFLOW_END, EventClass.WORKFLOW_FAILURE})
_SHOWN_TASKS = 10


def readable_run(caller: SignedIn, run_id: str) -> PipelineRun:
    """Return a run that the caller may read; the one rule for details, logs, sync and tasks.

    Raises `RunNotFound` for an unknown run and `Forbidden` for one that exists.

    Spec: instance, Authentication 5. Decision: G163.
    """
    run = rows.get_for(caller, run_id)
    is_selected = selection.find_of_run(run.id) is not None
    if not may_read_run(caller, is_selected, targets.owner_of_target(run)):
        raise Forbidden
    return run


@dataclass(frozen=True, slots=True)
class RunReading:
    """Lists and shows runs. Decision: G157-G162."""

    pipelines: Pipelines
    resumption: Resumption

    def list_runs(self, caller: SignedIn, wanted: RunFilter, page: Page) -> RunPage:
        """Return a page of the runs that the caller may see.

        Spec: instance, Pipeline runs. Decision: G157.
        """
        runs, total = listing.list_runs(caller, wanted, page.limit, page.offset)
        versions = {(run.pipeline_id, run.pipeline_version) for run in runs}
        labels = {(name, version): self._label(name, version) for name, version in versions}
        return RunPage(runs, total, listing.extras_of([run.id for run in runs]), labels)

    def show(self, caller: SignedIn, run_id: str) -> RunRecord:
        """Return everything about a run; raises `RunNotFound` or `Forbidden`. Decision: G160."""
        run = readable_run(caller, run_id)
        events = details.list_events(run.id)
        can_resume, reason = self._can_resume(run) if caller.is_admin else (False, None)
        return RunRecord(
            run=run,
            extras=listing.extras_of([run.id]),
            label=self._label(run.pipeline_id, run.pipeline_version),
            samples=targets.list_samples(targets.target_of(run), run.input_sample_ids),
            steps=activity.list_steps(run.id),
            step_tasks=self._step_tasks(run),
            events=events,
            artifacts=results.list_run_artifacts([run.id]),
            assemblies=results.list_assemblies(run.id),
            bins=results.list_bins(run.id),
            input_files=_input_files(run) if caller.sees_server_paths else [],
            contradiction=_contradiction(run, events),
            started_from=None if run.started_from_id is None else rows.find(run.started_from_id),
            sequencing_run=_sequencing_run(run) if caller.is_admin else None,
            can_resume=can_resume,
            cannot_resume_reason=reason,
            noticed=self.pipelines.noticed(run.pipeline_id, run.pipeline_version) if caller.is_admin else {},
        )

    def _can_resume(self, run: PipelineRun) -> tuple[bool, str | None]:
        """Return whether a run can be resumed, and why one that has failed or was cancelled cannot.

        Decision: G710.
        """
        try:
            self.resumption.check_ended(run)
            self.resumption.check_kept(run)
        except CannotResume:
            return False, None
        except ServiceError as refused:
            return False, refused.text
        return True, None

    def show_evidence(self, caller: SignedIn, run_id: str) -> RunEvidence:
        """Return what engine, executor and outputs last reported; queries none of them.

        Raises `RunNotFound` or `Forbidden`.

        Decision: G341.
        """
        run = readable_run(caller, run_id)
        has_failed = run.status is RunStatus.FAILED
        since = run.resumed_at
        events = details.list_events(run.id)
        reports = _engine_reports(event for event in events if since is None or event.received_at >= since)
        ends = ((event, said) for event, said in reports if said in _ENGINE_ENDS)
        engine, said = next(ends, (None, None))
        failed = details.failed_tasks(run, _SHOWN_TASKS)
        return RunEvidence(
            run=run,
            engine=engine,
            engine_said=said,
            exit_record=_exit_record(run),
            failed_tasks=failed,
            cause=_cause(run, failed) if has_failed else None,
            last_lines=shown_lines(run) if has_failed else [],
        )

    def _step_tasks(self, run: PipelineRun) -> dict[str, ProcessCount]:
        """Count the tasks of each step; none are known to belong to one when the package is gone."""
        package = self.pipelines.version(run.pipeline_id, run.pipeline_version)
        if package is None:
            return {}
        return WorkflowSteps(package.definition.steps).count_by_step(read_counts(run.id))

    def list_tasks(
        self, caller: SignedIn, run_id: str, status: str | None, page: Page
    ) -> tuple[list[PipelineRunTask], int]:
        """Return a page of the tasks of a run; raises `RunNotFound` or `Forbidden`. Decision: G161."""
        run = readable_run(caller, run_id)
        return details.list_tasks(run.id, status, page.limit, page.offset)

    def list_changed_tasks(
        self, caller: SignedIn, run_id: str, cursor: TaskCursor, limit: int
    ) -> ChangedTasks:
        """Return what changed after a cursor; raises `RunNotFound` or `Forbidden`. Decision: G727."""
        run = readable_run(caller, run_id)
        is_reset = cursor.revision > details.last_revision(run.id)
        start = TaskCursor() if is_reset else cursor
        total = details.count_tasks(run.id)
        found = details.changed_tasks(run.id, start.revision, start.task_id, limit + 1)
        tasks = found[:limit]
        last = TaskCursor(tasks[-1].revision, tasks[-1].id) if tasks else start
        return ChangedTasks(tasks, total, last, has_more=len(found) > limit, is_reset=is_reset)

    def show_task_logs(
        self, caller: FacilityAdmin, run_id: str, task_id: str
    ) -> tuple[PipelineRunTask, list[TaskLog]]:
        """Return what the tool of a task has written; raises `RunNotFound`, `TaskNotFound` or `NoTaskLog`.

        Decision: G728.
        """
        run = readable_run(caller, run_id)
        task, folder = details.find_task(run.id, task_id), rows.folder_of(run)
        if task is None:
            raise TaskNotFound
        logs = [] if folder is None else read_task_logs(folder, task)
        if not logs:
            raise NoTaskLog
        return task, logs

    def list_files(self, caller: FacilityAdmin, run_id: str, page: Page) -> tuple[list[RunFile], int]:
        """Return a page of a run's files; raises `RunNotFound` or `RunFolderNotSet`. Decision: G162."""
        run = readable_run(caller, run_id)
        folder = rows.folder_of(run)
        if folder is None:
            raise RunFolderNotSet
        found = list_run_files(folder.path)
        return found[page.offset : page.offset + page.limit], len(found)

    def _label(self, pipeline_id: str, version: str) -> PipelineLabel:
        """Name a pipeline; one that is no longer installed goes by its id."""
        package = self.pipelines.version(pipeline_id, version) or self.pipelines.current(pipeline_id)
        if package is None:
            return PipelineLabel(pipeline_id, "")
        return PipelineLabel(package.descriptor.name, package.descriptor.icon)


def _sequencing_run(run: PipelineRun) -> SequencingRun | None:
    """Return the sequencing run that a run works on; None when there is none, or it is deleted."""
    if run.sequencing_run_id is None or run.order_id is None:
        return None
    return find_run(run.sequencing_run_id, run.order_id)


def _engine_reports(
    events: Iterable[PipelineRunEvent],
) -> Iterator[tuple[PipelineRunEvent, EventClass]]:
    """Say of each event that an engine sent what it meant."""
    for event in events:
        if event.source is EventSource.WEBLOG:
            yield event, stored_class(event.event_type, event.payload or {})


def _contradiction(run: PipelineRun, events: Iterable[PipelineRunEvent]) -> PipelineRunEvent | None:
    """Find the newest event of the engine that came late and contradicts the status. Decision: G160, G182."""
    ended_at = run.completed_at
    if ended_at is None:
        return None
    late = _engine_reports(event for event in events if event.received_at >= ended_at)
    return next((event for event, said in late if contradicts(run.status, said)), None)


def _input_files(run: PipelineRun) -> list[InputFile]:
    folder = rows.folder_of(run)
    description = None if folder is None else read_description(folder)
    return [] if description is None else list(description.files)


def _exit_record(run: PipelineRun) -> ExitRecord | None:
    """Read the exit record of a run; None without one, and while its folder cannot be read.

    That of a pending run is of the launch before.
    """
    folder = None if run.status is RunStatus.PENDING else rows.folder_of(run)
    try:
        return None if folder is None else read_exit(folder)
    except OSError:
        return None


def _cause(run: PipelineRun, failed: list[PipelineRunTask]) -> KnownCause | None:
    """Find the known cause of a failure: what was noted when it failed, else in what is left of it.

    A refused launch has only its message, and a run that ended well without its files has no other cause.

    Decision: G341, G393.
    """
    failure = run.failure or {}
    kind, message, noted = failure.get("kind"), str(failure.get("message", "")), failure.get("cause")
    if noted is not None:
        line = failure.get("causeLine")
        return KnownCause(Cause(str(noted)), str(failure.get("hint")), None if line is None else str(line))
    if kind in {FailureKind.VALIDATION, FailureKind.OUTPUTS}:
        return None
    if kind == FailureKind.LAUNCH:
        return known_cause(message)
    codes = [failed[0].exit if failed else None, run.exit_code]
    return known_cause(f"{log_excerpt(run)}\n{message}", codes, run.queue_status)
