"""Refusals of the demo."""

from seqfacility_wire.errors import ServiceError


class DemoRoleUnknown(ServiceError):
    """Gap: G245."""

    message = "as must be researcher or admin"
