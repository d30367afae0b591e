"""Refusals around mail."""

from seqfacility_wire.errors import ServiceError


class MailNotFailed(ServiceError):
    """A mail that is not in the list of what could not be sent. Decision: G839."""

    status = 404
    message = "No mail with this id has failed"
