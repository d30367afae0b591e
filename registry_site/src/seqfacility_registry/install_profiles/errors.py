"""Refusals of the install profiles."""

from seqfacility_wire.errors import ServiceError, TooManyRequests


class InstallProfileNotFound(ServiceError):
    """Unknown, disabled, or an id that no profile can have. Decision: G240."""

    status = 404
    message = "Install profile not found"


class InvalidAccessCode(ServiceError):
    """A wrong or a missing code. Decision: G241, G287."""

    status = 401
    message = "Invalid access code"

    def __init__(self) -> None:
        super().__init__(headers={"WWW-Authenticate": "Bearer"})


class TooManyWrongCodes(TooManyRequests):
    """Ten wrong codes for one profile from one address within 15 minutes. Decision: G241."""

    message = "Too many wrong access codes"


class ProfileIncomplete(ServiceError):
    """A declared secret has no value in the operator's folder. Decision: G241."""

    status = 503
    message = "Install profile is not complete"
