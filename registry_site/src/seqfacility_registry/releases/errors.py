"""Refusals of the release feed."""

from seqfacility_wire.errors import ServiceError


class NoReleases(ServiceError):
    """Spec: registry, Errors: no release for the channel."""

    status = 404
    message = "No releases found for channel"
