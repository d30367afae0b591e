"""What an event or a row of the trace does to a run that is still going on."""

from dataclasses import dataclass, replace

from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.pipelines import EventClass, RunStatus
from seqfacility_instance.runs.rules.verdict import ACTIVE_STATUSES

GOOD_TASK_STATUSES = ("COMPLETED", "CACHED")
BAD_TASK_STATUSES = ("FAILED", "ABORTED")
FINAL_TASK_STATUSES = GOOD_TASK_STATUSES + BAD_TASK_STATUSES
UNSTARTED_TASK_STATUSES = ("NEW", "SUBMITTED", "PENDING")
_TASK_STATUSES = {
    EventClass.PROCESS_START: ("RUNNING", *UNSTARTED_TASK_STATUSES),
    EventClass.PROCESS_END: GOOD_TASK_STATUSES,
    EventClass.PROCESS_FAILURE: BAD_TASK_STATUSES,
}
"""What the status of a task can be after an event, first what the event alone says."""

_STARTING = frozenset({EventClass.WORKFLOW_START, EventClass.PROCESS_START, EventClass.PROCESS_END})


@dataclass(frozen=True, slots=True)
class Activity:
    """How far a run has come."""

    status: RunStatus
    progress: int
    current_step: str | None


def activity_after(before: Activity, event_class: EventClass, step: str | None, progress: int) -> Activity:
    """Return the activity of a run after an event; a final run stays as it is.

    `step` names the step or process of the event, `progress` is what ended tasks amount to. Progress
    never goes back and stays below 100: only the verdict completes a run. The end of a workflow and its
    failure are for the verdict and change nothing here.

    Spec: instance, Weblog intake 6 and 7. Decision: G156, G179.
    """
    if before.status not in ACTIVE_STATUSES:
        return before
    if event_class not in _STARTING and event_class is not EventClass.PROCESS_FAILURE:
        return before
    running = replace(
        before,
        status=RunStatus.RUNNING,
        progress=max(before.progress, capped_progress(progress)),
    )
    if event_class is EventClass.PROCESS_FAILURE:
        return replace(running, current_step=f"Failed: {step or 'unknown process'}")
    return replace(running, current_step=step or before.current_step)


def share(finished: int, total: int) -> int:
    """Return finished of total as a whole percentage, 0 when there is nothing to count.

    Decision: G179, G184.
    """
    return 0 if total <= 0 else min(100, finished * 100 // total)


def capped_progress(progress: int) -> int:
    """Keep the progress of a run that is not completed within 0 and 99. Decision: G179."""
    return max(0, min(progress, limits.RUN_ACTIVE_MAX_PROGRESS))


def task_event_class(status: str) -> EventClass:
    """Return what the status of a task means, as the trace spells it. Decision: G184."""
    if status in GOOD_TASK_STATUSES:
        return EventClass.PROCESS_END
    if status in FINAL_TASK_STATUSES:
        return EventClass.PROCESS_FAILURE
    return EventClass.PROCESS_START


def task_status(event_class: EventClass, said: str | None) -> str:
    """Choose the status of a task: what is said of it, if that is a status and the class of the event agrees.

    Tasks are counted by their status (G347), so nobody else's words are let in.

    Decision: G161, G390.
    """
    fitting = _TASK_STATUSES[event_class]
    return said.upper() if said and said.upper() in fitting else fitting[0]


def task_status_after(before: str | None, said: str) -> str:
    """Return the status of an attempt after a report on it: a final one never goes back. Decision: G161."""
    return before if before in FINAL_TASK_STATUSES and said not in FINAL_TASK_STATUSES else said


def contradicts(final: RunStatus, said: EventClass) -> bool:
    """Return whether a late word of the engine says otherwise than the final status. Decision: G160.

    An error after a cancellation is its echo.
    """
    if final is RunStatus.COMPLETED:
        return said is EventClass.WORKFLOW_FAILURE
    return final in {RunStatus.FAILED, RunStatus.CANCELLED} and said is EventClass.WORKFLOW_END
