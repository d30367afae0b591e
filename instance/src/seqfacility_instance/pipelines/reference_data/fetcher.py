"""The worker's part: fetches in slices of seconds, so that hours of transfer delay nothing else."""

import errno
import logging
import time
from collections.abc import Generator
from dataclasses import dataclass
from datetime import datetime

from seqfacility_instance.background import queue
from seqfacility_instance.core import limits
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.site import JobStatus
from seqfacility_instance.pipelines.reference_data.errors import DatabaseFolderNotUsable, DatabaseNotFound
from seqfacility_instance.pipelines.reference_data.fetching import ContentRefused, fetch, from_address
from seqfacility_instance.pipelines.reference_data.place import AlreadyFetching, Place
from seqfacility_instance.pipelines.reference_data.service import FETCH_JOB, ReferenceDatabases
from seqfacility_instance.pipelines.reference_data.unpacking import ArchiveRefused, InsufficientSpace
from seqfacility_instance.registry_client.transfer import TransferBroken, TransferRefused
from seqfacility_instance.tables.site import BackgroundJob

_log = logging.getLogger("seqfacility.worker")
_PERMANENT_FAILURES = (
    TransferRefused,
    ContentRefused,
    ArchiveRefused,
    InsufficientSpace,
    DatabaseNotFound,
    DatabaseFolderNotUsable,
)
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})


@dataclass
class _Running:
    """A fetch in the middle; `best` is the most that any connection has brought so far."""

    job: BackgroundJob
    place: Place
    steps: Generator[None, None, None]
    best: int


class DatabaseFetcher:
    """Fetches what was asked for, one database after the other. Decision: G333.

    The job in the queue is the lease: of many workers one holds it, and a worker that has lost it stops.
    """

    def __init__(
        self,
        databases: ReferenceDatabases,
        holder: str,
        clock: Clock,
        slice_seconds: float = limits.DATABASE_SLICE_SECONDS,
    ) -> None:
        self._databases = databases
        self._holder = holder
        self._clock = clock
        self._slice_seconds = slice_seconds
        self._running: _Running | None = None

    def step(self, now: datetime) -> bool:
        """Continue a fetch for some seconds; return False when there is none. A sweep of the worker."""
        if self._running is None:
            job = queue.claim_next(self._holder, [FETCH_JOB], now)
            if job is None:
                return False
            self._advance(job)
        elif queue.renew(self._running.job.id, self._holder, now):
            self._advance(self._running.job)
        else:
            self._let_go()
        return True

    def _advance(self, job: BackgroundJob) -> None:
        try:
            running = self._running or self._started(job)
            self._running = running
            is_done = self._is_done(running)
        except _PERMANENT_FAILURES as failed:
            queue.fail_permanently(job, self._holder, str(failed), self._clock.now())
        except AlreadyFetching:
            queue.fail(job, self._holder, "Another process is fetching it", self._clock.now())
        except TransferBroken as broken:
            queue.fail(job, self._holder, str(broken), self._clock.now())
        except OSError as failed:
            if failed.errno in _FULL:
                queue.fail_permanently(job, self._holder, "There is not enough free space", self._clock.now())
            else:
                _log.exception("database %s: fetching failed", job.dedupe_key)
                queue.fail(job, self._holder, failed.strerror or "The disk failed", self._clock.now())
        else:
            if not is_done:
                return
            queue.finish(job.id, self._holder, self._clock.now())
        self._running = None

    def _started(self, job: BackgroundJob) -> _Running:
        declared = self._databases.find(str(job.payload["key"])).database
        place = self._databases.place(declared)
        place.directory.mkdir(mode=0o750, parents=True, exist_ok=True)
        min_free = self._databases.facility.storage().min_free_bytes
        steps = fetch(place, declared, from_address(declared.download_url, self._databases.reach), min_free)
        return _Running(job, place, steps, place.received())

    def _is_done(self, running: _Running) -> bool:
        end = time.monotonic() + self._slice_seconds
        for _ in running.steps:
            if time.monotonic() > end:
                received = running.place.received()
                if received > running.best:
                    running.best = received
                    queue.note_progress(running.job)
                return False
        return True

    def _let_go(self) -> None:
        """Drop a fetch whose lease is lost; remove its files when the job is gone."""
        running, self._running = self._running, None
        assert running is not None
        running.steps.close()
        job = queue.latest_by_key(FETCH_JOB).get(running.place.key)
        if job is None or job.status is JobStatus.DONE:
            running.place.discard_work()
