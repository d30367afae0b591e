"""What this instance has verified of each registry, and what it has refused."""

from peewee import BigIntegerField, CharField, TextField

from seqfacility_instance.core.vocabulary.registry import Refusal
from seqfacility_instance.tables.base import Table
from seqfacility_instance.tables.fields import EnumField, JsonField, TimestampField


class RegistryTrust(Table):
    """The newest signed metadata of one registry that every check has passed. Decision: G917.

    `metadata` is the text of each role's file: `root`, `timestamp`, `snapshot`, `targets`, publishers. The
    versions stand beside it as they decide which of two acts at the same time has seen more. `generation`
    rises with each reset, so that an act that began before one does not bring the old root back. `began_at`
    is the SHA-256 of the root at which the trust began, the pinned one or that of the last reset; what was
    seen from it at one address, a new one does not go back behind (G911). `verified_at` is null after a
    reset.
    """

    address = CharField(max_length=2048, primary_key=True)
    generation = BigIntegerField(default=0)
    root_version = BigIntegerField()
    timestamp_version = BigIntegerField()
    metadata = JsonField(dict[str, str])
    began_at = CharField(max_length=64)
    verified_at = TimestampField(null=True)

    class Meta:
        """The plural of trust is trust."""

        table_name = "registry_trust"


class RegistryRefusal(Table):
    """Why a registry was not believed the last time, if it ever was not. Decision: G980.

    `message` is what the act answered; `reason` says at which address and why.
    """

    address = CharField(max_length=2048, primary_key=True)
    kind = EnumField(Refusal)
    message = TextField()
    reason = TextField()
    refused_at = TimestampField()

    class Meta:
        """One row a registry."""

        table_name = "registry_refusals"
