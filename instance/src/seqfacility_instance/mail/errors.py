"""Refusals around mail."""

from seqfacility_wire.errors import ServiceError


class MailTestFailed(ServiceError):
    """A test mail that could not be sent. Decision: G1053."""

    status = 502
    message = "No test mail was sent: {reason}"

    def __init__(self, reason: str) -> None:
        super().__init__(reason=reason)


class MailNotFailed(ServiceError):
    """A mail that is not in the list of what could not be sent. Decision: G839."""

    status = 404
    message = "No mail with this id has failed"
