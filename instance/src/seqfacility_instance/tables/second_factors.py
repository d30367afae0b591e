"""The second factor of local accounts."""

from typing import TYPE_CHECKING

from peewee import BigIntegerField, ForeignKeyField, TextField

from seqfacility_instance.core.clock import system_now
from seqfacility_instance.tables.base import Entity
from seqfacility_instance.tables.fields import JsonField, TimestampField
from seqfacility_instance.tables.people import User

if TYPE_CHECKING:
    from seqfacility_instance.tables.base import Key


class SecondFactor(Entity):
    """The authenticator app of one account, and codes for the day that it is lost.

    Decision: G814, G815, G816.
    """

    user = ForeignKeyField(User, unique=True, on_delete="CASCADE")
    sealed_secret = TextField()
    """Encrypted with the key that is not in the database."""
    last_counter = BigIntegerField(default=0)
    """The time step of the last code that was taken; no code of it or before is taken again."""
    recovery_hashes = JsonField(list[str], default=list)
    """The SHA-256 of each code that is left; one that is used stands once for one of the app."""
    enabled_at = TimestampField(null=True)
    """None until a first code has shown that the app has the secret."""
    created_at = TimestampField(default=system_now)

    if TYPE_CHECKING:
        user_id: Key
