"""The auth classes of the API documents, declared for every method in the URL table."""

from dataclasses import dataclass, replace
from enum import StrEnum

from seqfacility_wire.errors import ServiceError

from seqfacility_instance.access.errors import NotAdmin

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class Needs(StrEnum):
    """What a request must prove before its responder runs. Spec: instance, Endpoints. Gap: G13."""

    NOTHING = "N"
    SESSION = "S"
    OWNER = "O"
    """A session; the use case checks that it owns the object in the path, or is an admin."""
    ADMIN = "A"
    LIVE_ADMIN = "AD"
    WEBLOG_SECRET = "W"  # noqa: S105  # a class of access, not a secret


@dataclass(frozen=True, slots=True)
class Access:
    """Who may call one method of one route, and how the others are refused."""

    needs: Needs
    not_admin: type[ServiceError] = NotAdmin
    always_refused_in_demo: bool = False
    """Downloads are GET requests that no demo session may make. Gap: G247."""
    allowed_in_demo: bool = False
    """The three routes that begin or end a session. Gap: G247."""

    def refusing(self, not_admin: type[ServiceError]) -> "Access":
        """The same access with another answer for those who are no admin."""
        return replace(self, not_admin=not_admin)


ANYONE = Access(Needs.NOTHING)
SESSION_ROUTE = Access(Needs.NOTHING, allowed_in_demo=True)
SIGNED_IN = Access(Needs.SESSION)
SIGNED_IN_NOT_DEMO = Access(Needs.SESSION, always_refused_in_demo=True)
OWNER = Access(Needs.OWNER)
ADMIN = Access(Needs.ADMIN)
LIVE_ADMIN = Access(Needs.LIVE_ADMIN)
WEBLOG_SECRET = Access(Needs.WEBLOG_SECRET, allowed_in_demo=True)
