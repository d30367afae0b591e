"""Use cases on installed pipelines: what is offered, what an admin decides, what came with the service.

Decision: G46.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from seqfacility_pipeline_package.descriptor import config_problems, merged_config
from seqfacility_pipeline_package.documents import JsonObject, read_json
from seqfacility_pipeline_package.names import version_order
from seqfacility_pipeline_package.package import Package
from seqfacility_pipeline_package.payload import read_payload
from seqfacility_workflow_runtime.environment import child_environment

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import FacilityAdmin, LiveFacilityAdmin, SignedIn
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.errors import StaleRecord
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.core.vocabulary.pipelines import Engine, PackageOrigin
from seqfacility_instance.facility_settings.sections import ExecutionSection
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.pipelines import bodies, store
from seqfacility_instance.pipelines.bodies import Decision, as_json
from seqfacility_instance.pipelines.errors import (
    BundledNotRemovable,
    ConfigRefused,
    HasActiveRuns,
    InvalidPipelineId,
    OlderThanInstalled,
    PackageNotFound,
    PackageRefused,
    PipelineDisabled,
    PipelineNotFound,
)
from seqfacility_instance.pipelines.notices import kept_notices
from seqfacility_instance.pipelines.package_store import Loaded, PackageStore
from seqfacility_instance.pipelines.rules import becomes_current, decision_tag, highest
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.pipelines import PipelineConfig, PipelinePackage

if TYPE_CHECKING:
    from seqfacility_schemas import answers

_NAMES = {Engine.SNAKEMAKE: "Snakemake", Engine.NEXTFLOW: "Nextflow"}


@dataclass(frozen=True, slots=True)
class Usable:
    """An enabled pipeline: package, the digest it was installed with, folder, and the admin's values.

    `warnings` is what its registry said against it.
    """

    package: Package
    sha256: str | None
    folder: Path
    config: JsonObject
    warnings: list[str]


@dataclass(frozen=True, slots=True)
class Pipelines:
    """Reads and configures installed pipelines. Decision: G140-G142, G144."""

    package_store: PackageStore
    facility: FacilitySettings
    clock: Clock

    def list_offered(self, _caller: SignedIn, target: str | None) -> list[answers.Pipeline]:
        """List the enabled pipelines by name, those for `order` or `study` when asked. Decision: G141."""
        execution, decisions = self.facility.execution(), store.configs()
        shown = []
        for row in store.list_current():
            decision, package = decisions.get(row.pipeline_id), self.package_store.load(row).package
            if package is None or decision is None or not decision.enabled:
                continue
            if target in {"order", "study"} and target not in package.manifest.targets:
                continue
            shown.append(bodies.pipeline(package, decision.config, unavailable_reasons(package, execution)))
        return sorted(shown, key=lambda pipeline: (pipeline["name"].lower(), pipeline["id"]))

    def definition(self, _caller: SignedIn, pipeline_id: str) -> answers.PipelineDefinitionAnswer:
        """Return the steps of an installed pipeline; raises `PipelineNotFound`. Decision: G141."""
        package = self.current(pipeline_id)
        if package is None:
            raise PipelineNotFound
        return bodies.definition(package)

    def list_installed(self, _caller: FacilityAdmin) -> list[answers.AdminPipeline]:
        """List what is installed, broken packages too, by name. Decision: G142."""
        execution, decisions = self.facility.execution(), store.configs()
        shown = [
            self._shown(self.package_store.load(row), decisions.get(row.pipeline_id), execution)
            for row in store.list_current()
        ]
        return sorted(shown, key=lambda pipeline: (pipeline["name"].lower(), pipeline["id"]))

    def shown(self, pipeline_id: str, version: str | None = None) -> answers.AdminPipeline:
        """Return one installed pipeline as it is used now, or as another installed version of it would be.

        Raises `PipelineNotFound`.

        Decision: G142, G442.
        """
        row = store.find_current(pipeline_id) if version is None else store.find_version(pipeline_id, version)
        if row is None:
            raise PipelineNotFound
        return self._shown(
            self.package_store.load(row), store.find_config(pipeline_id), self.facility.execution()
        )

    def _shown(
        self, loaded: Loaded, decision: PipelineConfig | None, execution: ExecutionSection
    ) -> answers.AdminPipeline:
        reasons = [] if loaded.package is None else unavailable_reasons(loaded.package, execution)
        versions = [self.package_store.load(row) for row in store.list_versions(loaded.row.pipeline_id)]
        return bodies.admin_pipeline(loaded, decision, reasons, versions)

    def check_order(self, pipeline_id: str, version: str, *, may_go_back: bool) -> None:
        """Raise `OlderThanInstalled` for a version below the highest that is installed and not withdrawn.

        Decision: G442, G922.
        """
        rows = store.list_versions(pipeline_id)
        newest = highest(row.version for row in rows if row.yank_reason is None)
        if newest is not None and not may_go_back and version_order(version) < version_order(newest):
            raise OlderThanInstalled(pipeline_id=pipeline_id, version=version, highest=newest)

    def configure(
        self,
        caller: LiveFacilityAdmin | None,
        pipeline_id: str,
        change: Decision,
        seen: frozenset[str] | None = None,
    ) -> answers.AdminPipeline:
        """Enable, disable or configure a pipeline, or let new runs use another installed version.

        The configuration is replaced as a whole. Without a caller it is the command line that decides.
        Raises `PipelineNotFound`, `PackageNotFound` for a version that is not installed, `PackageRefused` for
        a broken one, `StaleRecord` when the entity tag is none of `seen`, and `ConfigRefused` when
        the values, laid over the defaults of the version that will be current, do not fit its schema.

        Decision: G142, G442, G1094.
        """
        now = self.clock.now()
        with database.atomic():
            decision, row = store.lock_config(pipeline_id, now), store.find_current(pipeline_id)
            if row is None:
                raise PipelineNotFound
            state = decision_tag(row.version, as_json(decision.config), is_enabled=decision.enabled)
            if seen is not None and state not in seen:
                raise StaleRecord
            config = decision.config if change.config is None else change.config
            enabled = decision.enabled if change.enabled is None else change.enabled
            detail: dict[str, object] = {"enabled": enabled}
            loaded = self.package_store.load(row)
            if change.current_version not in {None, row.version}:
                loaded = self._replacement(pipeline_id, str(change.current_version))
                store.make_current(pipeline_id, loaded.row.version)
                detail |= {"version": loaded.row.version, "previousVersion": row.version}
            if change.config is not None or loaded.row.version != row.version:
                self._check_config(loaded.package, config)
            user_id, address = (None, None) if caller is None else (caller.user_id, caller.address)
            store.save_config(pipeline_id, enabled, config, user_id, now)
            act = AuditAction.PIPELINE_CONFIGURED
            audit.write(user_id, address, act, "pipeline", pipeline_id, now, detail)
        return self.shown(pipeline_id)

    def _replacement(self, pipeline_id: str, version: str) -> Loaded:
        row = store.find_version(pipeline_id, version)
        if row is None:
            raise PackageNotFound
        loaded = self.package_store.load(row)
        if loaded.package is None:
            raise PackageRefused(details=list(loaded.problems))
        return loaded

    def adopt(self, pipeline_id: str, enabled: bool, config: dict[str, object] | None, now: datetime) -> None:
        """Take over what an install profile decides; runs in the transaction that applies it.

        Raises `PipelineNotFound` or `ConfigRefused`.

        Decision: G142, G242.
        """
        decision, row = store.lock_config(pipeline_id, now), store.find_current(pipeline_id)
        if row is None:
            raise PipelineNotFound
        if config is not None:
            self._check_config(self.package_store.load(row).package, config)
        store.save_config(pipeline_id, enabled, decision.config if config is None else config, None, now)

    def _check_config(self, package: Package | None, config: Mapping[str, object]) -> None:
        if package is None:
            return
        descriptor = package.descriptor
        problems = config_problems(
            descriptor.config_schema,
            merged_config(descriptor.default_config, as_json(config)),
            complete=False,
        )
        if problems:
            raise ConfigRefused(details=problems)

    def remove(self, caller: LiveFacilityAdmin, pipeline_id: str) -> None:
        """Remove every version of a pipeline; its runs and their results stay.

        Raises `PipelineNotFound`, `BundledNotRemovable` or `HasActiveRuns`. The rows go first: a crash
        leaves a folder that nobody names, and installing the version again takes it over.

        Decision: G144.
        """
        now = self.clock.now()
        with database.atomic():
            versions = store.list_versions(pipeline_id)
            if not versions:
                raise PipelineNotFound
            if store.is_bundled(versions):
                raise BundledNotRemovable
            if store.has_active_runs(pipeline_id):
                raise HasActiveRuns
            store.remove(pipeline_id)
            audit.record(caller, AuditAction.PIPELINE_REMOVED, "pipeline", pipeline_id, now)
        self.package_store.discard(pipeline_id)

    def current(self, pipeline_id: str) -> Package | None:
        """Load the version that new runs use; None when there is none, or it is broken."""
        row = store.find_current(pipeline_id)
        return None if row is None else self.package_store.load(row).package

    def version(self, pipeline_id: str, version: str) -> Package | None:
        """Load one version, for a run that was made with it; None when it is gone or broken."""
        row = store.find_version(pipeline_id, version)
        return None if row is None else self.package_store.load(row).package

    def noticed(self, pipeline_id: str, version: str) -> bodies.Noticed:
        """Tell what is said against a version that a run was made with; nothing once it is removed.

        Decision: G982.
        """
        row = store.find_version(pipeline_id, version)
        return {} if row is None else bodies.noticed(row)

    def usable(self, pipeline_id: str | None) -> Usable:
        """Return an enabled pipeline for a new run.

        Raises `InvalidPipelineId` for one that is unknown or broken, `PipelineDisabled` for one that is
        installed and not enabled.

        Spec: instance, Errors: create run. Decision: G129, G148.
        """
        row = None if pipeline_id is None else store.find_current(pipeline_id)
        package = None if row is None else self.package_store.load(row).package
        if row is None or package is None:
            raise InvalidPipelineId
        decision = store.find_config(row.pipeline_id)
        if decision is None or not decision.enabled:
            raise PipelineDisabled(pipeline_id=row.pipeline_id)
        return self._usable(row, package, decision)

    def usable_version(self, pipeline_id: str, version: str) -> Usable | None:
        """Return an enabled pipeline as a run was made with it; None when that version is gone or broken.

        Raises `PipelineDisabled`.

        Decision: G153, G511.
        """
        decision = store.find_config(pipeline_id)
        if decision is None or not decision.enabled:
            raise PipelineDisabled(pipeline_id=pipeline_id)
        row = store.find_version(pipeline_id, version)
        package = None if row is None else self.package_store.load(row).package
        if row is None or package is None:
            return None
        return self._usable(row, package, decision)

    def _usable(self, row: PipelinePackage, package: Package, decision: PipelineConfig) -> Usable:
        folder, warnings = self.package_store.folder(row), kept_notices(row).warnings
        return Usable(package, row.sha256, folder, as_json(decision.config), warnings)

    def place_of(self, pipeline_id: str, version: str) -> Path | None:
        """Return the folder of an installed version, or None."""
        row = store.find_version(pipeline_id, version)
        return None if row is None else self.package_store.folder(row)

    def admin_config(self, pipeline_id: str) -> JsonObject:
        decision = store.find_config(pipeline_id)
        return {} if decision is None else as_json(decision.config)

    def install_bundled(self) -> list[str]:
        """Install what came with the service and is not installed yet; return the ids that are new.

        The Snakemake packages are enabled, since they need nothing that the service does not bring. Versions
        that exist, and what an admin decided, stay as they are, so it may be repeated at any time: another
        version of what is enabled waits until an admin makes it current.

        Decision: G140, G442.
        """
        installed = []
        for name, content in bundled_payloads().items():
            payload = read_json(content)
            package = read_payload(payload, None)
            if store.find_version(package.id, package.version) is not None:
                continue
            assert isinstance(payload, dict), name
            place = self.package_store.place(package.id, package.version)
            self.package_store.put(payload, place)
            now, digest = self.clock.now(), str(payload["sha256"])
            with database.atomic():
                store.add_package(
                    package.id, package.version, PackageOrigin.BUNDLED, digest, place, None, now
                )
                self.take_into_use(package, is_requested=False)
                is_own_engine = engine_of(package) is Engine.SNAKEMAKE
                store.add_config(package.id, is_own_engine, now)
            installed.append(package.id)
        return installed

    def take_into_use(self, package: Package, *, is_requested: bool) -> None:
        """Make a version that was just installed current, unless that would change an enabled pipeline.

        Stands in the transaction that installs it.

        Decision: G442.
        """
        current, decision = store.find_current(package.id), store.find_config(package.id)
        if becomes_current(
            package.version,
            None if current is None else current.version,
            is_enabled=decision is not None and decision.enabled,
            is_requested=is_requested,
        ):
            store.make_current(package.id, package.version)


def bundled_payloads() -> dict[str, bytes]:
    """Read the packages that the service ships, as the registry publishes them, by file name.

    Decision: G140.
    """
    folder = files(__package__).joinpath("bundled")
    return {
        entry.name: entry.read_bytes()
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name)
        if entry.name.endswith(".json")
    }


def unavailable_reasons(package: Package, execution: ExecutionSection) -> list[str]:
    """Return what a run of the pipeline would miss on this machine; empty when it can run.

    Decision: G140, G141.
    """
    engine = engine_of(package)
    program = engine_program(engine, execution)
    search = child_environment(os.environ)["PATH"]
    found = shutil.which(program, path=search) is not None
    return [] if found else [f"{_NAMES[engine]} is not installed"]


def engine_of(package: Package) -> Engine:
    return Engine(package.manifest.execution.engine.value)


def engine_program(engine: Engine, execution: ExecutionSection) -> str:
    return execution.nextflow_command if engine is Engine.NEXTFLOW else execution.snakemake_command
