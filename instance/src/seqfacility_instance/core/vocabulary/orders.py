"""Words on orders, studies and submissions."""

from enum import StrEnum


class OrderStatus(StrEnum):
    """Spec: instance, Order."""

    DRAFT = "DRAFT"
    SUBMITTED = "SUBMITTED"
    COMPLETED = "COMPLETED"


class NoteType(StrEnum):
    """Decision: G77."""

    STATUS_CHANGE = "STATUS_CHANGE"
    SAMPLES_SENT = "SAMPLES_SENT"
    INTERNAL = "INTERNAL"


class SubmissionType(StrEnum):
    """Spec: instance, Other stored entities."""

    STUDY = "STUDY"
    SAMPLE = "SAMPLE"
    READ = "READ"
    ASSEMBLY = "ASSEMBLY"
    BIN = "BIN"


class SubmissionStatus(StrEnum):
    """Spec: instance, Other stored entities."""

    PENDING = "PENDING"
    SUBMITTED = "SUBMITTED"
    PARTIAL = "PARTIAL"
    ACCEPTED = "ACCEPTED"
    REJECTED = "REJECTED"
    ERROR = "ERROR"
    CANCELLED = "CANCELLED"


class SubmissionEntity(StrEnum):
    """Spec: instance, Other stored entities."""

    STUDY = "study"
    SAMPLE = "sample"
