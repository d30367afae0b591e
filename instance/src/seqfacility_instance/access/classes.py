"""The auth classes of the API documents, declared for every method in the URL table."""

from dataclasses import dataclass, replace
from enum import StrEnum

from seqfacility_wire.errors import ServiceError

from seqfacility_instance.access.errors import NotAdmin
from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.people import Scope

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class Needs(StrEnum):
    """What a request must prove before its responder runs. Spec: instance, Endpoints. Decision: G13."""

    NOTHING = "N"
    SESSION = "S"
    OWNER = "O"
    """A session; the use case checks that it owns the object in the path, or is an admin."""
    ADMIN = "A"
    LIVE_ADMIN = "AD"
    WEBLOG_SECRET = "W"  # noqa: S105  # a class of access, not a secret


@dataclass(frozen=True, slots=True)
class HourlyLimit:
    """How often a researcher may call what shares this name, within an hour. Decision: G399."""

    name: str
    maximum: int


@dataclass(frozen=True, slots=True)
class Access:
    """Who may call one method of one route, and how the others are refused."""

    needs: Needs
    not_admin: type[ServiceError] = NotAdmin
    always_refused_in_demo: bool = False
    """Downloads are GET requests that no demo session may make. Decision: G247."""
    allowed_in_demo: bool = False
    """The three routes that begin or end a session. Decision: G247."""
    hourly: HourlyLimit | None = None
    is_large_save: bool = False
    """Whether it may write thousands of rows in one transaction. Decision: G399."""
    scope: Scope | None = None
    """What an API token must be for; None: no token passes. Decision: G801."""

    def refusing(self, not_admin: type[ServiceError]) -> "Access":
        """The same access with another answer for those who are no admin."""
        return replace(self, not_admin=not_admin)

    def limited(self, hourly: HourlyLimit | None = None, *, is_large_save: bool = False) -> "Access":
        """The same access, within the limits of one researcher."""
        return replace(self, hourly=hourly, is_large_save=is_large_save)

    def scoped(self, scope: Scope) -> "Access":
        """The same access, also for API tokens with a scope."""
        return replace(self, scope=scope)


ANYONE = Access(Needs.NOTHING)
SESSION_ROUTE = Access(Needs.NOTHING, allowed_in_demo=True)
SIGNED_IN = Access(Needs.SESSION)
SIGNED_IN_NOT_DEMO = Access(Needs.SESSION, always_refused_in_demo=True)
OWNER = Access(Needs.OWNER)
OWNER_NOT_DEMO = Access(Needs.OWNER, always_refused_in_demo=True)
ADMIN = Access(Needs.ADMIN)
LIVE_ADMIN = Access(Needs.LIVE_ADMIN)
WEBLOG_SECRET = Access(Needs.WEBLOG_SECRET, allowed_in_demo=True)

NEW_ORDERS = HourlyLimit("orders", limits.ORDERS_PER_HOUR)
NEW_MESSAGES = HourlyLimit("messages", limits.MESSAGES_PER_HOUR)
IMPORTS = HourlyLimit("imports", limits.SAMPLE_TABLES_PER_HOUR)
