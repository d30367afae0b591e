"""Closed sets of the numbers of a facility. Decision: G1010."""

from enum import StrEnum


class Interval(StrEnum):
    """What of the way of an order is timed."""

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
    """What files are, as their room is told."""

    RAW = "raw"
    CLEANED = "cleaned"
    UNKNOWN = "unknown"
    """Reads of which nobody said whether they are cleaned."""
    ARTIFACTS = "artifacts"
    RESULTS = "results"
