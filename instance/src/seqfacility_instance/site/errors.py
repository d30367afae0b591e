"""Refusals around settings."""

from seqfacility_wire.errors import ServiceError


class SectionNotFound(ServiceError):
    """Decision: G41."""

    status = 404
    message = "Settings section not found"
