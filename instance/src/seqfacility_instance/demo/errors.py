"""Refusals of the demo. Decision: G245."""

from seqfacility_wire.errors import ServiceError


class DemoRoleUnknown(ServiceError):
    message = "as must be researcher or admin"
