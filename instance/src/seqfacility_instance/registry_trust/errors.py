"""What an admin is told when a registry cannot be believed."""

from typing import ClassVar

from seqfacility_wire.errors import ServiceError

from seqfacility_instance.core.vocabulary.registry import Refusal
from seqfacility_instance.registry_client.errors import RegistryFault


class RegistryNotTrusted(RegistryFault):
    """Base of the refusals below. Decision: G918."""

    kind: ClassVar[Refusal]


class SignatureNotValid(RegistryNotTrusted):
    """A file that is missing, was changed, or is signed by others or by too few. Decision: G918."""

    kind = Refusal.SIGNATURE
    message = "Registry signature is not valid"


class OlderThanSeen(RegistryNotTrusted):
    """Signed metadata of a version below one that was verified before. Decision: G918."""

    kind = Refusal.OLDER
    message = "Registry data is older than what was seen"


class RegistryDataExpired(RegistryNotTrusted):
    """Signed metadata whose time is over, or a clock that is ahead. Decision: G918."""

    kind = Refusal.EXPIRED
    message = "Registry data expired on {date}"

    def __init__(self, date: str) -> None:
        super().__init__(date=date)


class ClockBehindRegistry(RegistryNotTrusted):
    """The clock of this server is before the time at which the metadata was signed. Decision: G918."""

    kind = Refusal.CLOCK
    message = "The clock of this server is wrong: it says {now}, and registry data was issued on {issued}"

    def __init__(self, now: str, issued: str) -> None:
        super().__init__(now=now, issued=issued)


class RegistryNotKnown(ServiceError):
    """An address that nothing was read at. Decision: G912."""

    message = "No registry was read at {address}; known are {known}"

    def __init__(self, address: str, known: str) -> None:
        super().__init__(address=address, known=known)


class RootNotUsable(ServiceError):
    """A file that is no root, or one that its own keys do not sign. Decision: G920."""

    message = "{path} is no root of a registry that enough of its own keys have signed"

    def __init__(self, path: str) -> None:
        super().__init__(path=path)
