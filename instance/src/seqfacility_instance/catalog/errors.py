"""Refusals around the catalog. Decision: G224."""

from seqfacility_wire.errors import ServiceError


class CatalogUnreadable(ServiceError):
    """Spec: registry, Errors: GET /api/sequencing-tech, catalog cannot be loaded."""

    status = 500
    message = "Failed to fetch technologies"


class TechnologiesNotAnArray(ServiceError):
    """Spec: registry, Errors: admin save, technologies not an array."""

    message = "Technologies must be an array"


class SyncUrlInvalid(ServiceError):
    """Spec: registry, Errors: admin save, syncUrl not an http(s) URL."""

    message = "syncUrl must be a valid http(s) URL"


class ActionUnknown(ServiceError):
    message = "action must be one of: check-updates, apply-updates, reset"


class InvalidCatalog(ServiceError):
    """Spec: registry, Errors: admin sync, body is not an object. Decision: G226."""

    status = 502
    message = "Registry returned invalid sequencing tech config"
