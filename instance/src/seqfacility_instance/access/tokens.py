"""API tokens: found by their hash, within the scopes, role and addresses that hold now."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from ipaddress import IPv6Address, ip_address, ip_network

from peewee import JOIN, Expression

from seqfacility_instance.access.callers import LiveFacilityAdmin, SignedIn
from seqfacility_instance.access.errors import AddressNotAllowed
from seqfacility_instance.access.sessions import Sessions, token_hash
from seqfacility_instance.access.token_text import is_token_text
from seqfacility_instance.core import limits
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.people import Role, Scope
from seqfacility_instance.tables.people import User
from seqfacility_instance.tables.tokens import ApiToken, Machine


@dataclass(frozen=True, slots=True)
class TokenCaller:
    """Who is behind an API token, and what it is for."""

    caller: SignedIn
    scopes: frozenset[Scope]


@dataclass(frozen=True, slots=True)
class Tokens:
    """Finds the callers of API tokens. Decision: G800."""

    clock: Clock

    def find(self, text: str, address: str) -> TokenCaller | None:
        """Find who is behind a token and note, at most once a minute, that it is in use.

        None when it is unknown, revoked or expired, or its owner may not come in. Role and account state
        come from the user's row at every request. Raises `AddressNotAllowed`.

        Decision: G800, G803, G804.
        """
        if not is_token_text(text):
            return None
        now = self.clock.now()
        row = (
            ApiToken.select(ApiToken, User, Machine)
            .join_from(ApiToken, User)
            .join_from(User, Machine, JOIN.LEFT_OUTER, on=(Machine.user == User.id), attr="machine")
            .where((ApiToken.token_hash == token_hash(text)) & _is_open(now))
            .first()
        )
        if row is None:
            return None
        machine: Machine | None = getattr(row.user, "machine", None)
        if machine is not None and not is_within(address, machine.addresses):
            raise AddressNotAllowed
        if row.last_used_at is None or now - row.last_used_at >= limits.SESSION_SEEN_EVERY:
            _note_use(row, now, address)
        return TokenCaller(_caller(row, address), frozenset(map(Scope, row.scopes)))

    def still_open(self, token_ids: Collection[str]) -> dict[str, tuple[Role, datetime]]:
        """Return which of these tokens hold, with the role that each owner has now, and when it ends."""
        chosen = ApiToken.id.in_(list(token_ids)) & _is_open(self.clock.now())
        found = (
            ApiToken.select(ApiToken, User)
            .join_from(ApiToken, User)
            .join_from(User, Machine, JOIN.LEFT_OUTER, on=(Machine.user == User.id))
            .where(chosen)
        )
        return {row.id: (row.user.role, row.expires_at) for row in found}


@dataclass(frozen=True, slots=True)
class Credentials:
    """Sessions and tokens together, for answers that last as long as what they were asked with."""

    sessions: Sessions
    tokens: Tokens

    def still_open(self, credential_ids: Collection[str]) -> dict[str, tuple[Role, datetime]]:
        """Return which of these hold, with the role that each has now, and when it ends."""
        return {**self.sessions.still_open(credential_ids), **self.tokens.still_open(credential_ids)}


def is_within(address: str, networks: Collection[str]) -> bool:
    """Return whether an address lies in one of the networks; what is no address lies in none."""
    try:
        found = ip_address(address)
    except ValueError:
        return False
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return any((mapped or found) in ip_network(network) for network in networks)


def _is_open(now: datetime) -> Expression:
    """An account of a machine is never active: nothing but its token lets it in."""
    is_machine = Machine.id.is_null(False) & Machine.deleted_at.is_null()
    is_person = Machine.id.is_null() & User.is_active & ~User.is_demo
    is_open: Expression = (ApiToken.expires_at > now) & (is_machine | is_person)
    return is_open


def _note_use(token: ApiToken, now: datetime, address: str) -> None:
    is_later = ApiToken.last_used_at.is_null() | (ApiToken.last_used_at < now)
    ApiToken.update(last_used_at=now, last_used_address=address or None).where(
        (ApiToken.id == token.id) & is_later
    ).execute()


def _caller(token: ApiToken, address: str) -> SignedIn:
    user = token.user
    kind = LiveFacilityAdmin if user.role is Role.FACILITY_ADMIN else SignedIn
    return kind(
        user_id=user.id,
        email=user.email,
        first_name=user.first_name,
        last_name=user.last_name,
        role=user.role,
        session_id="",
        address=address,
        token_id=token.id,
    )
