"""What a run of a pipeline on a target would be made of, told before anybody makes it."""

from dataclasses import dataclass

from seqfacility_pipeline_package.descriptor import merged_config
from seqfacility_pipeline_package.documents import JsonObject
from seqfacility_pipeline_package.package import Package
from seqfacility_pipeline_package.samplesheet import sheet_text
from seqfacility_workflow_runtime.executors.registry import offered

from seqfacility_instance.access.callers import FacilityAdmin
from seqfacility_instance.access.errors import OrderNotFound, StudyNotFound
from seqfacility_instance.core.vocabulary.pipelines import Backend, ExecutionMode, TargetType
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.pipelines.reference_data.service import ReferenceDatabases
from seqfacility_instance.pipelines.service import Pipelines
from seqfacility_instance.run_plans.store import list_runs
from seqfacility_instance.runs.errors import TargetUnsupported
from seqfacility_instance.runs.rules.inputs import InputSample, reasons_against
from seqfacility_instance.runs.rules.requests import Target, resolved_backend
from seqfacility_instance.runs.service.inputs import input_samples
from seqfacility_instance.runs.service.sequencing_input import SequencingInput, sequencing_input
from seqfacility_instance.runs.store import targets


@dataclass(frozen=True, slots=True)
class SampleOption:
    """A sample of the target, and why a run cannot have it."""

    sample: InputSample
    problems: list[str]


@dataclass(frozen=True, slots=True)
class Options:
    """What may be chosen of a run, and what it is made of when nothing is.

    `sequencing_runs` are those of the order, newest first; None when the pipeline does not work on one.
    """

    package: Package
    config: JsonObject
    modes: list[Backend]
    default_mode: Backend
    samples: list[SampleOption]
    sequencing_runs: list[SequencingInput] | None
    warnings: list[str]


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Tells what a run could be made of. Decision: G770."""

    pipelines: Pipelines
    databases: ReferenceDatabases
    facility: FacilitySettings

    def show(self, caller: FacilityAdmin, pipeline_id: str, target: Target) -> Options:
        """Look at each sample alone, as creation would; raises what creation would for pipeline and target.

        Decision: G770.
        """
        usable = self.pipelines.usable(pipeline_id)
        package = usable.package
        if target.type.value not in package.manifest.targets:
            raise TargetUnsupported(pipeline_id=package.id, target=target.type.value)
        if not targets.target_exists(caller, target):
            raise OrderNotFound if target.type is TargetType.ORDER else StudyNotFound
        samples = input_samples(target, None, self.facility.storage().data_base_path)
        places = {sample_id: place for place, sample_id in enumerate(targets.codes_of_target(target))}
        samples.sort(key=lambda sample: places.get(sample.id, len(places)))
        of_run = package.manifest.takes_sequencing_run
        root = self.facility.stream_ingest().output_root
        paths = self.databases.expected(package, usable.config) if caller.sees_server_paths else {}
        return Options(
            package=package,
            config=merged_config(package.descriptor.default_config, paths, usable.config),
            modes=[Backend(name) for name in offered()],
            default_mode=resolved_backend(ExecutionMode.DEFAULT, package.id, self.facility.execution()),
            samples=[SampleOption(sample, _problems(package, sample)) for sample in samples],
            sequencing_runs=[sequencing_input(row, root) for row in list_runs(target.id)] if of_run else None,
            warnings=usable.warnings,
        )


def _problems(package: Package, sample: InputSample) -> list[str]:
    reasons = reasons_against(package.manifest, sample)
    if reasons or package.manifest.takes_sequencing_run:
        return reasons
    sheet = sheet_text(package.samplesheet, [sample.sheet_sources()])
    return [problem.removeprefix(f"{sample.code}: ") for problem in sheet.problems]
