"""The closed set of words on registries."""

from enum import StrEnum


class TrustPolicy(StrEnum):
    """What an instance asks of the signatures of a registry. Decision: G915."""

    REQUIRED = "required"
    WARN = "warn"
    OFF = "off"
