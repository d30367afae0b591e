"""The second factor of local accounts: an authenticator app, and codes for the day that it is lost."""

from typing import TYPE_CHECKING

from peewee import BigIntegerField, CharField, ForeignKeyField, TextField

from seqfacility_instance.core.clock import system_now
from seqfacility_instance.tables.base import Entity
from seqfacility_instance.tables.fields import TimestampField
from seqfacility_instance.tables.people import User

if TYPE_CHECKING:
    from seqfacility_instance.tables.base import Key


class SecondFactor(Entity):
    """The authenticator app of one account. Decision: G814, G815."""

    user = ForeignKeyField(User, unique=True, on_delete="CASCADE")
    sealed_secret = TextField()
    """Encrypted with the key that is not in the database."""
    last_counter = BigIntegerField(default=0)
    """The time step of the last code that was taken; no code of it or before is taken again."""
    enabled_at = TimestampField(null=True)
    """None until a first code has shown that the app has the secret."""
    created_at = TimestampField(default=system_now)

    if TYPE_CHECKING:
        user_id: Key


class RecoveryCode(Entity):
    """A code that stands once for one of the app; only its SHA-256 is here. Decision: G816."""

    code_hash = CharField(unique=True)
    user = ForeignKeyField(User, on_delete="CASCADE")
    created_at = TimestampField(default=system_now)

    if TYPE_CHECKING:
        user_id: Key
