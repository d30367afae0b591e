"""Health of the installation: folders, engines, processes, queues."""

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import cast

from seqfacility_workflow_runtime.executors.registry import SCHEDULERS, offered

from seqfacility_instance.access.audit_verification import find_check
from seqfacility_instance.access.callers import FacilityAdmin
from seqfacility_instance.background import queue
from seqfacility_instance.backup.last_backup import last_backup_at
from seqfacility_instance.core import limits
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.outgoing import SendingStatus
from seqfacility_instance.core.vocabulary.pipelines import Engine
from seqfacility_instance.core.vocabulary.site import DatabaseEngine, JobStatus, ProcessName
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.mail.store import count_mails, count_retrying
from seqfacility_instance.settings import Settings
from seqfacility_instance.site import store
from seqfacility_instance.site.engine_versions import (
    EngineSighting,
    EngineVersions,
    EngineWatch,
    SchedulerSighting,
    StoredScheduler,
    StoredSighting,
    read_scheduler,
    read_sighting,
)
from seqfacility_instance.site.findings import Finding, HealthFacts, findings
from seqfacility_instance.tables.site import ProcessHeartbeat


@dataclass(frozen=True, slots=True)
class FolderState:
    """Whether a folder is configured, there, and writable."""

    path: Path | None

    def is_there(self) -> bool:
        """Return whether the folder exists."""
        # WHY: `Path.is_dir` raises where a part of the name is longer than a file system takes.
        return self.path is not None and os.path.isdir(self.path)  # noqa: PTH112

    def is_writable(self) -> bool:
        """Return whether this process may read and write there."""
        return self.path is not None and self.is_there() and os.access(self.path, os.R_OK | os.W_OK | os.X_OK)

    def space(self) -> tuple[int, int] | None:
        """Return the free and the total bytes of the folder's file system; None when they cannot be read.

        Decision: G1093.
        """
        if self.path is None or not self.is_there():
            return None
        try:
            usage = shutil.disk_usage(self.path)
        except OSError:
            return None
        return usage.free, usage.total

    def free_bytes(self) -> int | None:
        """Return the free space of the folder's file system."""
        space = self.space()
        return None if space is None else space[0]


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """When a daemon last gave a sign of life, and the release of its code. Decision: G49."""

    name: ProcessName
    last_at: datetime | None
    is_alive: bool
    release: str | None = None


@dataclass(frozen=True, slots=True)
class VersionNotice:
    """What a registry says against an installed version of a pipeline, and what to do. Decision: G924."""

    pipeline_id: str
    version: str
    warnings: list[str]
    action: str


@dataclass(frozen=True, slots=True)
class RegistryState:
    """What the last daily poll of the registry found. Decision: G970, G924."""

    address: str
    polls_daily: bool
    polled_at: datetime | None
    error: str | None
    warnings: list[str]
    notices: list[VersionNotice]


@dataclass(frozen=True, slots=True)
class Folders:
    """The folders that the settings name."""

    storage: FolderState
    runs: FolderState
    streams: FolderState


@dataclass(frozen=True, slots=True)
class HealthReport:
    """Everything that an admin is told. Decision: G49."""

    engine: DatabaseEngine
    database_bytes: int | None
    folders: Folders
    engines: dict[Engine, EngineSighting]
    schedulers: dict[str, bool]
    """Whether the client of each is found."""
    heartbeats: list[Heartbeat]
    open_uploads: int
    stale_uploads: int
    waiting_jobs: int
    failed_jobs: int
    registry: RegistryState
    refused_folders: list[str]
    findings: list[Finding] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class InstallationHealth:
    """Looks at what the installation needs to work. Decision: G49."""

    settings: Settings
    facility: FacilitySettings
    versions: EngineVersions
    clock: Clock
    notices: Callable[[], list[VersionNotice]]
    """What registries said against installed versions."""

    @property
    def engine(self) -> DatabaseEngine:
        """The kind of database."""
        is_postgresql = isinstance(self.settings.database_address, str)
        return DatabaseEngine.POSTGRESQL if is_postgresql else DatabaseEngine.SQLITE

    def report(self, _caller: FacilityAdmin) -> HealthReport:
        """Look at everything. Decision: G49, G275, G497."""
        stale_after = self.facility.uploads().session_ttl_hours
        open_uploads, stale_uploads = store.count_uploads(self.clock.now(), stale_after)
        report = HealthReport(
            engine=self.engine,
            database_bytes=self._database_bytes(),
            folders=self.folders(),
            engines=self.engines_seen(),
            schedulers={name: missing is None for name, missing in self.missing_schedulers().items()},
            heartbeats=self.heartbeats(),
            open_uploads=open_uploads,
            stale_uploads=stale_uploads,
            waiting_jobs=queue.count(JobStatus.WAITING),
            failed_jobs=queue.count(JobStatus.FAILED),
            registry=self.registry(),
            refused_folders=self.facility.refused_folders(),
        )
        return replace(report, findings=findings(report, self._facts()))

    def _facts(self) -> HealthFacts:
        mail, audit, check = self.facility.mail(), self.facility.audit(), find_check()
        default = self.facility.execution().default_backend
        return HealthFacts(
            now=self.clock.now(),
            min_free_bytes=self.facility.storage().min_free_bytes,
            streams_enabled=self.facility.stream_ingest().enabled,
            default_backend=default,
            scheduler=self.scheduler_seen(default) if default in SCHEDULERS else None,
            polls_registry=self.settings.has_registry and self.facility.registry().poll_daily,
            backup_at=last_backup_at(self.settings.home),
            mail_is_wanted=mail.host is not None or mail.sender is not None,
            mail_is_complete=mail.is_complete and self.settings.public_url is not None,
            failed_mails=count_mails(SendingStatus.FAILED),
            retrying_mails=count_retrying(),
            failing_webhooks=store.failing_webhooks(),
            audit_is_broken=check is not None and check.first_broken is not None,
            audit_verified_at=None if check is None else check.completed_at,
            audit_head_is_noted=audit.head_file is not None or audit.syslog is not None,
        )

    def registry(self) -> RegistryState:
        """Tell what the worker last found of the registry; nothing is fetched. Decision: G970."""
        polls, notices = self.facility.registry().poll_daily, self.notices()
        row = store.registry_poll() if self.settings.has_registry else None
        if row is None:
            return RegistryState(self.settings.registry_url, polls, None, None, [], notices)
        return RegistryState(row.address, polls, row.polled_at, row.error, row.warnings or [], notices)

    def folders(self) -> Folders:
        """Find the folders that the settings name. Decision: G44, G46, G47."""
        base = _path(self.facility.storage().data_base_path)
        runs = _path(self.facility.execution().run_directory) or (base and base / "pipeline_runs")
        streams = _path(self.facility.stream_ingest().output_root)
        return Folders(FolderState(base), FolderState(runs), FolderState(streams))

    def engines(self) -> dict[Engine, EngineSighting]:
        """Ask each workflow engine for its version; takes seconds."""
        commands = self._commands()
        return {engine: self.versions.sighting(engine, command) for engine, command in commands.items()}

    def engines_seen(self) -> dict[Engine, EngineSighting]:
        """Tell what the worker last saw of each workflow engine, without asking any. Decision: G463."""
        stored = cast("dict[str, StoredSighting]", store.engines_seen())
        seen = {engine: read_sighting(stored[engine]) for engine in Engine if engine.value in stored}
        return {
            engine: seen[engine]
            if engine in seen and seen[engine].command == command
            else self.versions.unasked(engine, command)
            for engine, command in self._commands().items()
        }

    def missing_schedulers(self) -> dict[str, str | None]:
        """Say what is lacking for each scheduler that can be used here, and for the one that runs go to."""
        default = self.facility.execution().default_backend
        return {
            name: scheduler.check()
            for name, scheduler in SCHEDULERS.items()
            if name in offered() or name == default
        }

    def ask_scheduler(self, name: str) -> SchedulerSighting:
        """Ask a scheduler whether runs can be sent there; takes seconds."""
        return SchedulerSighting(SCHEDULERS[name].fault(), self.clock.now())

    def scheduler_seen(self, name: str) -> SchedulerSighting:
        """Tell what the worker last saw of a scheduler, without asking it. Decision: G487."""
        if missing := SCHEDULERS[name].check():
            return SchedulerSighting(missing, self.clock.now())
        stored = store.engines_seen().get(name)
        if stored is None:
            return SchedulerSighting(None, None)
        return read_scheduler(cast("StoredScheduler", stored))

    def engine_watch(self) -> EngineWatch:
        """Return what asks engines and schedulers beside the work of a daemon. Decision: G463."""
        ask = {name: partial(self.ask_scheduler, name) for name in SCHEDULERS if name in offered()}
        return EngineWatch(self.versions, self._commands, ask, self.clock)

    def _commands(self) -> dict[Engine, str]:
        execution = self.facility.execution()
        return {
            Engine.NEXTFLOW: execution.nextflow_command,
            Engine.SNAKEMAKE: execution.snakemake_command,
        }

    def heartbeats(self) -> list[Heartbeat]:
        """Tell of every daemon when it was last seen.

        A sign of life that lies ahead was given by a clock that was set back since, and tells nothing.

        Decision: G49, G275, G463.
        """
        now = self.clock.now()
        last = store.last_heartbeats(now + limits.HEARTBEAT_ALIVE)
        return [_heartbeat(name, last.get(name), now) for name in ProcessName]

    def living_releases(self) -> dict[ProcessName, set[str]]:
        """Return the releases of the processes that are alive, by name. Decision: G485."""
        now = self.clock.now()
        return store.living_releases(now - limits.HEARTBEAT_ALIVE, now + limits.HEARTBEAT_ALIVE)

    def _database_bytes(self) -> int | None:
        address = self.settings.database_address
        return store.postgresql_bytes() if isinstance(address, str) else address.stat().st_size


def _heartbeat(name: ProcessName, row: ProcessHeartbeat | None, now: datetime) -> Heartbeat:
    if row is None:
        return Heartbeat(name, None, is_alive=False)
    is_alive = now - row.last_heartbeat_at <= limits.HEARTBEAT_ALIVE
    return Heartbeat(name, row.last_heartbeat_at, is_alive, row.release)


def _path(text: str | None) -> Path | None:
    return Path(text) if text else None
