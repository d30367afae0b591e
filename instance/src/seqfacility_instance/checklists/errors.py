"""Refusals around checklists."""

from seqfacility_wire.errors import ServiceError


class ChecklistNotFound(ServiceError):
    """Spec: instance, Errors: mixs-checklists, unknown accession or name. Gap: G66, G67."""

    status = 404
    message = "Checklist not found: {query}"


class TemplateNotFound(ServiceError):
    """Spec: instance, Errors: mixs-templates, no template found."""

    status = 404
    message = "Template not found"


class VersionNotAnInteger(ServiceError):
    """Gap: G67."""

    message = "version must be an integer"


class ActionUnknown(ServiceError):
    """Gap: G70."""

    message = "action must be one of: check-updates, apply-updates, set-available"
