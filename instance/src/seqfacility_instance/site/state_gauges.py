"""What is in hand at this moment, for metrics: counted by the worker, so that a scrape asks no database."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from peewee import fn
from prometheus_client import Gauge

from seqfacility_instance.background import queue
from seqfacility_instance.core.recently import Recently
from seqfacility_instance.core.vocabulary import JobStatus, RunStatus, StreamStatus, UploadStatus
from seqfacility_instance.site.health import InstallationHealth
from seqfacility_instance.tables import PipelineRun, SequencingUpload, StreamRun

REFRESHED_EVERY: Final = timedelta(seconds=15)
"""As often as a monitoring system looks."""

OPEN_RUNS = (RunStatus.PENDING, RunStatus.QUEUED, RunStatus.RUNNING)
OPEN_STREAMS = (StreamStatus.ACTIVE, StreamStatus.STOPPING)
OPEN_UPLOADS = (UploadStatus.PENDING, UploadStatus.UPLOADING, UploadStatus.READY)


def _gauge(name: str, words: str, *labels: str) -> Gauge:
    return Gauge(f"seqfacility_{name}", words, labels, multiprocess_mode="mostrecent")


RUNS = _gauge("runs", "Pipeline runs that have not ended.", "status")
STREAMS = _gauge("stream_runs", "Stream runs that have not ended.", "status")
UPLOADS = _gauge("upload_sessions", "Upload sessions that have not ended.", "status")
JOBS = _gauge("jobs", "Background jobs that wait, and those that were given up.", "status")
FREE_BYTES = _gauge("storage_free_bytes", "Free space of the file system below a folder.", "folder")
SILENCE = _gauge("daemon_silence_seconds", "Time since a daemon's last sign of life.", "daemon")


@dataclass(frozen=True, slots=True)
class StateGauges:
    """Brings the gauges up to date; a sweep of the worker."""

    health: InstallationHealth
    refreshed: Recently

    def refresh(self, now: datetime) -> bool:
        """Count what is open, never what has ended: the cost must not grow with history. Gap: G364."""
        if not self.refreshed.is_new("gauges", now):
            return False
        _count(RUNS, PipelineRun, OPEN_RUNS)
        _count(STREAMS, StreamRun, OPEN_STREAMS)
        _count(UPLOADS, SequencingUpload, OPEN_UPLOADS)
        for status in (JobStatus.WAITING, JobStatus.FAILED):
            JOBS.labels(status.value).set(queue.count(status))
        folders = self.health.folders()
        for name, folder in (("storage", folders.storage), ("runs", folders.runs)):
            free = folder.free_bytes()
            if free is not None:
                FREE_BYTES.labels(name).set(free)
        for heartbeat in self.health.heartbeats():
            if heartbeat.last_at is not None:
                SILENCE.labels(heartbeat.name.value).set((now - heartbeat.last_at).total_seconds())
        return False


def _count(
    gauge: Gauge,
    table: type[PipelineRun] | type[StreamRun] | type[SequencingUpload],
    statuses: tuple[RunStatus, ...] | tuple[StreamStatus, ...] | tuple[UploadStatus, ...],
) -> None:
    counted = (
        table.select(table.status, fn.COUNT(table.id))
        .where(table.status.in_(statuses))
        .group_by(table.status)
        .tuples()
    )
    found = dict(counted.iterator())
    for status in statuses:
        gauge.labels(status.value).set(found.get(status, 0))
