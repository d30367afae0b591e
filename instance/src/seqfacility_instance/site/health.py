"""How the installation fares: folders, engines, processes, queues."""

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from seqfacility_instance.access.callers import FacilityAdmin
from seqfacility_instance.background import queue
from seqfacility_instance.core import limits
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary import DatabaseEngine, Engine, JobStatus, ProcessName
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.settings import Settings
from seqfacility_instance.site import store
from seqfacility_instance.site.engine_versions import EngineVersions


@dataclass(frozen=True, slots=True)
class FolderState:
    """Whether a folder is configured, there, and writable."""

    path: Path | None

    def is_there(self) -> bool:
        """Tell whether the folder exists."""
        return self.path is not None and self.path.is_dir()

    def is_writable(self) -> bool:
        """Tell whether this process may read and write there."""
        return self.path is not None and self.is_there() and os.access(self.path, os.R_OK | os.W_OK | os.X_OK)

    def free_bytes(self) -> int | None:
        """Give the free space of the folder's file system."""
        return shutil.disk_usage(self.path).free if self.path is not None and self.is_there() else None


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """When a daemon last gave a sign of life. Gap: G49."""

    name: ProcessName
    last_at: datetime | None
    is_alive: bool


@dataclass(frozen=True, slots=True)
class Folders:
    """The folders that the settings name."""

    storage: FolderState
    runs: FolderState
    streams: FolderState


@dataclass(frozen=True, slots=True)
class HealthReport:
    """Everything that an admin is told. Gap: G49."""

    engine: DatabaseEngine
    database_bytes: int | None
    folders: Folders
    engine_versions: dict[Engine, str | None]
    has_slurm: bool
    heartbeats: list[Heartbeat]
    open_uploads: int
    stale_uploads: int
    waiting_jobs: int
    failed_jobs: int


@dataclass(frozen=True, slots=True)
class InstallationHealth:
    """Looks at what the installation needs to work. Gap: G49."""

    settings: Settings
    facility: FacilitySettings
    versions: EngineVersions
    has_slurm: Callable[[], bool]
    clock: Clock

    @property
    def engine(self) -> DatabaseEngine:
        """The kind of database."""
        is_postgresql = isinstance(self.settings.database_address, str)
        return DatabaseEngine.POSTGRESQL if is_postgresql else DatabaseEngine.SQLITE

    def report(self, _caller: FacilityAdmin) -> HealthReport:
        """Look at everything. Gap: G49, G275."""
        stale_after = self.facility.uploads().session_ttl_hours
        open_uploads, stale_uploads = store.count_uploads(self.clock.now(), stale_after)
        return HealthReport(
            engine=self.engine,
            database_bytes=self._database_bytes(),
            folders=self.folders(),
            engine_versions=self.engine_versions(),
            has_slurm=self.has_slurm(),
            heartbeats=self.heartbeats(),
            open_uploads=open_uploads,
            stale_uploads=stale_uploads,
            waiting_jobs=queue.count(JobStatus.WAITING),
            failed_jobs=queue.count(JobStatus.FAILED),
        )

    def folders(self) -> Folders:
        """Find the folders that the settings name. Gap: G44, G46, G47."""
        base = _path(self.facility.storage().data_base_path)
        runs = _path(self.facility.execution().run_directory) or (base and base / "pipeline_runs")
        streams = _path(self.facility.stream_ingest().output_root)
        return Folders(FolderState(base), FolderState(runs), FolderState(streams))

    def engine_versions(self) -> dict[Engine, str | None]:
        """Ask each workflow engine for its version; None when it is not found."""
        execution = self.facility.execution()
        commands = {
            Engine.NEXTFLOW: execution.nextflow_command,
            Engine.SNAKEMAKE: execution.snakemake_command,
        }
        return {engine: self.versions.version(engine, command) for engine, command in commands.items()}

    def heartbeats(self) -> list[Heartbeat]:
        """Tell of every daemon when it was last seen. Gap: G49, G275."""
        now = self.clock.now()
        last = store.last_heartbeats()
        return [
            Heartbeat(name, last.get(name), name in last and now - last[name] <= limits.HEARTBEAT_ALIVE)
            for name in ProcessName
        ]

    def _database_bytes(self) -> int | None:
        address = self.settings.database_address
        return store.postgresql_bytes() if isinstance(address, str) else address.stat().st_size


def _path(text: str | None) -> Path | None:
    return Path(text) if text else None
