"""The closed sets of words on registries."""

from enum import StrEnum


class TrustPolicy(StrEnum):
    """What an instance asks of the signatures of a registry. Decision: G915."""

    REQUIRED = "required"
    WARN = "warn"
    OFF = "off"


class Refusal(StrEnum):
    """Why a registry was not believed. Decision: G918, G980."""

    SIGNATURE = "signature"
    OLDER = "older"
    EXPIRED = "expired"
    CLOCK = "clock"


class SignatureState(StrEnum):
    """How long the metadata of a role still counts. Decision: G981."""

    VALID = "valid"
    ENDING = "ending"
    EXPIRED = "expired"
