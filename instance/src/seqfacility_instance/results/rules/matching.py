"""Which file of a run is which output, of which sample, and what is missing."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from seqfacility_pipeline_package.enums import SAMPLE_DESTINATIONS, Destination, Mate
from seqfacility_pipeline_package.manifest import Output
from seqfacility_pipeline_package.sample_names import sample_of
from seqfacility_pipeline_package.wildcards import OutputPattern

from seqfacility_instance.core.vocabulary.pipelines import PipelineArtifactType

_ALIGNMENT_ENDINGS = (".bam", ".cram", ".paf", ".paf.gz")
_SEQUENCE_ENDINGS = (".fasta", ".fna", ".fa")


@dataclass(frozen=True, slots=True)
class Found:
    """A result file: `path` is relative to `output/`; `code` names its sample, None for the whole run."""

    output: Output
    position: int
    path: str
    code: str | None


@dataclass(frozen=True, slots=True)
class Matches:
    """What was found, and what had to be left out."""

    found: tuple[Found, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CandidatePair:
    """The files of one read candidate; single reads have no second file."""

    code: str
    first: Found
    second: Found | None


def match_outputs(outputs: Sequence[Output], paths: Iterable[str], codes: Collection[str]) -> Matches:
    """Return every file that an output's pattern means to that output, and to its sample.

    A file is a read candidate once, that of the first output that means it: so a pattern for reads without
    a mate may stand behind those for pairs. A file whose name holds no sample code is left out with a
    warning when its destination belongs to a sample; an artifact is then one of the whole run.

    Decision: G190, G191, G454.
    """
    found: list[Found] = []
    warnings: list[str] = []
    ordered = sorted(paths)
    candidates: set[str] = set()
    for position, output in enumerate(outputs):
        pattern = OutputPattern.parse(output.pattern)
        for path in ordered:
            if not pattern.matches(path):
                continue
            if output.destination is Destination.READ_CANDIDATE:
                if path in candidates:
                    continue
                candidates.add(path)
            place = output.match_sample
            code = None if place is None else sample_of(path, codes, place)
            if place is not None and code is None:
                warnings.append(f"{output.label}: {path} belongs to no sample of the run")
            if code is None and output.destination in SAMPLE_DESTINATIONS:
                continue
            found.append(Found(output, position, path, code))
    return Matches(tuple(found), tuple(warnings))


def missing_outputs(outputs: Sequence[Output], found: Sequence[Found], codes: Iterable[str]) -> list[str]:
    """List the required outputs that are missing; those of samples are required of each sample.

    Decision: G194.
    """
    there = {(item.output.id, item.code) for item in found}
    ids = {item.output.id for item in found}
    errors = []
    ordered = sorted(codes)
    for output in outputs:
        if not output.required:
            continue
        if output.destination in SAMPLE_DESTINATIONS:
            errors += [
                f"{output.label}: no file for sample {code}"
                for code in ordered
                if (output.id, code) not in there
            ]
        elif output.id not in ids:
            errors.append(f"{output.label}: no file matches {output.pattern}")
    return errors


def candidate_pairs(found: Sequence[Found]) -> list[CandidatePair]:
    """Join the mates of each sample's read candidates: the first R1 output with the first R2 output, and on.

    A second mate alone is no candidate.

    Decision: G133, G190.
    """
    mates: dict[str, dict[Mate, list[Found]]] = {}
    for item in found:
        if item.output.destination is Destination.READ_CANDIDATE and item.code and item.output.mate:
            mates.setdefault(item.code, {}).setdefault(item.output.mate, []).append(item)
    pairs = []
    for code in sorted(mates):
        seconds = mates[code].get(Mate.R2, [])
        for number, first in enumerate(mates[code].get(Mate.R1, [])):
            second = seconds[number] if number < len(seconds) else None
            pairs.append(CandidatePair(code, first, second))
    return pairs


def artifact_type(output: Output, path: str) -> PipelineArtifactType:
    """Choose one of the five documented types: the manifest's, else by the file's ending. Decision: G193."""
    if output.artifact_type is not None:
        return PipelineArtifactType(output.artifact_type.value)
    if path.lower().endswith(_ALIGNMENT_ENDINGS):
        return PipelineArtifactType.ALIGNMENT
    return PipelineArtifactType.QC_REPORT


def sequence_name(path: str) -> str:
    """Name an assembly or a bin after its file, without the endings of sequence files. Decision: G190."""
    name = PurePosixPath(path).name.removesuffix(".gz")
    for ending in _SEQUENCE_ENDINGS:
        if name.endswith(ending) and name != ending:
            return name.removesuffix(ending)
    return name


def stored_path(path: PurePosixPath, base: PurePosixPath | None) -> str:
    """Write a path as it is stored: relative to the data base path when it lies below, else absolute.

    Decision: G193.
    """
    if base is not None and path.is_relative_to(base):
        return str(path.relative_to(base))
    return str(path)
