"""What one launch of a run is made of, and the run folder with everything that the workflow engine needs."""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from seqfacility_pipeline_package.package import Package
from seqfacility_pipeline_package.samplesheet import sheet_text
from seqfacility_workflow_runtime.engines.contract import (
    LocalWorkflow,
    RemoteWorkflow,
    StagedRun,
    WeblogTarget,
)
from seqfacility_workflow_runtime.executors.contract import Resources
from seqfacility_workflow_runtime.executors.registry import EXECUTORS
from seqfacility_workflow_runtime.machine_size import usable_cores
from seqfacility_workflow_runtime.run_folder import RunFolder, write_durably, write_json

from seqfacility_instance.core.vocabulary.pipelines import Backend
from seqfacility_instance.facility_settings.sections import ExecutionSection
from seqfacility_instance.results.run_inputs import RunDescription, UsedFolder, write_description
from seqfacility_instance.runs.service.inputs import RunInputs
from seqfacility_instance.runs.service.sequencing_input import SHEET_NAME
from seqfacility_instance.tables.pipelines import PipelineRun

_LOCAL_CORES = 4
"""Enough for the bundled pipelines, and a machine that runs several of them at once stays usable."""

_OWN_MACHINE = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True)
class Launch:
    """All that one launch of a run is made of: looked up once, then handed from step to step.

    `queues` says that its executor asks a scheduler; else the job is a process on this machine. The run goes
    without `missing_databases`, named by label (G332); `missing_programs` says what this machine lacks,
    `package_warnings` what was said against the package.
    `kept` is the folder in which a resumed run goes on (G711).

    Decision: G511.
    """

    run: PipelineRun
    token: str
    package: Package
    package_folder: Path
    inputs: RunInputs
    backend: Backend
    queues: bool
    execution: ExecutionSection
    weblog: WeblogTarget | None
    missing_databases: tuple[str, ...]
    missing_programs: list[str]
    package_warnings: list[str]
    resources: Resources
    kept: RunFolder | None = None


def launch_warnings(launch: Launch) -> list[str]:
    """Return what is not right but keeps no run from starting. Decision: G153, G932."""
    warnings = list(launch.package_warnings)
    if launch.weblog is None:
        warnings.append("No weblog secret is set, so progress is known from the trace alone.")
    elif launch.queues and urlsplit(launch.weblog.url).hostname in _OWN_MACHINE:
        warnings.append(
            "No weblogUrl is set that other machines can reach; progress is known from the trace."
        )
    if launch.queues:
        # The nodes may well have what this machine lacks.
        warnings += [f"{reason} on this machine" for reason in launch.missing_programs]
    warnings += [
        f"Reference database {label} is not ready; the run goes on without it"
        for label in launch.missing_databases
    ]
    unused = [sample.code for sample in launch.inputs.samples if sample.read is None]
    if unused and any(item.source == "reads" for item in launch.package.manifest.inputs):
        warnings.append(f"Samples without reads: {', '.join(unused[:20])}")
    return warnings


def staged_run(launch: Launch, folder: RunFolder) -> StagedRun:
    """Write what the run is made of into its new folder, whose it is first; return what the engine is to run.

    A resumed run finds it there. WHY it is not written again: an engine repeats the tasks of a file that is
    newer than what was made of it.

    Decision: G132, G154, G382, G712.
    """
    package, inputs = launch.package, launch.inputs
    sheet = folder.path / package.samplesheet.file_name
    if launch.kept is None:
        _write_inputs(launch, folder, sheet)
    manifest = package.manifest.execution
    workflow: LocalWorkflow | RemoteWorkflow = (
        RemoteWorkflow(manifest.repository or "", manifest.commit or manifest.revision or "")
        if manifest.workflow_path is None
        else LocalWorkflow(launch.package_folder / manifest.workflow_path)
    )
    return StagedRun(
        folder=folder,
        run_number=folder.path.name,
        workflow=workflow,
        params={**manifest.default_params, **inputs.config},
        samplesheet=sheet,
        cores=launch.resources.cores,
        memory_gb=launch.resources.memory_gb or memory_of(package),
        profile=launch.execution.nextflow_profile,
        weblog=launch.weblog,
        launch=launch.run.resumed_count,
    )


def memory_of(package: Package) -> int | None:
    """Return how much memory a package says that its runs need."""
    memory = package.manifest.execution.memory_gb
    return None if memory is None else max(1, round(memory))


def _write_inputs(launch: Launch, folder: RunFolder, sheet: Path) -> None:
    package, inputs = launch.package, launch.inputs
    reads = {sample.id: sample.read for sample in inputs.samples if sample.read is not None}
    used = None if inputs.sequencing is None else inputs.sequencing.folder
    write_description(
        folder,
        RunDescription(
            run_id=launch.run.id,
            pipeline_id=package.id,
            version=package.version,
            sha256=launch.run.package_sha256,
            read_ids={sample_id: read.id for sample_id, read in reads.items()},
            files=tuple(file for read in reads.values() for file in read.recorded),
            sequencing_folder=None if used is None else UsedFolder(used.path, used.state),
        ),
    )
    text = inputs.sheet
    if inputs.sequencing is not None:
        sheet_of_run = folder.path / SHEET_NAME
        write_durably(sheet_of_run, inputs.sequencing.sheet.encode("utf-8"))
        text = sheet_text(package.samplesheet, [inputs.sequencing.sheet_sources(str(sheet_of_run))]).text
    write_durably(sheet, text.encode("utf-8"))
    write_json(folder.config, inputs.config)


def resources_for(package: Package, backend: Backend, execution: ExecutionSection) -> Resources:
    """Choose cores, memory and time: the pipeline's override, else the facility's rule. Decision: G46."""
    if EXECUTORS[backend.value].queues:
        return execution.resources(backend, package.id)
    wanted = package.manifest.execution.cores
    return Resources(cores=max(1, min(wanted or _LOCAL_CORES, usable_cores())))
