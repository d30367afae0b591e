"""Closed sets of uploads, reads and artifacts.

Decision: G93, G107, G110, G111, G112, G116, G752. Spec: instance, SequencingUpload; instance, Sequencing
uploads.
"""

from enum import StrEnum


class UploadStatus(StrEnum):
    PENDING = "PENDING"
    UPLOADING = "UPLOADING"
    READY = "READY"
    COMPLETED = "COMPLETED"
    CANCELLED = "CANCELLED"


class UploadKind(StrEnum):
    """The `targetKind` of an upload. Decision: G92."""

    READ = "read"
    ARTIFACT = "artifact"


class Mate(StrEnum):
    R1 = "R1"
    R2 = "R2"


class ArtifactRole(StrEnum):
    """The `artifactType` of a SequencingArtifact. Decision: G92."""

    QC_REPORT = "qc_report"
    MULTIQC_REPORT = "multiqc_report"
    DEMUX_STATS = "demux_stats"
    SAMPLE_SHEET = "sample_sheet"
    DELIVERY_REPORT = "delivery_report"
    ATTACHMENT = "attachment"


class ArtifactStage(StrEnum):
    SAMPLE_RECEIPT = "sample_receipt"
    SEQUENCING = "sequencing"
    RAW_READS = "raw_reads"
    QC = "qc"
    DELIVERY = "delivery"


class ArtifactVisibility(StrEnum):
    FACILITY = "facility"
    CUSTOMER = "customer"


class ArtifactSource(StrEnum):
    UPLOAD = "upload"
    PIPELINE = "pipeline"


class DataClass(StrEnum):
    RAW = "raw"
    CLEANED = "cleaned"
    UNKNOWN = "unknown"


class DeliveryConcern(StrEnum):
    """What a facility should check before a file is delivered. Decision: G432."""

    CHECKSUM_DIFFERS = "checksum-differs"
    GZIP_DAMAGED = "gzip-damaged"
    RECORDS_MALFORMED = "records-malformed"
    MATES_OUT_OF_STEP = "mates-out-of-step"
    NOT_VERIFIED = "not-verified"
    NO_MD5 = "no-md5"


class ReadLayout(StrEnum):
    SINGLE = "single"
    PAIRED = "paired"
    LONG = "long"


class Md5State(StrEnum):
    """What is known of the MD5 of a file of a read. Decision: G752."""

    NONE = "none"
    GIVEN = "given"
    """Somebody stated it, and the file was not compared with it yet."""
    COMPUTED = "computed"
    """The service made it, and there was none to compare it with."""
    VERIFIED = "verified"
    DIFFERS = "differs"


class ReadSource(StrEnum):
    UPLOAD = "upload"
    LINK = "link"
    PIPELINE = "pipeline"
    STREAM = "stream"


class IntakeVerdict(StrEnum):
    OK = "ok"
    PROBLEM = "problem"
