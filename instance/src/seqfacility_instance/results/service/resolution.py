"""Resolving outputs: find the files of an ended run, and record what they are; repeatable at any time."""

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TypedDict

from seqfacility_pipeline_package.enums import Destination
from seqfacility_pipeline_package.manifest import Output
from seqfacility_pipeline_package.package import Package
from seqfacility_workflow_runtime.run_folder import RunFolder

from seqfacility_instance.access.callers import LiveFacilityAdmin
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.storable_text import storable_text
from seqfacility_instance.core.vocabulary.pipelines import PipelineArtifactType, RunStatus, TargetType
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.pipelines.service import Pipelines
from seqfacility_instance.results import store
from seqfacility_instance.results.discovery import Findings, run_discovery
from seqfacility_instance.results.errors import (
    NoAdapter,
    NoSamples,
    NotEnded,
    RunFolderNotSet,
    RunNotFound,
)
from seqfacility_instance.results.output_folder import OutputFiles, list_output_files
from seqfacility_instance.results.rules.matching import Found, artifact_type, match_outputs, missing_outputs
from seqfacility_instance.results.run_tables import RunTables
from seqfacility_instance.results.service.recording import Recorder
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.orders import Sample
from seqfacility_instance.tables.pipelines import PipelineRun


class Discovered(TypedDict):
    """How many files were found. Spec: instance, Pipeline runs. Decision: G189."""

    assembliesFound: int
    binsFound: int
    artifactsFound: int
    reportsFound: int


class Resolved(TypedDict):
    """How many rows this call created. Decision: G192."""

    assembliesCreated: int
    binsCreated: int
    artifactsCreated: int


@dataclass(frozen=True, slots=True)
class Resolution:
    """What resolving found and made; `errors` says why it is not all there. Decision: G194, G376."""

    discovered: Discovered
    resolved: Resolved
    errors: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Outputs:
    """Resolves the outputs of runs. Decision: G189-G195."""

    pipelines: Pipelines
    facility: FacilitySettings
    clock: Clock

    def resolve_again(self, caller: LiveFacilityAdmin, run_id: str) -> Resolution:
        """Resolve the outputs of a run that has ended.

        Raises, in this order, `RunNotFound`, `NotEnded`, `RunFolderNotSet`, `NoSamples`, `NoAdapter`.

        Spec: instance, Errors: resolve-outputs. Decision: G195.
        """
        run = store.find_run(caller, run_id)
        if run is None:
            raise RunNotFound
        if run.status not in {RunStatus.COMPLETED, RunStatus.FAILED}:
            raise NotEnded
        if run.run_folder is None:
            raise RunFolderNotSet
        if not store.samples_of(run):
            raise NoSamples
        return self.resolve(run)

    def resolve(self, run: PipelineRun, seconds: float | None = None) -> Resolution:
        """Find and record the outputs of a run; the files are looked through before the transaction.

        A run without a folder has no files. Raises `NoAdapter` when the package is gone, and `TooSlow`
        when looking takes longer than `seconds`.

        Spec: instance, Weblog intake 8. Decision: G189-G194.
        """
        package = self.pipelines.version(run.pipeline_id, run.pipeline_version)
        if package is None:
            raise NoAdapter(pipeline_id=run.pipeline_id)
        samples = {sample.sample_code: sample for sample in store.samples_of(run)}
        files = OutputFiles({})
        tables = RunTables(Path("/nonexistent"), package.parsers)
        if run.run_folder is not None:
            folder = RunFolder(Path(run.run_folder))
            files = list_output_files(folder.output, seconds)
            tables = RunTables(folder.output, package.parsers)
        outputs = package.manifest.outputs
        matches = match_outputs(outputs, files.sizes, samples)
        scripted = self._scripted(run, package, files, samples, seconds)
        found = tuple(dict.fromkeys((*matches.found, *scripted.found)))
        tables.read(found)
        recorder = self._recorder(run, samples, files, tables)
        with database.atomic():
            recorder.record(found)
        return Resolution(
            discovered=_discovered(found),
            resolved={
                "assembliesCreated": recorder.assemblies_created,
                "binsCreated": recorder.bins_created,
                "artifactsCreated": recorder.artifacts_created,
            },
            errors=_storable(files.errors, missing_outputs(outputs, found, samples), scripted.errors),
            warnings=_storable(
                files.warnings, matches.warnings, scripted.warnings, tables.warnings, recorder.warnings
            ),
        )

    def _scripted(
        self,
        run: PipelineRun,
        package: Package,
        files: OutputFiles,
        samples: dict[str, Sample],
        seconds: float | None,
    ) -> Findings:
        """Ask the package's discovery scripts, before any transaction. Decision: G137, G189."""
        place = self.pipelines.place_of(run.pipeline_id, run.pipeline_version)
        if run.run_folder is None or place is None or not package.discovery_scripts:
            return Findings()
        scripts = [place / path for path in package.discovery_scripts]
        return run_discovery(
            scripts, Path(run.run_folder), package.manifest.outputs, files.sizes, samples, seconds
        )

    def _recorder(
        self,
        run: PipelineRun,
        samples: dict[str, Sample],
        files: OutputFiles,
        tables: RunTables,
    ) -> Recorder:
        base = self.facility.storage().data_base_path
        return Recorder(
            run=run,
            is_order_run=run.target_type is TargetType.ORDER,
            output=PurePosixPath(run.run_folder or "/") / "output",
            base=None if base is None else PurePosixPath(base),
            samples=samples,
            sizes=files.sizes,
            tables=tables,
            now=self.clock.now(),
        )


def _storable(*texts: Iterable[str]) -> list[str]:
    """Join what was said of a run, which may quote files and scripts. Decision: G376."""
    return [storable_text(text) for text in itertools.chain(*texts)]


def _discovered(found: tuple[Found, ...]) -> Discovered:
    def count(*destinations: Destination) -> int:
        return sum(item.output.destination in destinations for item in found)

    return {
        "assembliesFound": count(Destination.ASSEMBLY),
        "binsFound": count(Destination.BIN),
        "artifactsFound": count(Destination.ARTIFACT, Destination.READ_CANDIDATE),
        "reportsFound": sum(_is_report(item.output, item.path) for item in found),
    }


def _is_report(output: Output, path: str) -> bool:
    is_artifact = output.destination is Destination.ARTIFACT
    return is_artifact and artifact_type(output, path) is PipelineArtifactType.QC_REPORT
