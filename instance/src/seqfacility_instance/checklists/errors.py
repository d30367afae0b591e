"""Refusals around checklists. Decision: G70."""

from seqfacility_wire.errors import ServiceError


class ChecklistNotFound(ServiceError):
    """Spec: instance, Errors: mixs-checklists, unknown accession or name. Decision: G66, G67."""

    status = 404
    message = "Checklist not found: {query}"


class TemplateNotFound(ServiceError):
    """Spec: instance, Errors: mixs-templates, no template found."""

    status = 404
    message = "Template not found"


class VersionNotAnInteger(ServiceError):
    message = "version must be an integer"


class ActionUnknown(ServiceError):
    message = "action must be one of: check-updates, apply-updates, set-available, activate-version, reset"


class VersionNotStored(ServiceError):
    """A version that was never active here. Decision: G444."""

    status = 404
    message = "Checklist version not found: {version}"


class VersionJump(ServiceError):
    """A registry version so far ahead that it is more likely a slip. Decision: G444."""

    status = 409
    message = "Version {remote} is more than 1000 above the active version {current}"


class MostListsRemoved(ServiceError):
    """A set that lacks more than half of what is offered. Decision: G443."""

    status = 409
    message = "The update would remove {removed} of {offered} checklists"
