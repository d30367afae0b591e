"""The two stages that look at the samples of a run: their metadata, then their files."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from seqfacility_pipeline_package.documents import JsonValue
from seqfacility_pipeline_package.enums import InputSource
from seqfacility_pipeline_package.manifest import Input, Manifest
from seqfacility_pipeline_package.samplesheet import SheetSources
from seqfacility_wire.plurals import counted

from seqfacility_instance.core.vocabulary.sequencing import DataClass, ReadLayout
from seqfacility_instance.results.run_inputs import InputFile


@dataclass(frozen=True, slots=True)
class InputRead:
    """The active read of a sample: absolute paths, which of them are no files, and what is recorded."""

    id: str
    file1: str | None
    file2: str | None
    layout: ReadLayout
    data_class: DataClass
    missing_files: tuple[str, ...]
    recorded: tuple[InputFile, ...] = ()


@dataclass(frozen=True, slots=True)
class InputSample:
    """One sample of a run with its active read; rows with keys as the documents spell them."""

    id: str
    code: str
    sample: Mapping[str, JsonValue]
    order: Mapping[str, JsonValue]
    study: Mapping[str, JsonValue]
    platform: str | None
    read: InputRead | None
    technology: Mapping[str, object] = field(default_factory=dict)
    """What the order selected from the catalog, empty when it did not. Decision: G231, G339."""

    def sheet_sources(self) -> SheetSources:
        """Return what the sample sheet is written from. Decision: G136."""
        read: dict[str, JsonValue] = {}
        if self.read is not None:
            read = {
                "file1": self.read.file1,
                "file2": self.read.file2,
                "readLayout": self.read.layout.value,
            }
        return SheetSources(self.sample, self.order, self.study, read)


_FAMILY_OF_PLATFORM = {"aviti": "element", "bgiseq": "mgi", "dnbseq": "mgi", "pacbio-smrt": "pacbio"}
"""The archives' platforms whose family has another name in the catalog. Decision: G453."""


def metadata_problems(manifest: Manifest, samples: Sequence[InputSample]) -> list[str]:
    """List sample fields that are empty, and technologies and platforms that do not fit the pipeline.

    A sample whose platform is not known is given the benefit of the doubt.

    Decision: G131, G149, G339.
    """
    return [
        f"{sample.code}: {reason}" for sample in samples for reason in _metadata_reasons(manifest, sample)
    ]


def reasons_against(manifest: Manifest, sample: InputSample) -> list[str]:
    """List why a run cannot have this sample, in the words of both stages; none where it can.

    Decision: G770.
    """
    reasons = list(_metadata_reasons(manifest, sample))
    for item in manifest.inputs:
        reason = _read_problem(item, manifest, sample.read) if item.source is InputSource.READS else None
        reasons += [] if reason is None else [reason]
    return list(dict.fromkeys(reasons))


def _metadata_reasons(manifest: Manifest, sample: InputSample) -> Iterator[str]:
    for name in dict.fromkeys(name for item in manifest.inputs for name in item.sample_fields):
        if sample.sample.get(name) in (None, "", [], {}):
            yield f"{name} is required"
    yield from _technology_problems(manifest, sample)


def _technology_problems(manifest: Manifest, sample: InputSample) -> Iterator[str]:
    """Hold the order's technology, or without one its platform, against what the pipeline understands."""
    accepted = manifest.compatibility
    families = {platform_family(name) for name in accepted.platform_families}
    family, length = (sample.technology.get(key) for key in ("platformFamily", "readLengthClass"))
    name = sample.technology.get("technologyName") or family
    if isinstance(family, str) and family:
        if families and platform_family(family) not in families:
            yield f"technology {name} is not supported by this pipeline"
        elif {accepted.read_length_class, length} == {"short", "long"}:
            yield f"technology {name} gives {length} reads, which this pipeline does not take"
    elif sample.platform and families and platform_family(sample.platform) not in families:
        yield f"platform {sample.platform} is not supported by this pipeline"


def input_problems(manifest: Manifest, samples: Sequence[InputSample]) -> list[str]:
    """List what is missing of the files of a run: reads, layouts, data classes, samples.

    Decision: G131, G149.
    """
    if not samples:
        return ["samples: at least one sample is required"]
    problems = []
    for item in manifest.inputs:
        if item.min_samples is not None and len(samples) < item.min_samples:
            needed = counted(item.min_samples, "sample is", "samples are")
            problems.append(f"samples: at least {needed} required")
        if item.source is InputSource.READS:
            problems += [
                f"{sample.code}: {reason}"
                for sample in samples
                if (reason := _read_problem(item, manifest, sample.read)) is not None
            ]
    return problems


def platform_family(platform: str) -> str:
    """Return the catalog's platform family: `OXFORD_NANOPORE` is `oxford-nanopore`, `DNBSEQ` is `mgi`."""
    name = platform.strip().lower().replace("_", "-").replace(" ", "-")
    return _FAMILY_OF_PLATFORM.get(name, name)


def _read_problem(item: Input, manifest: Manifest, read: InputRead | None) -> str | None:
    if read is None or not (read.file1 or read.file2):
        return "has no reads" if item.required else None
    layouts = {layout.value for layout in item.read_layouts or manifest.compatibility.read_layouts}
    if layouts and read.layout.value not in layouts:
        return f"read layout {read.layout.value} is not supported, only {', '.join(sorted(layouts))}"
    classes = {data_class.value for data_class in item.data_classes}
    if classes and read.data_class.value not in classes:
        return f"read data class {read.data_class.value} is not accepted, only {', '.join(sorted(classes))}"
    if read.missing_files:
        return f"read file is missing: {', '.join(read.missing_files)}"
    return None
