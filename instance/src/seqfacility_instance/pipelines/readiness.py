"""What an installed pipeline has and lacks to be run now, in sentences that say what to do."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TypedDict

from seqfacility_pipeline_package.databases import database_key
from seqfacility_pipeline_package.descriptor import config_problems, merged_config
from seqfacility_pipeline_package.package import Package
from seqfacility_workflow_runtime.executors.contract import Executor
from seqfacility_workflow_runtime.executors.registry import EXECUTORS

from seqfacility_instance.access.callers import FacilityAdmin
from seqfacility_instance.core.vocabulary.pipelines import Engine
from seqfacility_instance.facility_settings.sections import ExecutionSection
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.pipelines import store
from seqfacility_instance.pipelines.errors import PipelineNotFound
from seqfacility_instance.pipelines.notices import kept_notices
from seqfacility_instance.pipelines.package_store import Loaded
from seqfacility_instance.pipelines.reference_data.rules import Demand, demands
from seqfacility_instance.pipelines.reference_data.service import ReferenceDatabases
from seqfacility_instance.pipelines.service import Pipelines, engine_of, engine_program
from seqfacility_instance.site.checks import Check, Verdict
from seqfacility_instance.site.engine_versions import EngineSighting, SchedulerSighting

_ENGINES = {Engine.SNAKEMAKE: "Snakemake", Engine.NEXTFLOW: "Nextflow"}
_SETTINGS = {Engine.SNAKEMAKE: "snakemakeCommand", Engine.NEXTFLOW: "nextflowCommand"}


class Subject(StrEnum):
    """What a check looks at. Decision: G338."""

    PACKAGE = "package"
    ENABLED = "enabled"
    ENGINE = "engine"
    EXECUTOR = "executor"
    SETTINGS = "settings"
    TECHNOLOGY = "technology"
    DATABASE = "database"


class ReadinessCheck(TypedDict):
    """One thing that was looked at; `fail` keeps runs from a good end, `warn` may do so. Decision: G338."""

    id: Subject
    verdict: Verdict
    text: str


class PipelineReadiness(TypedDict):
    """All that was looked at for one pipeline; `ready` without any `fail`. Decision: G338."""

    id: str
    version: str
    ready: bool
    checks: list[ReadinessCheck]


@dataclass(frozen=True, slots=True)
class HostEnvironment:
    """What is outside of this slice: who answers, where runs go, which technologies the facility offers.

    `families` is None when the facility keeps no catalog.
    """

    engine: Callable[[Engine, str], EngineSighting]
    scheduler: Callable[[str], SchedulerSighting]
    families: Callable[[], set[str] | None]


@dataclass(frozen=True, slots=True)
class Readiness:
    """Looks at installed pipelines and changes nothing. Decision: G338."""

    pipelines: Pipelines
    databases: ReferenceDatabases
    facility: FacilitySettings
    asked: HostEnvironment
    """Starts engines and asks schedulers, for the command line."""
    seen: HostEnvironment
    """Tells what a worker saw last, for requests. Decision: G487."""

    def of_all(self, _caller: FacilityAdmin) -> list[PipelineReadiness]:
        """Look at every installed pipeline, by id. Decision: G338, G487."""
        return [self._look_at(row.pipeline_id, self.seen) for row in store.list_current()]

    def of_one(self, _caller: FacilityAdmin, pipeline_id: str) -> PipelineReadiness:
        """Look at one installed pipeline; raises `PipelineNotFound`. Decision: G338, G487."""
        return self._look_at(pipeline_id, self.seen)

    def look(self) -> list[PipelineReadiness]:
        """Look at every installed pipeline, for the command line. Decision: G338."""
        return [self.look_at(row.pipeline_id) for row in store.list_current()]

    def look_at(self, pipeline_id: str) -> PipelineReadiness:
        """Look at one installed pipeline, for the command line; raises `PipelineNotFound`. Decision: G338."""
        return self._look_at(pipeline_id, self.asked)

    def _look_at(self, pipeline_id: str, host: HostEnvironment) -> PipelineReadiness:
        row = store.find_current(pipeline_id)
        if row is None:
            raise PipelineNotFound
        loaded = self.pipelines.package_store.load(row)
        checks = [_package_check(loaded), self._enabled_check(pipeline_id)]
        checks += [_warn(Subject.PACKAGE, text) for text in kept_notices(row).warnings]
        if loaded.package is not None:
            checks += _outputs_checks(loaded.package)
            checks += self._checks(loaded.package, host)
        ready = all(check["verdict"] is not Verdict.FAIL for check in checks)
        return {"id": pipeline_id, "version": row.version, "ready": ready, "checks": checks}

    def setup_checks(self) -> list[Check]:
        """Return for each enabled pipeline whether it could run. Decision: G262, G338."""
        return self._summaries(self.asked)

    def seen_checks(self) -> list[Check]:
        """Return the same from what a worker saw last, fast enough for requests. Decision: G487."""
        return self._summaries(self.seen)

    def _summaries(self, host: HostEnvironment) -> list[Check]:
        decisions = store.configs()
        enabled = [row.pipeline_id for row in store.list_current() if row.pipeline_id in decisions]
        return [
            _summary(self._look_at(pipeline_id, host))
            for pipeline_id in enabled
            if decisions[pipeline_id].enabled
        ]

    def _checks(self, package: Package, host: HostEnvironment) -> Iterator[ReadinessCheck]:
        execution = self.facility.execution()
        executor = EXECUTORS[execution.backend_for(package.id).value]
        yield _engine_check(package, executor, execution, host)
        yield _executor_check(executor, host)
        yield from self._settings_checks(package, execution)
        yield _technology_check(package, host)
        yield from self._database_checks(package)

    def _enabled_check(self, pipeline_id: str) -> ReadinessCheck:
        decision = store.find_config(pipeline_id)
        if decision is not None and decision.enabled:
            return _ok(Subject.ENABLED, "It is enabled.")
        return _fail(Subject.ENABLED, f"It is not enabled. Enable it with `{_endpoint(pipeline_id)}`.")

    def _settings_checks(self, package: Package, execution: ExecutionSection) -> list[ReadinessCheck]:
        found = []
        base = self.facility.storage().data_base_path
        if base is None:
            text = "The data folder is not configured. Set `dataBasePath` in the storage settings."
            found.append(_fail(Subject.SETTINGS, text))
        # WHY: `Path.is_dir` raises when the disk is gone or not accessible. Decision: G1093.
        elif not os.path.isdir(base):  # noqa: PTH112
            text = f"The data folder {base} does not exist. Make it, or set another one."
            found.append(_fail(Subject.SETTINGS, text))
        if problems := self._config_problems(package):
            text = f"Its configuration is not complete: {'; '.join(problems[:5])}."
            advice = f"Set it with `{_endpoint(package.id)}`, or with each run."
            found.append(_warn(Subject.SETTINGS, f"{text} {advice}"))
        if execution.weblog_secret is None:
            text = "No weblog secret is set, so progress is known from the trace alone."
            found.append(_warn(Subject.SETTINGS, text))
        return found or [_ok(Subject.SETTINGS, "Its settings are complete.")]

    def _config_problems(self, package: Package) -> list[str]:
        descriptor, config = package.descriptor, self.pipelines.admin_config(package.id)
        provided = self.databases.expected(package, config)
        merged = merged_config(descriptor.default_config, provided, config)
        return config_problems(descriptor.config_schema, merged)

    def _database_checks(self, package: Package) -> Iterator[ReadinessCheck]:
        config = self.pipelines.admin_config(package.id)
        left_to_us = {one.database.id: one for one in demands(package.descriptor, config)}
        for declared in package.descriptor.databases:
            demand = left_to_us.get(declared.id)
            if demand is None:
                path = str(config.get(declared.config_key))
                yield _path_check(package.id, declared.label, path)
            else:
                yield self._database_check(demand)

    def _database_check(self, demand: Demand) -> ReadinessCheck:
        declared = demand.database
        fault, key = self.databases.fault(declared), database_key(declared)
        if fault is None:
            record = self.databases.place(declared).record()
            held = "" if record is None else f", verified by {record.verified_by.value}"
            return _ok(Subject.DATABASE, f"{declared.label} {declared.version} is there{held}.")
        advice = f"Fetch it with `seqfacility fetch-database {key}`."
        text = f"{declared.label} {declared.version} {fault}. {advice}"
        if demand.is_needed:
            return _fail(Subject.DATABASE, text)
        return _warn(Subject.DATABASE, f"{text} Runs go on without it.")


def _summary(looked: PipelineReadiness) -> Check:
    faults = [check["text"] for check in looked["checks"] if check["verdict"] is Verdict.FAIL]
    if not faults:
        return Check(Verdict.OK, f"Pipeline {looked['id']}: can be run.")
    return Check(Verdict.WARN, f"Pipeline {looked['id']}: {' '.join(faults)}")


def _package_check(loaded: Loaded) -> ReadinessCheck:
    if loaded.package is not None:
        return _ok(Subject.PACKAGE, f"The package {loaded.row.version} is sound.")
    problems = "; ".join(loaded.problems[:5])
    return _fail(Subject.PACKAGE, f"The package is broken: {problems}. Install it again.")


def _engine_check(
    package: Package, executor: Executor, execution: ExecutionSection, host: HostEnvironment
) -> ReadinessCheck:
    engine = engine_of(package)
    program, name = engine_program(engine, execution), _ENGINES[engine]
    seen = host.engine(engine, program)
    if seen.version is not None:
        return _ok(Subject.ENGINE, f"{name} {seen.version} answers.")
    if seen.is_found and seen.checked_at is None:
        advice = "Start `seqfacility worker`."
        text = f"`{program}` is installed, and no worker has asked for its version. {advice}"
        return _warn(Subject.ENGINE, text)
    advice = f"`{program}` does not answer with a version. Install {name}, or set {_SETTINGS[engine]}."
    if executor.queues:
        return _warn(Subject.ENGINE, f"On this machine {advice} The nodes need it in any case.")
    return _fail(Subject.ENGINE, f"{name} is missing: {advice}")


def _executor_check(executor: Executor, host: HostEnvironment) -> ReadinessCheck:
    place = f"Runs go to {executor.label}"
    if not executor.queues:
        return _ok(Subject.EXECUTOR, f"{place}.")
    seen = host.scheduler(executor.name)
    if seen.checked_at is None:
        text = f"{place}, and no worker has asked its controller. Start `seqfacility worker`."
        return _warn(Subject.EXECUTOR, text)
    if seen.fault is None:
        return _ok(Subject.EXECUTOR, f"{place}, and its controller answers.")
    return _fail(Subject.EXECUTOR, f"{place}: {seen.fault}")


def _technology_check(package: Package, host: HostEnvironment) -> ReadinessCheck:
    wanted = set(package.manifest.compatibility.platform_families)
    offered = host.families()
    if not wanted:
        return _ok(Subject.TECHNOLOGY, "It takes reads of any platform.")
    names = ", ".join(sorted(wanted))
    if offered is None or wanted & offered:
        return _ok(Subject.TECHNOLOGY, f"It takes reads of {names}.")
    text = f"It takes reads of {names}, and the catalog offers none of these technologies."
    return _warn(Subject.TECHNOLOGY, text)


def _outputs_checks(package: Package) -> list[ReadinessCheck]:
    """Warn when nothing that a run leaves is looked for before it is completed. Decision: G180, G338."""
    if package.discovery_scripts or any(output.required for output in package.manifest.outputs):
        return []
    text = "No output of it is required: a run counts as completed when its job ends with exit code 0,"
    text += " whatever files it leaves. Ask its author to mark an output as required."
    return [_warn(Subject.PACKAGE, text)]


def _path_check(pipeline_id: str, label: str, path: str) -> ReadinessCheck:
    if os.path.exists(path):  # noqa: PTH110  # the same as above
        return _ok(Subject.DATABASE, f"{label}: {path} is there.")
    text = f"{label}: {path} does not exist. Correct it with `{_endpoint(pipeline_id)}`."
    return _fail(Subject.DATABASE, text)


def _endpoint(pipeline_id: str) -> str:
    return f"PUT /api/admin/pipelines/{pipeline_id}"


def _ok(subject: Subject, text: str) -> ReadinessCheck:
    return {"id": subject, "verdict": Verdict.OK, "text": text}


def _warn(subject: Subject, text: str) -> ReadinessCheck:
    return {"id": subject, "verdict": Verdict.WARN, "text": text}


def _fail(subject: Subject, text: str) -> ReadinessCheck:
    return {"id": subject, "verdict": Verdict.FAIL, "text": text}
