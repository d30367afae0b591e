"""The rows of the Errors chapter that concern the weblog."""

from seqfacility_wire.errors import ServiceError


class WeblogNotConfigured(ServiceError):
    """Spec: instance, Errors: weblog, no secret configured."""

    status = 503
    message = "Weblog secret is not configured"


class InvalidToken(ServiceError):
    """Spec: instance, Errors: weblog, token mismatch."""

    status = 403
    message = "Invalid token"


class RunIdRequired(ServiceError):
    """Spec: instance, Errors: weblog, runId missing."""

    message = "runId is required"


class UnknownRun(ServiceError):
    """Spec: instance, Errors: weblog, unknown runId."""

    status = 404
    message = "Run not found"
