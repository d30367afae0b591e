"""Closed sets of orders, studies and submissions.

Decision: G77. Spec: instance, Order; instance, Other stored entities.
"""

from enum import StrEnum


class OrderStatus(StrEnum):
    DRAFT = "DRAFT"
    SUBMITTED = "SUBMITTED"
    COMPLETED = "COMPLETED"


class NoteType(StrEnum):
    STATUS_CHANGE = "STATUS_CHANGE"
    SAMPLES_SENT = "SAMPLES_SENT"
    INTERNAL = "INTERNAL"


class SubmissionType(StrEnum):
    STUDY = "STUDY"
    SAMPLE = "SAMPLE"
    READ = "READ"
    ASSEMBLY = "ASSEMBLY"
    BIN = "BIN"


class SubmissionStatus(StrEnum):
    PENDING = "PENDING"
    SUBMITTED = "SUBMITTED"
    PARTIAL = "PARTIAL"
    ACCEPTED = "ACCEPTED"
    REJECTED = "REJECTED"
    ERROR = "ERROR"
    CANCELLED = "CANCELLED"


class SubmissionEntity(StrEnum):
    STUDY = "study"
    SAMPLE = "sample"
