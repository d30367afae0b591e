"""Stored figures of finished months, so that a year is read instead of counted."""

from peewee import CharField, IntegerField

from seqfacility_instance.tables.base import Table
from seqfacility_instance.tables.fields import JsonField, TimestampField


class MonthFigures(Table):
    """The figures of one finished month (`YYYY-MM`, UTC), by one version of the definitions.

    A cache: any row may be deleted and is counted again. Decision: G1011.
    """

    month = CharField(max_length=7, primary_key=True)
    definition = IntegerField()
    figures = JsonField(dict[str, object])
    counted_at = TimestampField()
