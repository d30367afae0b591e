"""What an admin is told when a registry cannot be read."""

from typing import Self

from seqfacility_wire.errors import ServiceError

from seqfacility_instance.registry_client.rules import shown_url


class RegistryFault(ServiceError):
    """A registry that cannot be read. A note names its address and the reason, for commands and the log.

    Decision: G486.
    """

    status = 502

    def at(self, url: str, reason: str) -> Self:
        """Note where it happened and why."""
        self.add_note(f"{shown_url(url)}: {reason}")
        return self


class RegistryRefused(RegistryFault):
    """The registry answered, but not with a document. Decision: G226."""

    message = "API returned {answered}"

    def __init__(self, answered: int) -> None:
        super().__init__(answered=answered)
        self.answered = answered


class RegistryNotReachable(RegistryFault):
    """No answer in time, a refused address, a broken connection or an answer beyond the limit.

    Decision: G226.
    """

    message = "Registry is not reachable"


class RegistryAnswerTooLarge(RegistryNotReachable):
    """An answer beyond the limit, told like every other that cannot be had. Decision: G226."""


class RegistryTooNew(ServiceError):
    """An index of a later major version, whose keys may mean something else. Decision: G445."""

    status = 502
    message = "Registry answers with version {version} of its index; this release reads version 1"


class InvalidRegistryAnswer(RegistryFault):
    """The answer is no JSON, or not what its schema says. Decision: G226."""

    message = "Registry returned an invalid answer"
