"""The auth classes of the API documents, declared for every method in the URL table."""

from collections.abc import Mapping
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
    is_for_set_up: bool = False
    """Whether an admin who lacks a second factor may call it, to set one up. Decision: G817."""
    needs_confirmation: bool = False
    """Whether the session must have been confirmed within ten minutes. Decision: G810."""
    confirmed_sections: frozenset[str] = frozenset()
    """The sections of settings that this holds for; none: it holds for every request."""

    def refusing(self, not_admin: type[ServiceError]) -> "Access":
        """The same access with another answer for those who are no admin."""
        return replace(self, not_admin=not_admin)

    def limited(self, hourly: HourlyLimit | None = None, *, is_large_save: bool = False) -> "Access":
        """The same access, within the limits of one researcher."""
        return replace(self, hourly=hourly, is_large_save=is_large_save)

    def scoped(self, scope: Scope) -> "Access":
        """The same access, also for API tokens with a scope."""
        return replace(self, scope=scope)

    def for_set_up(self) -> "Access":
        """The same access, also for an admin who lacks a second factor."""
        return replace(self, is_for_set_up=True)

    def confirmed(self, *sections: str) -> "Access":
        """The same access for a confirmed session, perhaps only for some sections of settings."""
        return replace(self, needs_confirmation=True, confirmed_sections=frozenset(sections))

    def asks_confirmation(self, path_values: Mapping[str, object]) -> bool:
        """Return whether a request with these values in its path needs a confirmed session.

        Decision: G810.
        """
        is_named = not self.confirmed_sections or path_values.get("section") in self.confirmed_sections
        return self.needs_confirmation and is_named


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
