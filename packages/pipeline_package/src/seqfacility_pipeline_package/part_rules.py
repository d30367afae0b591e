"""Rules on execution, inputs, steps, configuration and sample sheet. Decision: G129, G131, G136."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from seqfacility_pipeline_package.databases import is_archive
from seqfacility_pipeline_package.definition import Definition, cycle_in
from seqfacility_pipeline_package.descriptor import RegistryDescriptor, config_problems, config_schema_fault
from seqfacility_pipeline_package.documents import JsonValue
from seqfacility_pipeline_package.enums import Engine, InputSource, MatcherKind, Target
from seqfacility_pipeline_package.folder import PackageFiles
from seqfacility_pipeline_package.manifest import Manifest
from seqfacility_pipeline_package.names import version_order
from seqfacility_pipeline_package.problems import Problem
from seqfacility_pipeline_package.samplesheet import Samplesheet
from seqfacility_pipeline_package.tables import Parser

SERVICE_PARAMETERS = frozenset({"input", "outdir"})
"""What the service itself tells every workflow: its sample sheet and its output folder. Decision: G132."""

SEQUENCING_RUN_RELEASE = "0.2.0"
"""The first release that knows sequencing runs as an input. Decision: G985."""


@dataclass(frozen=True, slots=True)
class Parts:
    """Everything that a rule between documents may use."""

    files: PackageFiles
    manifest: Manifest
    definition: Definition
    descriptor: RegistryDescriptor
    samplesheet: Samplesheet
    parsers: Mapping[str, Parser]


def execution_problems(parts: Parts) -> Iterator[Problem]:
    execution = parts.manifest.execution
    own_files = sorted(path for path in parts.files.texts if path.startswith("workflow/"))
    if execution.workflow_path is not None and execution.workflow_path not in own_files:
        yield _manifest(
            "execution.workflow.path", f"{execution.workflow_path!r} is not in the package's workflow/"
        )
    if execution.repository is not None and own_files:
        yield Problem(own_files[0], "document", "is not needed: the workflow is fetched from a repository")
    if execution.engine is Engine.SNAKEMAKE and execution.workflow_path is None:
        yield _manifest("execution.workflow", "a snakemake workflow must lie in the package")
    clashes = sorted(execution.default_params.keys() & _config_keys(parts))
    if clashes:
        yield _manifest("execution.defaultParams", f"{clashes[0]!r} is also a configuration key")
    for taken in sorted(SERVICE_PARAMETERS & (execution.default_params.keys() | _config_keys(parts))):
        yield _manifest("execution", f"the parameter {taken!r} is set by the service")


def input_problems(parts: Parts) -> Iterator[Problem]:
    inputs = parts.manifest.inputs
    yield from _repeats("manifest.json", "inputs", [item.id for item in inputs])
    layouts = parts.manifest.compatibility.read_layouts
    for number, item in enumerate(inputs):
        if item.source is not InputSource.READS and (item.read_layouts or item.data_classes):
            yield _manifest(f"inputs[{number}]", "readLayouts and dataClasses belong to inputs of reads")
        if layouts and not set(item.read_layouts) <= set(layouts):
            yield _manifest(
                f"inputs[{number}].readLayouts", "accepts a layout the pipeline is not compatible with"
            )


def sequencing_run_problems(parts: Parts) -> Iterator[Problem]:
    """Check a package that works on a sequencing run. Decision: G985."""
    manifest = parts.manifest
    if not manifest.takes_sequencing_run:
        return
    sources = [item.source for item in manifest.inputs]
    if sources.count(InputSource.SEQUENCING_RUN) > 1 or InputSource.READS in sources:
        yield _manifest("inputs", "one sequencing run is the input, without reads")
    if not all(item.required for item in manifest.inputs if item.source is InputSource.SEQUENCING_RUN):
        yield _manifest("inputs", "a sequencing run must be required")
    if manifest.targets != (Target.ORDER,):
        yield _manifest("targets.supported", "a sequencing run belongs to an order")
    said = manifest.min_service_version
    if said is None or version_order(said) < version_order(SEQUENCING_RUN_RELEASE):
        yield _manifest(
            "minServiceVersion", f"must be {SEQUENCING_RUN_RELEASE} or later for a sequencing run"
        )


def step_problems(parts: Parts) -> Iterator[Problem]:
    """Check the steps: known, without a circle, with expressions that compile. Decision: G134."""
    steps = parts.definition.steps
    yield from _repeats("definition.json", "steps", [step.id for step in steps])
    known = {step.id for step in steps}
    for number, step in enumerate(steps):
        for needed in step.depends_on:
            if needed not in known:
                yield Problem("definition.json", f"steps[{number}].dependsOn", f"{needed!r} is not a step")
        for position, matcher in enumerate(step.process_matchers):
            if matcher.kind is MatcherKind.REGEX and not _compiles(matcher.value):
                place = f"steps[{number}].processMatchers[{position}].value"
                yield Problem("definition.json", place, "is not a regular expression")
    circle = cycle_in(steps)
    if circle and {needed for step in steps for needed in step.depends_on} <= known:
        yield Problem("definition.json", "steps", f"wait for each other: {', '.join(circle)}")


def config_rule_problems(parts: Parts) -> Iterator[Problem]:
    """Check the configuration schema, the defaults and the databases. Decision: G135."""
    descriptor = parts.descriptor
    fault = config_schema_fault(descriptor.config_schema) or _foreign_reference(descriptor.config_schema)
    if fault:
        yield Problem("registry.json", "configSchema", fault)
        return
    for line in config_problems(descriptor.config_schema, descriptor.default_config, complete=False):
        yield Problem("registry.json", "defaultConfig", line)
    yield from _repeats("registry.json", "databases", [database.id for database in descriptor.databases])
    for number, database in enumerate(descriptor.databases):
        if database.config_key not in _config_keys(parts):
            place = f"databases[{number}].configKey"
            yield Problem("registry.json", place, f"{database.config_key!r} is not a configuration key")
        if database.unpack and not is_archive(database.file_name):
            place = f"databases[{number}].unpack"
            yield Problem("registry.json", place, f"{database.file_name!r} is not named like an archive")
    yield from _repeats(
        "registry.json",
        "databases",
        [f"configKey {database.config_key}" for database in descriptor.databases],
    )


def samplesheet_problems(parts: Parts) -> Iterator[Problem]:
    columns = parts.samplesheet.columns
    yield from _repeats("samplesheet.json", "columns", [column.name for column in columns])
    has_reads = any(item.source is InputSource.READS for item in parts.manifest.inputs)
    of_run = parts.manifest.takes_sequencing_run
    for number, column in enumerate(columns):
        table, place = (column.source or "").partition(".")[0], f"columns[{number}].source"
        if table == "sequencingRun" and not of_run:
            yield Problem("samplesheet.json", place, "the manifest has no input of a sequencing run")
        elif table not in {"", "sequencingRun"} and of_run:
            yield Problem("samplesheet.json", place, "the sheet has one row, that of the sequencing run")
        elif table == "read" and not has_reads:
            yield Problem("samplesheet.json", place, "the manifest has no input of reads")


def _manifest(path: str, reason: str) -> Problem:
    return Problem("manifest.json", path, reason)


def _repeats(file: str, path: str, ids: Sequence[str]) -> Iterator[Problem]:
    for repeated in sorted({item for item in ids if ids.count(item) > 1}):
        yield Problem(file, path, f"{repeated!r} is used twice")


def _config_keys(parts: Parts) -> set[str]:
    properties = parts.descriptor.config_schema.get("properties")
    return set(properties) if isinstance(properties, dict) else set()


def _compiles(expression: str) -> bool:
    try:
        re.compile(expression)
    except re.error:
        return False
    return True


def _foreign_reference(schema: JsonValue) -> str | None:
    if isinstance(schema, dict):
        target = schema.get("$ref", schema.get("$dynamicRef"))
        if isinstance(target, str) and not target.startswith("#"):
            return "refers to another document"
    children = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ()
    return next((fault for child in children if (fault := _foreign_reference(child))), None)
