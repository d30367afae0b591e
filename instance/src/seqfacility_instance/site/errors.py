"""Refusals around settings. Decision: G41."""

from seqfacility_wire.errors import ServiceError


class SectionNotFound(ServiceError):
    status = 404
    message = "Settings section not found"
