"""Refusals of the research-data tracker."""

from seqfacility_wire.errors import ServiceError


class NoSnapshot(ServiceError):
    """There is no snapshot to read from. Decision: G239."""

    status = 503
    message = "No research-data snapshot available"
