"""The figures of a facility's months, kept so that a year is read and not counted."""

from peewee import CharField, IntegerField

from seqfacility_instance.tables.base import Table
from seqfacility_instance.tables.fields import JsonField, TimestampField


class MonthFigures(Table):
    """What was counted of one month (`YYYY-MM`, UTC) that is over, by which version of the definitions.

    Nothing here is a source: every row may be deleted, and is counted again. Decision: G1011.
    """

    month = CharField(max_length=7, primary_key=True)
    definition = IntegerField()
    figures = JsonField(dict[str, object])
    counted_at = TimestampField()
