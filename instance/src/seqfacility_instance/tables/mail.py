"""Mail that is to be sent, and who wants which."""

from typing import TYPE_CHECKING

from peewee import CharField, ForeignKeyField, IntegerField, TextField

from seqfacility_instance.core.clock import system_now
from seqfacility_instance.core.vocabulary.mail import MailKind, MailTiming
from seqfacility_instance.core.vocabulary.outgoing import SendingStatus
from seqfacility_instance.tables.base import Entity
from seqfacility_instance.tables.fields import EnumField, JsonField, TimestampField
from seqfacility_instance.tables.people import User

if TYPE_CHECKING:
    from seqfacility_instance.tables.base import Key, OptionalKey


class OutgoingMail(Entity):
    """One mail to one person: an account, or somebody who has none yet at `address`. Decision: G837, G839.

    It is written from `facts` when it is sent. `sealed` is the secret in its link, encrypted, and forgotten
    with the sending. `topic` is unique: who is told once has a row. From `useful_until` on it is not sent any
    more. What is common to all that is sent is in `outgoing`. A digest tells what is due for its reader.
    """

    kind = EnumField(MailKind)
    user = ForeignKeyField(User, null=True, on_delete="CASCADE")
    address = CharField(null=True)
    topic = CharField(null=True, unique=True)
    facts = JsonField(dict[str, object], default=dict)
    sealed = TextField(null=True)
    status = EnumField(SendingStatus, default=SendingStatus.WAITING)
    attempts = IntegerField(default=0)
    due_at = TimestampField(default=system_now)
    useful_until = TimestampField(null=True)
    last_error = TextField(null=True)
    created_at = TimestampField(default=system_now)
    finished_at = TimestampField(null=True)

    if TYPE_CHECKING:
        user_id: OptionalKey

    class Meta:
        """What is due, what failed."""

        indexes = ((("status", "due_at", "id"), False), (("status", "finished_at"), False))


class MailPreference(Entity):
    """When somebody wants mail of a kind; no row means the kind's default. Decision: G840."""

    user = ForeignKeyField(User, on_delete="CASCADE", index=False)
    kind = EnumField(MailKind)
    timing = EnumField(MailTiming)

    if TYPE_CHECKING:
        user_id: Key

    class Meta:
        """One choice for each kind."""

        indexes = ((("user", "kind"), True),)
