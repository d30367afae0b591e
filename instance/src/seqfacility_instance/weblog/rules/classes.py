"""What the name of an event means to a run."""

from seqfacility_instance.core.vocabulary.pipelines import EventClass
from seqfacility_instance.weblog.rules.payload import WeblogFields

_TASK_EVENTS = ("process", "task")
_FAILURE_EVENTS = ("fail", "error", "abort")
_END_EVENTS = ("complete", "finish", "success")
_TASK_START_EVENTS = ("start", "submit", "begin")
_START_EVENTS = ("start", "begin")


def event_class(fields: WeblogFields) -> EventClass:
    """Classify an event; the first row of the table that fits wins.

    The words of a process are looked for first, because `completed` is in `process_completed`: an event
    of a process is never taken for one of the workflow.

    Spec: instance, Weblog intake 1, 7, 8. Decision: G173.
    """
    name = fields.event_type.lower()
    if _contains(name, _TASK_EVENTS):
        by_name = _task_class(name, fields)
        if by_name is not None:
            return by_name
    if name == "error" and fields.process is not None:
        return EventClass.PROCESS_FAILURE
    if _contains(name, _FAILURE_EVENTS):
        return EventClass.WORKFLOW_FAILURE
    if _contains(name, _END_EVENTS):
        return EventClass.WORKFLOW_FAILURE if fields.workflow.says_failure else EventClass.WORKFLOW_END
    if _contains(name, _START_EVENTS):
        return EventClass.WORKFLOW_START
    return EventClass.UNCLASSIFIED


def _task_class(name: str, fields: WeblogFields) -> EventClass | None:
    if _contains(name, _FAILURE_EVENTS):
        return EventClass.PROCESS_FAILURE
    if _contains(name, _END_EVENTS):
        return EventClass.PROCESS_FAILURE if _task_failed(fields) else EventClass.PROCESS_END
    if _contains(name, _TASK_START_EVENTS):
        return EventClass.PROCESS_START
    return None


def _task_failed(fields: WeblogFields) -> bool:
    """A failed task arrives as an end whose trace says so. Decision: G173, G279."""
    if _contains((fields.trace_status or "").lower(), _FAILURE_EVENTS):
        return True
    return fields.exit_code not in (None, 0)


def _contains(text: str, words: tuple[str, ...]) -> bool:
    return any(word in text for word in words)
