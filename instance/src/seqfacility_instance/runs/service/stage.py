"""Staging a run: its folder with everything that the workflow engine needs, before anything is launched."""

import os
from dataclasses import dataclass
from pathlib import Path

from seqfacility_pipeline_package.package import Package
from seqfacility_workflow_runtime.engines.contract import (
    LocalWorkflow,
    RemoteWorkflow,
    StagedRun,
    WeblogTarget,
)
from seqfacility_workflow_runtime.executors.contract import Resources
from seqfacility_workflow_runtime.run_folder import RunFolder, write_durably, write_json

from seqfacility_instance.core.vocabulary.pipelines import Backend
from seqfacility_instance.core.vocabulary.sequencing import Mate
from seqfacility_instance.facility_settings.sections import ExecutionSection
from seqfacility_instance.results.run_inputs import InputFile, RunDescription, write_description
from seqfacility_instance.runs.rules.inputs import InputSample
from seqfacility_instance.runs.service.inputs import RunInputs
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_instance.tables.sequencing import Read

WEBLOG_PATH = "/api/pipelines/weblog"
_LOCAL_CORES = 4
"""Enough for the bundled pipelines, and a machine that runs several of them at once stays usable."""


@dataclass(frozen=True, slots=True)
class Plan:
    """All that one launch is made of."""

    run: PipelineRun
    package: Package
    package_folder: Path
    inputs: RunInputs
    backend: Backend
    execution: ExecutionSection
    weblog: WeblogTarget | None
    missing_databases: tuple[str, ...] = ()
    """Labels of the databases that the run goes without. Decision: G332."""


def write_run_folder(folder: RunFolder, plan: Plan, reads: dict[str, Read]) -> Path:
    """Write what the run is made of into its new folder, whose it is first; gives the sample sheet's path.

    Decision: G154, G382.
    """
    write_description(
        folder,
        RunDescription(
            run_id=plan.run.id,
            pipeline_id=plan.package.id,
            version=plan.package.version,
            sha256=plan.run.package_sha256,
            read_ids={sample.id: sample.read.id for sample in plan.inputs.samples if sample.read},
            files=tuple(file for sample in plan.inputs.samples for file in _input_files(sample, reads)),
        ),
    )
    sheet = folder.path / plan.package.samplesheet.file_name
    write_durably(sheet, plan.inputs.sheet.encode("utf-8"))
    write_json(folder.config, plan.inputs.config)
    return sheet


def staged_run(folder: RunFolder, run_number: str, sheet: Path, plan: Plan) -> StagedRun:
    """Return what the workflow engine is to run, and with how much of the machine. Decision: G132."""
    execution, resources = plan.package.manifest.execution, resources_for(plan)
    memory = execution.memory_gb
    return StagedRun(
        folder=folder,
        run_number=run_number,
        workflow=_workflow(plan),
        params={**execution.default_params, **plan.inputs.config},
        samplesheet=sheet,
        cores=resources.cores,
        memory_gb=resources.memory_gb or (None if memory is None else max(1, round(memory))),
        profile=plan.execution.nextflow_profile,
        weblog=plan.weblog,
    )


def resources_for(plan: Plan) -> Resources:
    """Choose cores, memory and time: the pipeline's override, else the facility's rule. Decision: G46."""
    wanted = plan.package.manifest.execution.cores
    if plan.backend is Backend.LOCAL:
        return Resources(cores=max(1, min(wanted or _LOCAL_CORES, os.cpu_count() or 1)))
    rule, override = plan.execution, plan.execution.pipeline_overrides.get(plan.package.id)
    if override is None:
        return Resources(
            rule.slurm_cores,
            rule.slurm_memory_gb,
            rule.slurm_time_hours,
            rule.slurm_queue,
            tuple(rule.slurm_options),
        )
    options = rule.slurm_options if override.slurm_options is None else override.slurm_options
    return Resources(
        cores=override.slurm_cores or rule.slurm_cores,
        memory_gb=override.slurm_memory_gb or rule.slurm_memory_gb,
        time_hours=override.slurm_time_hours or rule.slurm_time_hours,
        queue=rule.slurm_queue if override.slurm_queue is None else override.slurm_queue,
        options=tuple(options),
    )


def _workflow(plan: Plan) -> LocalWorkflow | RemoteWorkflow:
    execution = plan.package.manifest.execution
    if execution.workflow_path is not None:
        return LocalWorkflow(plan.package_folder / execution.workflow_path)
    return RemoteWorkflow(execution.repository or "", execution.commit or execution.revision or "")


def _input_files(sample: InputSample, reads: dict[str, Read]) -> list[InputFile]:
    """Note which files went into the run, as they were recorded at that time. Decision: G160."""
    read = reads.get(sample.id)
    if read is None:
        return []
    mates = (
        (Mate.R1, read.file1, read.size1, read.checksum1),
        (Mate.R2, read.file2, read.size2, read.checksum2),
    )
    return [
        {
            "sampleId": sample.id,
            "role": mate.value,
            "path": path,
            "dataClass": read.data_class.value,
            "size": size,
            "checksum": checksum,
        }
        for mate, path, size, checksum in mates
        if path is not None
    ]
