"""Use cases on reference databases: what is there, asking for one, taking one away, and paths for runs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from seqfacility_pipeline_package.databases import database_key
from seqfacility_pipeline_package.descriptor import Database
from seqfacility_pipeline_package.documents import JsonObject, JsonValue
from seqfacility_pipeline_package.package import Package

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import FacilityAdmin, LiveFacilityAdmin
from seqfacility_instance.background import queue
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.core.vocabulary.pipelines import DatabaseState
from seqfacility_instance.core.vocabulary.site import JobStatus
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.pipelines import store
from seqfacility_instance.pipelines.package_store import PackageStore
from seqfacility_instance.pipelines.reference_data.errors import (
    DatabaseBusy,
    DatabaseFolderNotUsable,
    DatabaseInUse,
    DatabaseNotFound,
    DatabaseNotReady,
)
from seqfacility_instance.pipelines.reference_data.fetching import fetch, from_address, from_file
from seqfacility_instance.pipelines.reference_data.place import AlreadyFetching, Place, fault_of, place_of
from seqfacility_instance.pipelines.reference_data.rules import (
    Demand,
    checked_against,
    demands,
    provided,
)
from seqfacility_instance.registry_client.reach import Reach
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.site import BackgroundJob

if TYPE_CHECKING:
    from seqfacility_schemas import answers

FETCH_JOB = "fetch-database"


@dataclass(frozen=True, slots=True)
class Declared:
    """A database and the installed pipelines that declare it."""

    database: Database
    pipelines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ForRun:
    """What the service adds to the configuration of a run, and which databases the run goes without."""

    config: JsonObject
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReferenceDatabases:
    """Knows every declared database and its place. Decision: G331-G335."""

    package_store: PackageStore
    facility: FacilitySettings
    clock: Clock
    home: Path
    reach: Reach

    def list_all(self, _caller: FacilityAdmin) -> list[answers.ReferenceDatabase]:
        """List what the installed packages declare, by label. Decision: G335."""
        jobs = queue.latest_by_key(FETCH_JOB)
        shown = [self._shown(key, declared, jobs.get(key)) for key, declared in self.declared().items()]
        return sorted(shown, key=lambda one: (one["label"].lower(), one["key"]))

    def shown(self, key: str) -> answers.ReferenceDatabase:
        """Return one database; raises `DatabaseNotFound`. Decision: G335."""
        return self._shown(key, self.find(key), queue.latest_by_key(FETCH_JOB).get(key))

    def request(self, caller: LiveFacilityAdmin, key: str) -> answers.ReferenceDatabase:
        """Queue the download of a database; one that is ready or in progress stays as it is.

        Raises `DatabaseNotFound` and `DatabaseFolderNotUsable`.

        Decision: G333, G335.
        """
        declared, now = self.find(key), self.clock.now()
        place = self.place(declared.database)
        if fault_of(place, declared.database) is not None:
            _check_folder(place.directory)
            with database.atomic():
                if queue.enqueue(FETCH_JOB, {"key": key}, now, dedupe_key=key):
                    audit.record(caller, AuditAction.DATABASE_REQUESTED, "reference-database", key, now)
        return self.shown(key)

    def remove(self, caller: LiveFacilityAdmin, key: str) -> None:
        """Stop fetching a database and remove it from the disk.

        Raises `DatabaseNotFound`, and `DatabaseInUse` while a pipeline that declares it has runs that are
        not final. A worker in the middle of a fetch notices before its next piece and tidies up after itself.

        Decision: G335.
        """
        declared, now = self.find(key), self.clock.now()
        with database.atomic():
            if any(store.has_active_runs(pipeline_id) for pipeline_id in declared.pipelines):
                raise DatabaseInUse
            queue.withdraw(FETCH_JOB, key, now)
            audit.record(caller, AuditAction.DATABASE_REMOVED, "reference-database", key, now)
        place = self.place(declared.database)
        place.discard()
        try:
            with place.held():
                place.discard_work()
        except AlreadyFetching:
            return

    def fetch_now(self, key: str, source: str | None) -> None:
        """Fetch a database in this process, for the command line; `source` is a file or another address.

        Raises `DatabaseNotFound`, `DatabaseFolderNotUsable`, `DatabaseBusy`, and what `fetch` raises.

        Decision: G333, G335.
        """
        declared = self.find(key).database
        place = self.place(declared)
        if fault_of(place, declared) is None:
            return
        _check_folder(place.directory)
        if source is None or source.startswith(("http://", "https://")):
            reach = self.reach if source is None else self.reach.including(source)
            opened = from_address(source or declared.download_url, reach)
        else:
            opened = from_file(Path(source))
        try:
            for _ in fetch(place, declared, opened, self.facility.storage().min_free_bytes):
                pass
        except AlreadyFetching as other:
            raise DatabaseBusy from other

    def expected(self, package: Package, *configs: Mapping[str, JsonValue]) -> JsonObject:
        """Return the paths that a run will get once its databases are there, to check it with.

        Decision: G332.
        """
        wanted = demands(package.descriptor, *configs)
        return provided(wanted, {one.database.id: self._expected_path(one.database) for one in wanted})

    def for_run(self, package: Package, *configs: Mapping[str, JsonValue]) -> ForRun:
        """Return the paths of the databases that are ready, and the labels of those that are not.

        Decision: G332.
        """
        wanted = demands(package.descriptor, *configs)
        found = {one.database.id: self.ready_path(one.database) for one in wanted}
        paths = {name: path for name, path in found.items() if path is not None}
        missing = tuple(one.database.label for one in wanted if one.database.id not in paths)
        return ForRun(provided(wanted, paths), missing)

    def check_needed(
        self, caller: LiveFacilityAdmin, package: Package, *configs: Mapping[str, JsonValue]
    ) -> None:
        """Ask for every database that a run needs and that is not there.

        Raises `DatabaseNotReady` with a line for each.

        Decision: G332.
        """
        missing = [one for one in self.needed(package, *configs) if self.ready_path(one.database) is None]
        if not missing:
            return
        details = []
        for one in missing:
            shown = self.request(caller, database_key(one.database))
            error = "" if shown["error"] is None else f", {shown['error']}"
            details.append(f"{one.database.label} {one.database.version}: {shown['status']}{error}")
        raise DatabaseNotReady(details=details, label=missing[0].database.label)

    def needed(self, package: Package, *configs: Mapping[str, JsonValue]) -> list[Demand]:
        return [one for one in demands(package.descriptor, *configs) if one.is_needed]

    def ready_path(self, declared: Database) -> str | None:
        """Return the path that runs get for a database; None while it is not ready. Decision: G332."""
        place = self.place(declared)
        record = place.record()
        if record is None or fault_of(place, declared) is not None:
            return None
        return str(place.data_path(record))

    def fault(self, declared: Database) -> str | None:
        """Return what is wrong with the place of a database; None when it is ready. Decision: G338."""
        return fault_of(self.place(declared), declared)

    def declared(self) -> dict[str, Declared]:
        """Find what all installed versions declare, by key; of two declarations the more precise counts."""
        found: dict[str, Declared] = {}
        for row in store.list_installed():
            package = self.package_store.load(row).package
            for one in () if package is None else package.descriptor.databases:
                key = database_key(one)
                known = found.get(key, Declared(one, ()))
                better = max((known.database, one), key=_precision)
                found[key] = Declared(better, tuple(sorted({*known.pipelines, row.pipeline_id})))
        return found

    def find(self, key: str) -> Declared:
        """Find a declared database; raises `DatabaseNotFound`."""
        declared = self.declared().get(key)
        if declared is None:
            raise DatabaseNotFound
        return declared

    def place(self, declared: Database) -> Place:
        """Find the place of a database in the directory in force. Decision: G46, G331."""
        directory = self.facility.execution().database_directory
        return place_of(Path(directory) if directory else self.home / "databases", declared)

    def _expected_path(self, declared: Database) -> str:
        return self.ready_path(declared) or str(self.place(declared).published / "data")

    def _shown(self, key: str, declared: Declared, job: BackgroundJob | None) -> answers.ReferenceDatabase:
        one, place = declared.database, self.place(declared.database)
        record, is_ready = place.record(), fault_of(place, one) is None
        status = DatabaseState.READY if is_ready else _state_of(job)
        progress = place.progress()
        return {
            "key": key,
            "id": one.id,
            "label": one.label,
            "version": one.version,
            "fileName": one.file_name,
            "downloadUrl": one.download_url,
            "checkedAgainst": checked_against({"sha256": one.sha256, "md5": one.md5, "size": one.size}),
            "pipelines": list(declared.pipelines),
            "status": status.value,
            "receivedBytes": record.size if is_ready and record is not None else place.received(),
            "totalBytes": record.size if is_ready and record is not None else one.size or progress.total,
            "path": str(place.data_path(record)) if is_ready and record is not None else None,
            "verifiedBy": record.verified_by if is_ready and record is not None else None,
            "sha256": record.sha256 if is_ready and record is not None else None,
            "error": None if is_ready or job is None else _error_of(job),
        }


def _state_of(job: BackgroundJob | None) -> DatabaseState:
    if job is None or job.status is JobStatus.DONE:
        return DatabaseState.MISSING
    if job.status is JobStatus.FAILED:
        return DatabaseState.FAILED
    return DatabaseState.FETCHING if job.status is JobStatus.RUNNING else DatabaseState.QUEUED


def _error_of(job: BackgroundJob) -> str | None:
    return None if job.status is JobStatus.DONE else job.last_error


def _precision(one: Database) -> int:
    return sum(value is not None for value in (one.sha256, one.md5, one.size))


def _check_folder(directory: Path) -> None:
    try:
        directory.mkdir(mode=0o750, parents=True, exist_ok=True)
    except OSError as failed:
        raise DatabaseFolderNotUsable from failed
    if not os.access(directory, os.W_OK | os.X_OK):
        raise DatabaseFolderNotUsable
