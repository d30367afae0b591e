"""Why nobody is signed in, and refusals of a logout."""

from enum import StrEnum

from seqfacility_wire.errors import ServiceError


class Reason(StrEnum):
    """The word at which a refused sign-in ends: `/sign-in?error=<word>`. Decision: G822."""

    UNKNOWN_PROVIDER = "unknown-provider"
    PROVIDER_UNREACHABLE = "provider-unreachable"
    PROVIDER_REFUSED = "provider-refused"
    INVALID_ANSWER = "invalid-answer"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    NOT_VERIFIED = "not-verified"
    NOT_ALLOWED = "not-allowed"
    LINKED_ELSEWHERE = "linked-elsewhere"
    DEACTIVATED = "deactivated"
    TOO_MANY = "too-many"


class SignInRefused(Exception):
    """Nobody is signed in. The note says more, for the log and for `check-setup`."""

    def __init__(self, reason: Reason, note: str = "") -> None:
        super().__init__(f"{reason.value}: {note}" if note else reason.value)
        self.reason = reason
        self.note = note


class ProviderNotFound(ServiceError):
    status = 404
    message = "Provider not found"


class LogoutTokenNotValid(ServiceError):
    """Decision: G827: whatever is wrong with it; who sends it learns nothing."""

    message = "Logout token is not valid"


class ProviderUnavailable(ServiceError):
    """Decision: G827: the keys of the provider cannot be fetched, so that it has to send it again."""

    status = 503
    message = "Provider is not reachable. Send the logout token again later."
