"""One document with everything that the facility's database has about a person."""

from datetime import datetime
from enum import StrEnum

from pydantic.alias_generators import to_camel
from seqfacility_wire.timestamps import format_time

from seqfacility_instance.access import audit
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.personal_data.named_rows import WITHHELD, rows_about, withheld_of_others
from seqfacility_instance.tables.base import Table, database, table_name
from seqfacility_instance.tables.orders import Order, Sample
from seqfacility_instance.tables.people import User


def export(user: User, now: datetime) -> dict[str, object]:
    """Return every row that names somebody, by table; it is in the audit trail that they were read.

    An order comes with the codes of its samples. Secrets and their hashes are left out, and what
    tells of somebody else.

    Decision: G875, G881.
    """
    with database.atomic():
        rows = {
            to_camel(table_name(table)): [_shown(row, user) for row in found]
            for table, found in rows_about(user)
        }
        audit.record(None, AuditAction.USER_EXPORTED, "user", user.id, now)
    (account,) = rows.pop("users")
    return {"exportedAt": format_time(now), "account": account, **rows}


def _shown(row: Table, user: User) -> dict[str, object]:
    withheld = WITHHELD.get(type(row), frozenset())
    columns = {
        field.column_name: row.__data__[field.name]
        for field in row._meta.sorted_fields  # noqa: SLF001  # Peewee's public place for this
        if field.name not in withheld
    }
    columns |= withheld_of_others(row, user)
    shown = {to_camel(column): _plain(value) for column, value in columns.items()}
    if isinstance(row, Order):
        codes = Sample.select(Sample.sample_code).where(Sample.order == row.id).order_by(Sample.id)
        shown["sampleCodes"] = [sample.sample_code for sample in codes]
    return shown


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return format_time(value)
    return value.value if isinstance(value, StrEnum) else value
