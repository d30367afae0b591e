"""Requests and answers on API tokens and machines."""

from __future__ import annotations

from ipaddress import ip_network
from typing import TYPE_CHECKING, Annotated

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError
from seqfacility_wire.timestamps import format_time

from seqfacility_instance.access.person import person
from seqfacility_instance.core import limits
from seqfacility_instance.core.request_model import FilledLine, RequestModel
from seqfacility_instance.core.vocabulary.people import Scope
from seqfacility_instance.tables.tokens import ApiToken, Machine

if TYPE_CHECKING:
    from seqfacility_schemas import answers


def _network(text: str) -> str:
    try:
        return str(ip_network(text))
    except ValueError:
        raise PydanticCustomError(
            "network", "must be an address or a network such as 192.0.2.0/24, with no bit beyond its length"
        ) from None


ScopeName = Annotated[Scope, Field(strict=False)]
Network = Annotated[FilledLine, AfterValidator(_network)]
"""Addresses in CIDR notation. Decision: G804."""


class NewToken(RequestModel):
    """Body of `POST /api/user/tokens`. Decision: G802."""

    name: FilledLine
    scopes: list[ScopeName] = Field(min_length=1, max_length=len(Scope))
    expires_in_days: int = Field(ge=1, le=limits.TOKEN_MAX_DAYS)


class NewMachine(NewToken):
    """Body of `POST /api/admin/machines`. Decision: G804."""

    addresses: list[Network] = Field(min_length=1, max_length=limits.ADDRESSES_PER_MACHINE)


def token_info(token: ApiToken) -> answers.TokenInfo:
    """Show a token without its text. Decision: G802."""
    shown: answers.TokenInfo = {
        "id": token.id,
        "name": token.name,
        "scopes": token.scopes,
        "createdAt": format_time(token.created_at),
        "expiresAt": format_time(token.expires_at),
    }
    if token.last_used_at is not None:
        shown["lastUsedAt"] = format_time(token.last_used_at)
    if token.last_used_address is not None:
        shown["lastUsedAddress"] = token.last_used_address
    return shown


def machine(row: Machine, token: ApiToken) -> answers.Machine:
    """Show a machine, with what its token is for and where it was used last. Decision: G804."""
    return {
        **token_info(token),
        "id": row.id,
        "name": row.name,
        "addresses": row.addresses,
        "createdBy": person(row.created_by),
    }
