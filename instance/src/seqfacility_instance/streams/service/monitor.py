"""The stream monitor: scans every watched directory and records its files.

A scan is the truth; the database holds all that a scan has to remember, so a restart misses nothing and
doubles nothing. What is kept in memory is only a copy of it, dropped whenever the lease was not ours.
"""

import logging
import os
import time
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from peewee import DataError, IntegrityError

from seqfacility_instance.core import limits
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.fastq_counting import count_fastq
from seqfacility_instance.core.fastq_records import MalformedFastq
from seqfacility_instance.core.vocabulary.streams import StreamEventKind, StreamStatus
from seqfacility_instance.facility_settings.sections import StreamIngestSection
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.streams import leases
from seqfacility_instance.streams.rules.files import FileState, KnownFile, is_gzip_name, is_settled
from seqfacility_instance.streams.scan import Scan, opened_below, opened_directory, scan, state_of
from seqfacility_instance.streams.service import liveness
from seqfacility_instance.streams.service.recording import Counted, LeaseLost, Moved, locked_by, record
from seqfacility_instance.streams.service.verification import verify
from seqfacility_instance.streams.store import events, files, runs
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.streams import StreamRun

_TROUBLE: Final = (DataError, IntegrityError, ValueError, ArithmeticError)
"""What one directory may hold that we did not think of; a database out of reach is not among it."""

_log = logging.getLogger("seqfacility.streams")


@dataclass(slots=True)
class StreamMonitor:
    """Scans the directories of active stream runs. Decision: G214-G222, G282."""

    holder: str
    facility: FacilitySettings
    clock: Clock
    known: dict[str, dict[str, KnownFile]] = field(default_factory=dict)
    stopping_since: dict[str, datetime] = field(default_factory=dict)
    is_waiting: bool = False
    """Whether the last tick left files that have to be looked at again soon."""

    def tick(self, now: datetime) -> bool:
        """Scan every run once; return True when anything changed. Decision: G214, G262."""
        settings = self.facility.stream_ingest()
        self.is_waiting = False
        did_work = False
        watched = runs.list_watched()
        for run in watched:
            if not leases.take(run, self.holder, now):
                self._forget(run.id)
                continue
            if run.lease_holder != self.holder:
                self._forget(run.id)
            try:
                did_work = self._process_run(run, settings, now) or did_work
            except LeaseLost:
                self._forget(run.id)
            except _TROUBLE:
                _log.exception("stream run %s: cannot be looked after at the moment", run.id)
                self._forget(run.id)
        for run_id in self.known.keys() - {run.id for run in watched}:
            self._forget(run_id)
        return did_work

    def directories(self) -> list[str]:
        """List what should wake the monitor; empty when notifications are off. Decision: G47."""
        settings = self.facility.stream_ingest()
        if not (settings.enabled and settings.use_notifications):
            return []
        return [run.output_dir for run in runs.list_watched()]

    def pause_seconds(self) -> float:
        """Return the pause before the next scan, shorter while a file has to be seen again.

        Decision: G47.
        """
        settings = self.facility.stream_ingest()
        if self.is_waiting:
            return min(settings.scan_interval_seconds, max(0.2, settings.stability_seconds))
        return settings.scan_interval_seconds

    def longest_wait_seconds(self) -> float:
        """Return how long a file that comes to rest may delay the last scan. Decision: G262, G282."""
        settings = self.facility.stream_ingest()
        return settings.stability_seconds + 2 * settings.scan_interval_seconds + 1

    def _forget(self, run_id: str) -> None:
        self.known.pop(run_id, None)
        self.stopping_since.pop(run_id, None)

    def _process_run(self, run: StreamRun, settings: StreamIngestSection, now: datetime) -> bool:
        if not settings.enabled:
            return run.status is StreamStatus.STOPPING and liveness.stop(run.id, self.holder, now)
        try:
            with opened_directory(run.output_dir) as directory:
                current = scan(directory, include_failed=settings.include_failed)
                if self._is_elsewhere(run, current):
                    return self._without_directory(run, now)
                scan_pass = _ScanPass(self, run, settings, now, directory, current)
                return scan_pass.process()
        except OSError:
            return self._without_directory(run, now)

    def _is_elsewhere(self, run: StreamRun, current: Scan) -> bool:
        """Return whether the directory is another, empty one: that of a lost mount. Decision: G315."""
        if run.directory_identity == current.identity or current.files:
            return False
        return any(known.counted is not None for known in self.known_files(run.id).values())

    def _without_directory(self, run: StreamRun, now: datetime) -> bool:
        """Pause a run whose directory is out of reach, with one event; nothing counts as deleted."""
        did_work = liveness.note_vanished(run.id, self.holder, now)
        if run.status is StreamStatus.STOPPING and self.may_end(run, self.facility.stream_ingest(), now):
            return liveness.stop(run.id, self.holder, now)
        self.is_waiting = self.is_waiting or run.status is StreamStatus.STOPPING
        return did_work

    def known_files(self, run_id: str) -> dict[str, KnownFile]:
        if run_id not in self.known:
            self.known[run_id] = files.known_files(run_id)
        return self.known[run_id]

    def may_end(self, run: StreamRun, settings: StreamIngestSection, now: datetime) -> bool:
        """Return whether the last scan has waited long enough for changing files. Decision: G282.

        The time counts from the request, but not before this monitor knew of it.
        """
        since = min(now, self.stopping_since.get(run.id, now))  # a clock that was set back begins anew
        self.stopping_since[run.id] = since
        wait = timedelta(seconds=settings.stability_seconds + 2 * settings.scan_interval_seconds)
        return now >= since + wait


@dataclass(slots=True)
class _ScanPass:
    """One scan of one run, from what it saw to what is recorded."""

    monitor: StreamMonitor
    run: StreamRun
    settings: StreamIngestSection
    now: datetime
    directory: int
    scan: Scan
    batch: list[Counted | Moved] = field(default_factory=list)
    batch_began: float = field(default_factory=time.monotonic)
    lease_renewed: float = field(default_factory=time.monotonic)
    did_work: bool = False

    def process(self) -> bool:
        is_last = self.run.status is StreamStatus.STOPPING
        takes_all = is_last and self.monitor.may_end(self.run, self.settings, self.now)
        self._report_problems()
        self._note_states()
        began = time.monotonic()
        for path in self._ready(takes_all=takes_all):
            self._count(path, takes_all=takes_all)
            batch_seconds = time.monotonic() - self.batch_began
            if len(self.batch) >= limits.STREAM_BATCH_FILES or batch_seconds > limits.STREAM_BATCH_SECONDS:
                self._record()
            if time.monotonic() - began > limits.STREAM_PASS_SECONDS:
                break
        self._record()
        self.did_work |= liveness.note_scan(
            self.run.id, self.monitor.holder, self.scan, self.settings, self.now
        )
        # WHY: what cannot be read is tried again, but the end of a run does not wait for it.
        open_files = [path for path in self._uncounted() if self.known[path].problem is None]
        if not open_files:
            self.did_work |= self._verify()
        if is_last and not open_files:
            return liveness.stop(self.run.id, self.monitor.holder, self.now)
        self.monitor.is_waiting |= is_last or bool(open_files)
        return self.did_work

    def _verify(self) -> bool:
        return verify(
            self.run.id,
            self.monitor.holder,
            self.directory,
            self.scan,
            self.now,
            include_failed=self.settings.include_failed,
        )

    @property
    def known(self) -> dict[str, KnownFile]:
        return self.monitor.known_files(self.run.id)

    def _report_problems(self) -> None:
        """Write one event for each path that is left out. Decision: G214."""
        found = {path: text for path, text in self.scan.problems.items() if self._is_unreported(path, text)}
        if found:
            self._write_problem_events(found)

    def _is_unreported(self, path: str, text: str) -> bool:
        known = self.known.get(path)
        return known is None or known.problem != text

    def _write_problem_events(self, problems: dict[str, str]) -> None:
        new_events: list[events.NewEvent] = [
            (StreamEventKind.ERROR, {"message": text, "filePath": path}) for path, text in problems.items()
        ]
        with database.atomic():
            locked_by(self.run.id, self.monitor.holder)
            for path, text in problems.items():
                files.note_problem(self.run.id, path, text, self.now)
            events.write(self.run.id, new_events, self.now)
        for path, text in problems.items():
            known = self.known.get(path)
            state = FileState(0, 0, "") if known is None else known.state
            since = self.now if known is None else known.unchanged_since
            counted = None if known is None else known.counted
            self.known[path] = KnownFile(state, since, counted, text)
        self.did_work = True

    def _note_states(self) -> None:
        """Store the state of every file that is new or has changed since the last scan. Decision: G214."""
        self.batch.extend(self._moved())
        self._record()
        changed = [
            (path, state)
            for path, state in self.scan.files.items()
            if path not in self.known
            or (self.known[path].state.size, self.known[path].state.modified_ns)
            != (state.size, state.modified_ns)
            or self.known[path].unchanged_since > self.now
        ]
        if not changed:
            return
        with database.atomic():
            locked_by(self.run.id, self.monitor.holder)
            files.note_states(self.run.id, changed, self.now)
        for path, state in changed:
            known = self.known.get(path)
            counted, problem = (None, None) if known is None else (known.counted, known.problem)
            self.known[path] = KnownFile(state, self.now, counted, problem)

    def _moved(self) -> list[Moved]:
        """Find counted files with another name: as last seen by inode, size and time, the old name gone.

        The other name may be known already: a scan that passes by during the renaming sees both names. It may
        be that of a file that was counted before and is replaced.

        Decision: G314, G351.
        """
        new = {
            state: path
            for path, state in self.scan.files.items()
            if path not in self.known or self.known[path].counted != (state.size, state.modified_ns)
        }
        if not new:
            return []
        gone = {
            known.state: path
            for path, known in self.known.items()
            if known.counted is not None and path not in self.scan.files and known.state in new
        }
        return [
            Moved(old_path, new[state], state, is_as_counted=self.known[old_path].is_counted)
            for state, old_path in gone.items()
        ]

    def _ready(self, *, takes_all: bool) -> list[str]:
        stability = timedelta(seconds=self.settings.stability_seconds)
        return [
            path
            for path in self._uncounted()
            if takes_all
            or (
                self.known[path].unchanged_since < self.now
                and is_settled(self.known[path], self.scan.files[path], self.now, stability)
            )
        ]

    def _uncounted(self) -> list[str]:
        return [path for path in self.scan.files if path in self.known and not self.known[path].is_counted]

    def _count(self, path: str, *, takes_all: bool) -> None:
        """Count one file, unless it changes meanwhile. Decision: G214, G217."""
        seen = self.scan.files[path]
        try:
            with opened_below(self.directory, path) as file:
                before = state_of(os.fstat(file))
                if before != seen and not takes_all:
                    return
                try:
                    count = count_fastq(file, is_gzip=is_gzip_name(path), on_block=self._renew_lease)
                except MalformedFastq:
                    count = None
                if state_of(os.fstat(file)) != before and not takes_all:
                    return
        except FileNotFoundError:
            return
        except OSError as refused:
            text = f"The file cannot be read: {refused.strerror}"
            if self._is_unreported(path, text):
                self._write_problem_events({path: text})
            return
        self.batch.append(Counted(path, before, count))

    def _renew_lease(self) -> None:
        """Keep the lease while a large file is counted; raises `LeaseLost`."""
        if time.monotonic() - self.lease_renewed < limits.STREAM_LEASE.total_seconds() / 6:
            return
        self.lease_renewed = time.monotonic()
        with database.atomic():
            if not runs.renew_lease(self.run.id, self.monitor.holder, self.monitor.clock.now()):
                raise LeaseLost

    def _record(self) -> None:
        self.batch_began = time.monotonic()
        if not self.batch:
            return
        record(self.run.id, self.monitor.holder, self.batch, self.monitor.clock.now())
        for item in self.batch:
            if isinstance(item, Moved):
                self.known.pop(item.old_path, None)
                if not item.is_as_counted:
                    continue
            counted = (item.state.size, item.state.modified_ns)
            self.known[item.path] = KnownFile(item.state, self.now, counted, None)
        self.batch.clear()
        self.did_work = True
