"""When the registry was polled last, and what came of it."""

from peewee import CharField, TextField

from seqfacility_instance.tables.base import Table
from seqfacility_instance.tables.fields import JsonField, TimestampField


class RegistryPoll(Table):
    """The daily poll of the registry in force; there is one row. Decision: G970, G971.

    `due_at` is when the next poll is, `polled_at` when the last one was. `index_tag` names the index that was
    learned from, as long as nothing was installed or learned elsewhere since. `warnings` are sentences.
    """

    address = CharField(max_length=2048, primary_key=True)
    due_at = TimestampField()
    polled_at = TimestampField(null=True)
    index_tag = CharField(max_length=200, null=True)
    error = TextField(null=True)
    warnings = JsonField(list[str], null=True)
