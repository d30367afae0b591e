"""What has changed lately, written by triggers of the database."""

from peewee import BigIntegerField, BooleanField, CharField, CompositeKey

from seqfacility_instance.core.vocabulary.live import ChangeKind
from seqfacility_instance.tables.base import Table
from seqfacility_instance.tables.fields import ID_MAX_LENGTH, EnumField, TimestampField


class LiveChange(Table):
    """Something changed in a transaction: which object of which kind, and who may hear of it.

    Triggers write it in the transaction of the change, whoever makes it, see migration 0014. `transaction` is
    the server's own number of it on PostgreSQL; on SQLite, where one writes at a time, changes are numbered
    as they come, and of an object only the newest is kept. `owner_id` is whose object it belongs to, with no
    reference, since a change outlives its object. What the owner is not shown has `owner_sees` false.

    Decision: G556.
    """

    kind = EnumField(ChangeKind)
    object_id = CharField(max_length=ID_MAX_LENGTH)
    owner_id = CharField(max_length=ID_MAX_LENGTH)
    owner_sees = BooleanField()
    transaction = BigIntegerField(index=True)
    at = TimestampField()

    class Meta:
        """A transaction tells of an object once."""

        primary_key = CompositeKey("kind", "object_id", "owner_id", "owner_sees", "transaction")
