"""Closed sets of the API, as the client needs them; the instance's tests hold them against its own."""

from enum import StrEnum

ARTIFACTS = ("qc_report", "multiqc_report", "demux_stats", "sample_sheet", "delivery_report", "attachment")
"""Roles of files that are no reads."""


class Mate(StrEnum):
    R1 = "R1"
    R2 = "R2"


class DataClass(StrEnum):
    RAW = "raw"
    CLEANED = "cleaned"
    UNKNOWN = "unknown"


class UploadStatus(StrEnum):
    PENDING = "PENDING"
    UPLOADING = "UPLOADING"
    READY = "READY"
    COMPLETED = "COMPLETED"
    CANCELLED = "CANCELLED"
