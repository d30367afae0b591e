"""The enums of a package's files."""

from enum import StrEnum


class Engine(StrEnum):
    """Who runs the workflow. Decision: G128."""

    SNAKEMAKE = "snakemake"
    NEXTFLOW = "nextflow"


class Target(StrEnum):
    """What a pipeline may be run on. Spec: registry, Pipeline registry index."""

    STUDY = "study"
    ORDER = "order"


class ReadLayout(StrEnum):
    """How the reads of a sample lie in their files. Decision: G111."""

    SINGLE = "single"
    PAIRED = "paired"
    LONG = "long"


class DataClass(StrEnum):
    """How far reads may be shown. Decision: G110."""

    CLEANED = "cleaned"
    RAW = "raw"
    UNKNOWN = "unknown"


PROTECTED_CLASSES = frozenset({DataClass.RAW, DataClass.UNKNOWN})


class InputSource(StrEnum):
    """What an input consists of. Decision: G131, G985."""

    READS = "reads"
    SAMPLES = "samples"
    SEQUENCING_RUN = "sequencing-run"


class Destination(StrEnum):
    """What becomes of the files of an output. Decision: G190."""

    ASSEMBLY = "assembly"
    BIN = "bin"
    ARTIFACT = "artifact"
    READ_METADATA = "read-metadata"
    READ_CANDIDATE = "read-candidate"


SAMPLE_DESTINATIONS = frozenset(Destination) - {Destination.ARTIFACT}


class ArtifactType(StrEnum):
    """The five documented types. Spec: instance, PipelineArtifact."""

    READS = "reads"
    ASSEMBLY = "assembly"
    BINS = "bins"
    QC_REPORT = "qc_report"
    ALIGNMENT = "alignment"


class SamplePlace(StrEnum):
    """Where in a path the sample code is searched. Decision: G133."""

    NAME = "name"
    FOLDER = "folder"


class Mate(StrEnum):
    """Which file of a pair an output is. Decision: G133."""

    R1 = "R1"
    R2 = "R2"


class MatcherKind(StrEnum):
    """How a process name is compared. Decision: G134."""

    EXACT = "exact"
    CONTAINS = "contains"
    REGEX = "regex"


class TableFormat(StrEnum):
    """How a table is written. Decision: G137."""

    TSV = "tsv"
    CSV = "csv"
    JSON = "json"


class ColumnType(StrEnum):
    """What a table's cell holds. Decision: G137."""

    STRING = "string"
    INT = "int"
    FLOAT = "float"


class Category(StrEnum):
    """The four categories of the store, and one for the rest. Spec: registry, Pipeline registry index."""

    METAGENOMICS = "metagenomics"
    SUBMISSION = "submission"
    QUALITY_CONTROL = "quality-control"
    ORDER_UTILITIES = "order-utilities"
    OTHER = "other"

    @classmethod
    def _missing_(cls, _value: object) -> "Category":
        """Read a category of a later registry as `other`. Decision: G445."""
        return cls.OTHER


READ_METADATA_FIELDS = ("checksum1", "checksum2", "readCount1", "readCount2", "avgQuality1", "avgQuality2")
"""The fields of a Read that a pipeline may write. Decision: G190."""
