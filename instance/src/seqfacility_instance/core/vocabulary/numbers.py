"""Closed sets of the numbers of a facility. Decision: G1010."""

from enum import StrEnum


class Interval(StrEnum):
    """The intervals in the life of an order whose duration is measured."""

    ACCEPTED = "accepted"
    """From its submission to its acceptance."""
    SAMPLES_IN = "samples-in"
    """From its submission to the arrival of its samples."""
    READS = "reads"
    """From the arrival of its samples to its first reads."""
    DELIVERED = "delivered"
    """From its first reads to its delivery."""
    WHOLE = "whole"
    """From its submission to its delivery."""


class StorageClass(StrEnum):
    """The classes of files that storage is reported by."""

    RAW = "raw"
    CLEANED = "cleaned"
    UNKNOWN = "unknown"
    """Reads that are not known to be raw or cleaned."""
    ARTIFACTS = "artifacts"
    RESULTS = "results"
