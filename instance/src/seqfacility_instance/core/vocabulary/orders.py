"""Closed sets of orders, studies and submissions.

Decision: G77, G536. Spec: instance, Order; instance, Other stored entities.
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
    ORDER_ACCEPTED = "ORDER_ACCEPTED"
    SAMPLES_RECEIVED = "SAMPLES_RECEIVED"


class Stage(StrEnum):
    """How far an order has come, in this order. Decision: G537."""

    DRAFT = "DRAFT"
    SUBMITTED = "SUBMITTED"
    SAMPLES_IN = "SAMPLES_IN"
    SEQUENCED = "SEQUENCED"
    READS = "READS"
    ANALYSED = "ANALYSED"
    DELIVERED = "DELIVERED"


class OrderSort(StrEnum):
    """By what a list of orders is sorted; `-` puts the last first. Decision: G541."""

    NEWEST = "-created"
    OLDEST = "created"
    CHANGED_LAST = "-changed"
    CHANGED_FIRST = "changed"
    NUMBER = "number"
    NUMBER_DOWN = "-number"
    NAME = "name"
    NAME_DOWN = "-name"


class Turn(StrEnum):
    RESEARCHER = "RESEARCHER"
    FACILITY = "FACILITY"


class Step(StrEnum):
    """What is next for an order. Decision: G538."""

    FINISH_DRAFT = "FINISH_DRAFT"
    ACCEPT = "ACCEPT"
    SEND_SAMPLES = "SEND_SAMPLES"
    RECEIVE_SAMPLES = "RECEIVE_SAMPLES"
    SEQUENCE = "SEQUENCE"
    ADD_READS = "ADD_READS"
    CHECK_FILES = "CHECK_FILES"
    ANALYSE = "ANALYSE"
    WAIT_FOR_RUN = "WAIT_FOR_RUN"
    CHECK_RUN = "CHECK_RUN"
    SELECT_RESULT = "SELECT_RESULT"
    RELEASE = "RELEASE"
    DOWNLOAD = "DOWNLOAD"


class PlateState(StrEnum):
    """The state of a sample on the plate. Decision: G539."""

    WAITING = "waiting"
    MOVING = "moving"
    HALF = "half"
    PROBLEM = "problem"
    DONE = "done"


class ReadFiles(StrEnum):
    """What the active read of a sample holds; a read without any file counts as none. Decision: G539."""

    PAIRED = "paired"
    SINGLE = "single"
    PROBLEM = "problem"


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
