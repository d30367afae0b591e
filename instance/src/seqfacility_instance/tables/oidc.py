"""Who people are at the identity providers, the sessions that came from there, and what was used once."""

from typing import TYPE_CHECKING

from peewee import BooleanField, CharField, ForeignKeyField

from seqfacility_instance.core.clock import system_now
from seqfacility_instance.tables.base import Entity
from seqfacility_instance.tables.fields import TimestampField
from seqfacility_instance.tables.people import Session, User

if TYPE_CHECKING:
    from seqfacility_instance.tables.base import Key


class OidcIdentity(Entity):
    """An account's subject at an issuer; an account has one at each. Decision: G823."""

    user = ForeignKeyField(User, on_delete="CASCADE")
    issuer = CharField()
    subject = CharField()
    gave_admin = BooleanField(default=False)
    """Whether the provider made the account an admin, and so may take that back. Decision: G825."""

    created_at = TimestampField(default=system_now)

    if TYPE_CHECKING:
        user_id: Key

    class Meta:
        """Nobody is two people, and no two people are one."""

        indexes = ((("issuer", "subject"), True), (("user", "issuer"), True))


class OidcSession(Entity):
    """Which sign-in at a provider a session of ours came from, for its logout there. Decision: G827."""

    session = ForeignKeyField(Session, unique=True, on_delete="CASCADE")
    identity = ForeignKeyField(OidcIdentity, on_delete="CASCADE")
    sid = CharField(null=True, index=True)

    if TYPE_CHECKING:
        session_id: Key


class OidcUse(Entity):
    """A state of a sign-in or an id of a logout token that was used, by its hash. Decision: G821, G827."""

    used_hash = CharField(unique=True)
    expires_at = TimestampField(index=True)
