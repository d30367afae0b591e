"""Refusals of the demo."""

from seqfacility_wire.errors import ServiceError


class DemoRoleUnknown(ServiceError):
    """Decision: G245."""

    message = "as must be researcher or admin"
