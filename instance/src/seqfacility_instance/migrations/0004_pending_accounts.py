"""Accounts that wait for an admin's approval."""

from peewee import Database, SqliteDatabase


def up(_migrator: object, db: Database) -> None:
    """Add the column; no account that is there waits. Decision: G410."""
    timestamp = "INTEGER" if isinstance(db, SqliteDatabase) else "BIGINT"
    db.execute_sql(f'ALTER TABLE "users" ADD COLUMN "pending_since" {timestamp}')
