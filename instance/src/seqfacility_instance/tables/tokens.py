"""API tokens, and the machines that have one of their own."""

from typing import TYPE_CHECKING

from peewee import CharField, ForeignKeyField

from seqfacility_instance.core.clock import system_now
from seqfacility_instance.tables.base import Entity
from seqfacility_instance.tables.fields import JsonField, TimestampField
from seqfacility_instance.tables.people import User

if TYPE_CHECKING:
    from seqfacility_instance.tables.base import Key


class Machine(Entity):
    """A sequencing computer. Its account cannot sign in, and keeps its name in what the machine has done.

    Decision: G804.
    """

    user = ForeignKeyField(User, unique=True, on_delete="CASCADE")
    name = CharField()
    addresses = JsonField(list[str])
    created_by = ForeignKeyField(User, on_delete="RESTRICT")
    created_at = TimestampField(default=system_now)
    deleted_at = TimestampField(null=True)

    if TYPE_CHECKING:
        user_id: Key
        created_by_id: Key
        token: "ApiToken"


class ApiToken(Entity):
    """What a script shows instead of a session; only the SHA-256 of its text is here. Decision: G800."""

    token_hash = CharField(unique=True)
    user = ForeignKeyField(User, on_delete="CASCADE")
    name = CharField()
    scopes = JsonField(list[str])
    created_at = TimestampField(default=system_now)
    expires_at = TimestampField(index=True)
    last_used_at = TimestampField(null=True)
    last_used_address = CharField(null=True)

    if TYPE_CHECKING:
        user_id: Key
