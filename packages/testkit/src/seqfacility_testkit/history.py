"""Years of a facility in a moment: rows like those that are there, as many as a test wants."""

from seqfacility_instance.tables.base import Entity

from seqfacility_testkit.facility import Facility


def copies(facility: Facility, table: type[Entity], row_id: str, count: int, **changes: str) -> None:
    """Write `count` rows like one that is there, apart from `changes`: SQL over `n`, from 1 to `count`."""
    values = {"id": f"'{row_id[:20]}-' || n", **changes}
    meta = table._meta  # noqa: SLF001  # Peewee's public place for this
    columns = [field.column_name for field in meta.sorted_fields]
    names = ", ".join(f'"{name}"' for name in columns)
    chosen = ", ".join(values.get(name, f'"{name}"') for name in columns)
    name = meta.table_name
    statement = (
        f"WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {count}) "  # noqa: S608  # a test's own words
        f"INSERT INTO {name} ({names}) SELECT {chosen} FROM {name}, numbers WHERE id = '{row_id}'"
    )
    database = facility.services.database
    database.execute_sql(statement if database.param == "?" else statement.replace("%", "%%"))


def settle(facility: Facility) -> None:
    """Let the database look at what there is, as it does by itself after a while."""
    facility.services.database.execute_sql("ANALYZE")
