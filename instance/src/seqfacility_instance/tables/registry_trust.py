"""What this instance has verified of each registry."""

from peewee import BigIntegerField, CharField

from seqfacility_instance.tables.base import Table
from seqfacility_instance.tables.fields import JsonField, TimestampField


class RegistryTrust(Table):
    """The newest signed metadata of one registry that every check has passed. Decision: G917.

    `metadata` is the text of each role's file: `root`, `timestamp`, `snapshot`, `targets`, publishers. The
    versions stand beside it as they decide which of two acts at the same time has seen more. `generation`
    rises with each reset, so that an act that began before one does not bring the old root back.
    """

    address = CharField(max_length=2048, primary_key=True)
    generation = BigIntegerField(default=0)
    root_version = BigIntegerField()
    timestamp_version = BigIntegerField()
    metadata = JsonField(dict[str, str])
    verified_at = TimestampField()

    class Meta:
        """The plural of trust is trust."""

        table_name = "registry_trust"
