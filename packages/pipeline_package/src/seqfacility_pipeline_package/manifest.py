"""`manifest.json`: what a pipeline is, what it takes, how it runs and what it leaves."""

from dataclasses import dataclass

from seqfacility_pipeline_package.documents import Fields, JsonObject
from seqfacility_pipeline_package.enums import (
    ArtifactType,
    DataClass,
    Destination,
    Engine,
    InputSource,
    Mate,
    ReadLayout,
    SamplePlace,
    Target,
)


@dataclass(frozen=True, slots=True)
class Compatibility:
    """Which sequencing a pipeline understands; an empty set of layouts or families means any.

    Decision: G130.
    """

    read_length_class: str
    read_layouts: tuple[ReadLayout, ...]
    platform_families: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Input:
    """One thing that a run needs of its samples, or the sequencing run itself. Decision: G131, G985."""

    id: str
    source: InputSource
    required: bool
    read_layouts: tuple[ReadLayout, ...]
    data_classes: tuple[DataClass, ...]
    min_samples: int | None
    sample_fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Execution:
    """How the workflow is run: `workflow_path` in the package, or `repository` at `commit`, else `revision`.

    `revision` is the name that people know, which its owner can move to another commit; `commit` cannot
    be moved.

    Decision: G132, G451.
    """

    engine: Engine
    workflow_path: str | None
    repository: str | None
    revision: str | None
    commit: str | None
    default_params: JsonObject
    cores: int | None
    memory_gb: float | None


@dataclass(frozen=True, slots=True)
class Output:
    """One kind of result file; `pattern` is relative to `output/`. Decision: G133, G190."""

    id: str
    label: str
    pattern: str
    required: bool
    match_sample: SamplePlace | None
    destination: Destination
    artifact_type: ArtifactType | None
    step: str | None
    parser: str | None
    fields: tuple[str, ...]
    target_data_class: DataClass | None
    mate: Mate | None
    primary: bool


@dataclass(frozen=True, slots=True)
class Manifest:
    """Identity, targets, inputs, execution and outputs of a package. Decision: G130."""

    id: str
    name: str
    version: str
    description: str
    provider: str
    license: str | None
    homepage: str | None
    targets: tuple[Target, ...]
    compatibility: Compatibility
    inputs: tuple[Input, ...]
    execution: Execution
    outputs: tuple[Output, ...]
    read_cleaning: bool
    min_service_version: str | None

    @property
    def takes_sequencing_run(self) -> bool:
        """Whether a run works on a sequencing run instead of reads. Decision: G985."""
        return any(item.source is InputSource.SEQUENCING_RUN for item in self.inputs)


def manifest_from(document: JsonObject) -> Manifest:
    fields = Fields(document)
    package = fields.part("package")
    return Manifest(
        id=package.text("id"),
        name=package.text("name"),
        version=package.text("version"),
        description=package.text("description"),
        provider=package.text("provider"),
        license=package.optional_text("license"),
        homepage=package.optional_text("homepage"),
        targets=tuple(Target(text) for text in fields.part("targets").texts("supported")),
        compatibility=_compatibility_from(fields.part("sequencingCompatibility")),
        inputs=tuple(_input_from(item) for item in fields.parts("inputs")),
        execution=_execution_from(fields.part("execution")),
        outputs=tuple(_output_from(item) for item in fields.parts("outputs")),
        read_cleaning=fields.flag("readCleaning"),
        min_service_version=fields.optional_text("minServiceVersion"),
    )


def _compatibility_from(fields: Fields) -> Compatibility:
    return Compatibility(
        read_length_class=fields.text("readLengthClass"),
        read_layouts=tuple(ReadLayout(text) for text in fields.texts("readLayouts")),
        platform_families=fields.texts("platformFamilies"),
    )


def _input_from(fields: Fields) -> Input:
    return Input(
        id=fields.text("id"),
        source=InputSource(fields.text("source")),
        required=fields.flag("required"),
        read_layouts=tuple(ReadLayout(text) for text in fields.texts("readLayouts")),
        data_classes=tuple(DataClass(text) for text in fields.texts("dataClasses")),
        min_samples=fields.whole_number("minSamples"),
        sample_fields=fields.texts("sampleFields"),
    )


def _execution_from(fields: Fields) -> Execution:
    workflow = fields.part("workflow")
    return Execution(
        engine=Engine(fields.text("engine")),
        workflow_path=workflow.optional_text("path"),
        repository=workflow.optional_text("repository"),
        revision=workflow.optional_text("revision"),
        commit=workflow.optional_text("commit"),
        default_params=fields.mapping("defaultParams"),
        cores=fields.whole_number("cores"),
        memory_gb=fields.number("memoryGb"),
    )


def _output_from(fields: Fields) -> Output:
    place = fields.optional_text("matchSample")
    artifact_type = fields.optional_text("artifactType")
    data_class = fields.optional_text("targetDataClass")
    mate = fields.optional_text("mate")
    return Output(
        id=fields.text("id"),
        label=fields.text("label"),
        pattern=fields.text("pattern"),
        required=fields.flag("required", default=True),
        match_sample=SamplePlace(place) if place else None,
        destination=Destination(fields.text("destination")),
        artifact_type=ArtifactType(artifact_type) if artifact_type else None,
        step=fields.optional_text("step"),
        parser=fields.optional_text("parser"),
        fields=fields.texts("fields"),
        target_data_class=DataClass(data_class) if data_class else None,
        mate=Mate(mate) if mate else None,
        primary=fields.flag("primary"),
    )
