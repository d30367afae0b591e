"""The events that a launch leaves. Decision: G183."""

import hashlib
from datetime import datetime

from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.pipelines import Backend, EventSource
from seqfacility_instance.runs.store.activity import NewEvent


def warning_event(text: str, number: int, now: datetime) -> NewEvent:
    """Make the event of a warning. Spec: instance, Event sources."""
    message = text[: limits.WEBLOG_MESSAGE_MAX_CHARACTERS]
    identity = hashlib.sha256(f"preparation_warning\0{number}\0{text}".encode()).hexdigest()
    return NewEvent("preparation_warning", EventSource.LAUNCHER, identity, now, now, message=message)


def launched_event(backend: Backend, number: str, now: datetime) -> NewEvent:
    """Make the event that tells which job was started."""
    word = "job" if backend is Backend.SLURM else "process"
    identity = hashlib.sha256(f"launched\0{backend.value}\0{number}".encode()).hexdigest()
    return NewEvent(
        "launched", EventSource.LAUNCHER, identity, now, now, message=f"Started as {word} {number}"
    )
