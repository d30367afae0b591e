"""Refusals that come before any use case."""

from seqfacility_wire.errors import ServiceError


class Unauthorized(ServiceError):
    """Spec: instance, Errors: any session endpoint, no session."""

    status = 401
    message = "Unauthorized"


class NotAdmin(ServiceError):
    """Spec: instance, Errors: admin-only endpoints, not facility admin (403, not 401)."""

    status = 403
    message = "Unauthorized"


class TokenNotAllowed(ServiceError):
    """An API token asks for what its scopes do not name, or for what no token may do. Decision: G801."""

    status = 403
    message = "Token does not allow this"


class AddressNotAllowed(ServiceError):
    """The token of a machine comes from elsewhere. Decision: G804."""

    status = 403
    message = "Token is not allowed from this address"


class Forbidden(ServiceError):
    """An object that exists and that this researcher may not read. Decision: G13, G14."""

    status = 403
    message = "Forbidden"


class CrossSiteRefused(ServiceError):
    """An unsafe request that another site's page made. Decision: G19."""

    status = 403
    message = "Cross-site request refused"


class RefusedInDemo(ServiceError):
    """Spec: instance, Errors: mutating or download endpoints, demo session. Decision: G248."""

    status = 403
    message = "{text}"

    def __init__(self, text: str) -> None:
        super().__init__(text=text)


class SecondFactorNotSetUpYet(ServiceError):
    """An admin without the second factor that the facility asks of admins. Decision: G817."""

    status = 403
    message = "Set up a second factor first"

    def __init__(self) -> None:
        super().__init__(extra={"secondFactorSetup": True})


class NotConfirmed(ServiceError):
    """A privileged act in a session that nobody has confirmed for ten minutes. Decision: G810."""

    status = 403
    message = "Confirm your password first"

    def __init__(self) -> None:
        super().__init__(extra={"confirm": True})


class OrderNotFound(ServiceError):
    status = 404
    message = "Sequencing Order not found"


class SampleNotFound(ServiceError):
    status = 404
    message = "Sample not found"


class TicketNotFound(ServiceError):
    status = 404
    message = "Ticket not found"


class StudyNotFound(ServiceError):
    status = 404
    message = "Study not found"
