"""What is in hand at this moment, for metrics: counted by the worker, so that a scrape asks no database."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from peewee import fn
from prometheus_client import Gauge

from seqfacility_instance.background import queue
from seqfacility_instance.backup.last_backup import last_backup_at
from seqfacility_instance.core.seen_keys import SeenKeys
from seqfacility_instance.core.vocabulary.pipelines import RunStatus
from seqfacility_instance.core.vocabulary.sequencing import UploadStatus
from seqfacility_instance.core.vocabulary.site import JobStatus
from seqfacility_instance.core.vocabulary.streams import StreamStatus
from seqfacility_instance.site.health import InstallationHealth
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_instance.tables.sequencing import SequencingUpload
from seqfacility_instance.tables.site import SequencingTechCatalog
from seqfacility_instance.tables.streams import StreamRun

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
JOB_WAIT = _gauge("job_wait_seconds", "How long the oldest background job that is due waits.")
RUN_WAIT = _gauge("run_queued_seconds", "How long the run that was queued first waits for its start.")
LAST_BACKUP = _gauge("last_backup_timestamp_seconds", "When the last good backup was made.")
LAST_SYNC = _gauge("catalog_synced_timestamp_seconds", "When the catalog was last brought from a registry.")
SILENCE = _gauge("daemon_silence_seconds", "Time since a daemon's last sign of life.", "daemon")


@dataclass(frozen=True, slots=True)
class StateGauges:
    """Brings the gauges up to date; a sweep of the worker."""

    health: InstallationHealth
    refreshed: SeenKeys

    def refresh(self, now: datetime) -> bool:
        """Count what is open, never what has ended: the cost must not grow with history. Decision: G364."""
        if not self.refreshed.first_seen("gauges", now):
            return False
        _count(RUNS, PipelineRun, OPEN_RUNS)
        _count(STREAMS, StreamRun, OPEN_STREAMS)
        _count(UPLOADS, SequencingUpload, OPEN_UPLOADS)
        for status in (JobStatus.WAITING, JobStatus.FAILED):
            JOBS.labels(status.value).set(queue.count(status))
        JOB_WAIT.set(queue.longest_due(now).total_seconds())
        RUN_WAIT.set(_longest_queued(now).total_seconds())
        _set_time(LAST_BACKUP, last_backup_at(self.health.settings.home))
        _set_time(LAST_SYNC, _catalog_synced_at())
        folders = self.health.folders()
        for name, folder in (("storage", folders.storage), ("runs", folders.runs)):
            free = folder.free_bytes()
            if free is not None:
                FREE_BYTES.labels(name).set(free)
        for heartbeat in self.health.heartbeats():
            if heartbeat.last_at is not None:
                SILENCE.labels(heartbeat.name.value).set((now - heartbeat.last_at).total_seconds())
        return False


def _set_time(gauge: Gauge, at: datetime | None) -> None:
    """What never happened is not shown: a rule tells absence from age."""
    if at is not None:
        gauge.set(at.timestamp())


def _longest_queued(now: datetime) -> timedelta:
    queued = PipelineRun.select(PipelineRun.queued_at).where(
        (PipelineRun.status == RunStatus.QUEUED) & PipelineRun.queued_at.is_null(False)
    )
    oldest = queued.order_by(PipelineRun.queued_at).first()
    return timedelta() if oldest is None else now - oldest.queued_at


def _catalog_synced_at() -> datetime | None:
    row = SequencingTechCatalog.select(SequencingTechCatalog.last_synced_at).first()
    return None if row is None else row.last_synced_at


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
