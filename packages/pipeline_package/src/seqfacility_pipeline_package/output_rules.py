"""Rules on the outputs of a package."""

from collections.abc import Iterator

from seqfacility_pipeline_package.enums import (
    PROTECTED_CLASSES,
    READ_METADATA_FIELDS,
    SAMPLE_DESTINATIONS,
    ArtifactType,
    ColumnType,
    Destination,
)
from seqfacility_pipeline_package.manifest import Output
from seqfacility_pipeline_package.part_rules import Parts
from seqfacility_pipeline_package.problems import Problem
from seqfacility_pipeline_package.wildcards import OutputPattern, PatternFault

BIN_COLUMNS = ("name", "completeness", "contamination")
"""What a parser of bins must give: the bin's file name, and its two grades. Decision: G190."""


def output_problems(parts: Parts) -> Iterator[Problem]:
    """Check the outputs, each by itself and all together. Decision: G133, G190."""
    outputs = parts.manifest.outputs
    ids = [output.id for output in outputs]
    for repeated in sorted({item for item in ids if ids.count(item) > 1}):
        yield _problem("outputs", f"{repeated!r} is used twice")
    if sum(output.primary for output in outputs) > 1:
        yield _problem("outputs", "more than one is primary")
    candidates = any(output.destination is Destination.READ_CANDIDATE for output in outputs)
    if parts.manifest.read_cleaning and not candidates:
        yield _problem("readCleaning", "there is no output of read candidates")
    for number, output in enumerate(outputs):
        place = f"outputs[{number}]"
        yield from _pattern_problems(place, output)
        yield from _reference_problems(place, output, parts)
        yield from _sample_problems(place, output)
        yield from _candidate_problems(place, output)
        yield from _mate_problems(place, output, parts)
        yield from _metadata_problems(place, output, parts)
        yield from _bin_problems(place, output, parts)


def _pattern_problems(place: str, output: Output) -> Iterator[Problem]:
    try:
        OutputPattern.parse(output.pattern)
    except PatternFault as fault:
        yield _problem(f"{place}.pattern", str(fault))


def _reference_problems(place: str, output: Output, parts: Parts) -> Iterator[Problem]:
    if output.parser is not None and output.parser not in parts.parsers:
        yield _problem(f"{place}.parser", f"{output.parser!r} is not a parser of the package")
    if output.step is not None and output.step not in {step.id for step in parts.definition.steps}:
        yield _problem(f"{place}.step", f"{output.step!r} is not a step")
    if output.fields and output.parser is None:
        yield _problem(f"{place}.fields", "needs a parser")
    if output.parser in parts.parsers:
        names = _columns_of(output, parts)
        for field in output.fields:
            if field not in names:
                yield _problem(f"{place}.fields", f"{field!r} is not given by the parser")


def _sample_problems(place: str, output: Output) -> Iterator[Problem]:
    if output.destination in SAMPLE_DESTINATIONS and output.match_sample is None:
        yield _problem(f"{place}.matchSample", f"a {output.destination} belongs to a sample")
    if output.destination is not Destination.ARTIFACT and (output.primary or output.artifact_type):
        yield _problem(place, "primary and artifactType belong to artifacts")


def _candidate_problems(place: str, output: Output) -> Iterator[Problem]:
    if output.destination is not Destination.READ_CANDIDATE:
        if output.target_data_class is not None:
            yield _problem(place, "targetDataClass belongs to read candidates")
        return
    if output.mate is None:
        yield _problem(f"{place}.mate", "is missing: a candidate is R1 or R2")
    if output.target_data_class is None:
        yield _problem(f"{place}.targetDataClass", "is missing")
    elif output.target_data_class in PROTECTED_CLASSES:
        yield _problem(f"{place}.targetDataClass", f"{output.target_data_class.value!r} is a protected class")


def _mate_problems(place: str, output: Output, parts: Parts) -> Iterator[Problem]:
    """Check a mate: that of a candidate, or of reads made of a sequencing run. Decision: G133, G988."""
    if output.mate is None or output.destination is Destination.READ_CANDIDATE:
        return
    is_of_reads = output.artifact_type is ArtifactType.READS and output.match_sample is not None
    if not (parts.manifest.takes_sequencing_run and is_of_reads):
        yield _problem(
            f"{place}.mate", "belongs to read candidates, and to reads of a sequencing run with their sample"
        )


def _metadata_problems(place: str, output: Output, parts: Parts) -> Iterator[Problem]:
    if output.destination is not Destination.READ_METADATA:
        return
    if output.parser is None or not output.fields:
        yield _problem(place, "read metadata needs a parser and fields")
    types = _columns_of(output, parts)
    for field in output.fields:
        if field not in READ_METADATA_FIELDS:
            yield _problem(f"{place}.fields", f"{field!r} is not a field of a read that may be written")
        elif field in types and types[field] is not _field_type(field):
            yield _problem(f"{place}.fields", f"{field!r} must be of type {_field_type(field).value}")


def _bin_problems(place: str, output: Output, parts: Parts) -> Iterator[Problem]:
    if output.destination is not Destination.BIN or output.parser not in parts.parsers:
        return
    given = _columns_of(output, parts)
    missing = [name for name in BIN_COLUMNS if name not in given]
    if missing:
        yield _problem(f"{place}.parser", f"does not give {missing[0]!r}")
    tables = [
        other
        for other in parts.manifest.outputs
        if other.parser == output.parser and other.destination is Destination.ARTIFACT
    ]
    if not tables:
        yield _problem(f"{place}.parser", "no artifact of the package is the table that it reads")


def _columns_of(output: Output, parts: Parts) -> dict[str, ColumnType]:
    parser = parts.parsers.get(output.parser or "")
    return {column.name: column.type for column in parser.columns} if parser else {}


def _field_type(field: str) -> ColumnType:
    kinds = {"checksum": ColumnType.STRING, "readCount": ColumnType.INT, "avgQuality": ColumnType.FLOAT}
    return kinds[field.rstrip("12")]


def _problem(path: str, reason: str) -> Problem:
    return Problem("manifest.json", path, reason)
