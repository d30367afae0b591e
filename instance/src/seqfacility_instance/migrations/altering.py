"""How a script alters tables that hold rows, on either engine."""

from peewee import Database, IntegrityError
from playhouse.migrate import Operation, SchemaMigrator, SqliteMigrator


def alter_tables(migrator: SchemaMigrator, *operations: Operation) -> None:
    """Run operations of Peewee's migrator in the transaction of the script.

    On PostgreSQL each is a plain ALTER. SQLite has none for most of them: Peewee copies the rows into a new
    table, drops the old one and renames. No trigger may mention the table meanwhile, and those on it would go
    with it, so all triggers are dropped before and created after, as they were. A script that takes away or
    renames what a trigger mentions drops this trigger before and creates it anew after, on both engines.

    On SQLite raises `IntegrityError` when a row is left that refers to nothing, and `OperationalError` when a
    trigger is left that cannot run. Decision: G373.
    """
    database = migrator.database
    # HAZARD: with `atomic = False` a failure half-way would leave `orders__tmp__` and no `orders`.
    assert database.in_transaction(), "tables are altered in the transaction of a script"
    if not isinstance(migrator, SqliteMigrator):
        migrator.migrate(*operations)
        return
    # HAZARD: with foreign keys on, to drop the old table would delete the rows that refer to it.
    assert not database.pragma("foreign_keys"), "tables are altered by the runner of migrations"
    triggers = database.execute_sql(
        "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'trigger'"
    ).fetchall()
    for name, _table, _statement in triggers:
        database.execute_sql(f'DROP TRIGGER "{name}"')
    migrator.migrate(*operations)
    for _name, table, statement in triggers:
        database.execute_sql(statement)
        _compile_triggers(database, table)
    if lost := database.execute_sql("PRAGMA foreign_key_check").fetchall():
        message = f"{len(lost)} rows refer to nothing; the first: {lost[0]}"
        raise IntegrityError(message)


def _compile_triggers(database: Database, table: str) -> None:
    """Compile what fires the triggers of a table: SQLite looks at what they mention no sooner."""
    changes = ", ".join(f'"{column.name}" = NULL' for column in database.get_columns(table))
    database.execute_sql(f'EXPLAIN QUERY PLAN INSERT INTO "{table}" DEFAULT VALUES')
    database.execute_sql(f'EXPLAIN QUERY PLAN UPDATE "{table}" SET {changes}')  # noqa: S608  # names of our own schema
    database.execute_sql(f'EXPLAIN QUERY PLAN DELETE FROM "{table}"')  # noqa: S608  # the same
