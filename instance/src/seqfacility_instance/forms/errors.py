"""Refusals of the forms. Decision: G14."""

from seqfacility_wire.errors import ServiceError


class DynamicStudiesOff(ServiceError):
    """A form for one study while the module is off. Decision: G61."""

    message = "Dynamic studies are not enabled"


class FormVersionNotFound(ServiceError):
    """A version of a form that was never saved. Decision: G1020, G1026."""

    status = 404
    message = "Form version not found"
