"""What an admin is told when a registry cannot be read."""

from seqfacility_wire.errors import ServiceError


class RegistryRefused(ServiceError):
    """The registry answered, but not with a document. Gap: G226."""

    status = 502
    message = "API returned {answered}"

    def __init__(self, answered: int) -> None:
        super().__init__(answered=answered)
        self.answered = answered


class RegistryNotReachable(ServiceError):
    """No answer in time, a refused address, a broken connection or an answer beyond the limit. Gap: G226."""

    status = 502
    message = "Registry is not reachable"


class RegistryTooNew(ServiceError):
    """An index of a later major version, whose keys may mean something else. Gap: G445."""

    status = 502
    message = "Registry answers with version {version} of its index; this release reads version 1"


class InvalidRegistryAnswer(ServiceError):
    """The answer is no JSON, or not what its schema says. Gap: G226."""

    status = 502
    message = "Registry returned an invalid answer"
