"""Refusals of install profiles."""

from seqfacility_wire.errors import ServiceError


class ProfileUnreadable(ServiceError):
    """Decision: G242: no file, no answer, or no JSON object."""

    message = "The profile could not be read: {reason}"


class ProfileInvalid(ServiceError):
    """Decision: G242: a document that is no resolved profile."""

    message = "The document is not a resolved install profile"


class ServiceTooOld(ServiceError):
    message = "The profile needs release {wanted} or newer; this is {ours}"


class SecretMissing(ServiceError):
    """Decision: G242: a profile whose secrets were not filled in."""

    message = "The profile lacks the secret at {path}; it must be the resolved one"


class PipelineNotInstalled(ServiceError):
    """Decision: G242: a profile decides about a pipeline that is not there."""

    message = "The profile wants pipeline {name}, which is not installed"


class CommandInProfile(ServiceError):
    """Decision: G407: a profile that says which program runs."""

    message = "The profile sets {key}; which programs run is decided here, in the settings, and by no profile"


class CodeInClear(ServiceError):
    """Decision: G407: an access code for an address without TLS."""

    message = "The access code would go to {host} unencrypted; use an https address, or --insecure"
