"""API tokens: found by their hash, within the scopes, role and addresses that hold now."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from ipaddress import IPv6Address, ip_address, ip_network
from typing import cast

from peewee import JOIN, Field, ModelSelect

from seqfacility_instance.access.callers import SignedIn, typed_caller
from seqfacility_instance.access.sessions import Sessions, held_to_second_factor, token_hash
from seqfacility_instance.access.token_text import is_token_text
from seqfacility_instance.core import limits
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.json_text import parsed_json
from seqfacility_instance.core.password_hashes import is_usable
from seqfacility_instance.core.vocabulary.people import Role, Scope
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.tables.base import Table
from seqfacility_instance.tables.fields import timestamp_of
from seqfacility_instance.tables.people import User
from seqfacility_instance.tables.prepared import Prepared, placeholder
from seqfacility_instance.tables.tokens import ApiToken, Machine

# An account of a machine is never active: nothing but its token lets it in.
_MAY_COME_IN = (Machine.id.is_null(False) & Machine.deleted_at.is_null()) | (
    Machine.id.is_null() & User.is_active & ~User.is_demo
)
_TOKEN = Prepared(
    lambda: _with_owners(
        ApiToken.id,
        ApiToken.scopes,
        ApiToken.expires_at,
        ApiToken.last_used_at,
        Machine.addresses,
        User.id,
        User.email,
        User.first_name,
        User.last_name,
        User.role,
        User.password_hash,
    ).where((ApiToken.token_hash == placeholder("token_hash")) & _MAY_COME_IN)
)


@dataclass(frozen=True, slots=True)
class TokenCaller:
    """Who is behind an API token, and what it is for."""

    caller: SignedIn
    scopes: frozenset[Scope]
    is_elsewhere: bool
    """Whether the token belongs to a machine that does not stand where it was used."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """Finds the callers of API tokens. Decision: G800."""

    settings: FacilitySettings
    clock: Clock

    def find(self, text: str, address: str) -> TokenCaller | None:
        """Find who is behind a token and note, at most once a minute, that it is in use.

        None when it is unknown, revoked or expired, or its owner may not come in. Role and account state
        come from the user's row at every request.

        Decision: G800, G803, G804.
        """
        row = _TOKEN.first(token_hash=token_hash(text)) if is_token_text(text) else None
        if row is None:
            return None
        token_id, scopes, expires_at, last_used_at, addresses, *person, password_hash = row
        now = self.clock.now()
        if now >= timestamp_of(expires_at):
            return None
        is_elsewhere = addresses is not None and not is_within(address, _words(addresses))
        is_noted = last_used_at is not None and now - timestamp_of(last_used_at) < limits.SESSION_SEEN_EVERY
        if not is_elsewhere and not is_noted:
            _note_use(token_id, now, address)
        caller = typed_caller(person, address, token_id=token_id)
        # Machines are not asked, nor people who sign in at a provider alone. Decision: G898.
        if addresses is None and is_usable(password_hash):
            caller = held_to_second_factor(self.settings.access(), caller)
        return TokenCaller(caller, frozenset(map(Scope, _words(scopes))), is_elsewhere)

    def still_open(self, token_ids: Collection[str]) -> dict[str, tuple[Role, datetime]]:
        """Return which of these tokens hold, with the role that each owner has now, and when it ends."""
        chosen = ApiToken.id.in_(list(token_ids)) & (ApiToken.expires_at > self.clock.now())
        found = _with_owners(ApiToken, User).where(chosen & _MAY_COME_IN)
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


def _with_owners(*columns: "Field | type[Table]") -> "ModelSelect[ApiToken]":
    return (
        ApiToken.select(*columns)
        .join_from(ApiToken, User)
        .join_from(User, Machine, JOIN.LEFT_OUTER, on=(Machine.user == User.id))
    )


def _words(stored: str) -> list[str]:
    return cast("list[str]", parsed_json(stored))


def _note_use(token_id: str, now: datetime, address: str) -> None:
    is_later = ApiToken.last_used_at.is_null() | (ApiToken.last_used_at < now)
    ApiToken.update(last_used_at=now, last_used_address=address or None).where(
        (ApiToken.id == token_id) & is_later
    ).execute()
