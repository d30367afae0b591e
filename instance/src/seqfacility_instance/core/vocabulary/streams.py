"""Closed sets of live streams. Decision: G213. Spec: instance, Stream run."""

from enum import StrEnum


class StreamStatus(StrEnum):
    ACTIVE = "ACTIVE"
    STOPPING = "STOPPING"
    STOPPED = "STOPPED"


class StreamEventKind(StrEnum):
    RUN_STARTED = "RUN_STARTED"
    RUN_STOP_REQUESTED = "RUN_STOP_REQUESTED"
    RUN_STOPPED = "RUN_STOPPED"
    FILE_INGESTED = "FILE_INGESTED"
    BARCODE_MAP_WARNING = "BARCODE_MAP_WARNING"
    BARCODE_MAP_CHANGED = "BARCODE_MAP_CHANGED"
    BARCODE_UNMAPPED = "BARCODE_UNMAPPED"
    RUN_STALLED = "RUN_STALLED"
    RUN_FINISHED_HINT = "RUN_FINISHED_HINT"
    READ_CREATED = "READ_CREATED"
    ERROR = "ERROR"


class CollectState(StrEnum):
    """How far the read of a sample is that collecting makes of a stream. Decision: G689."""

    READY = "ready"
    EMPTY = "empty"
    QUEUED = "queued"
    MADE = "made"
    FAILED = "failed"
