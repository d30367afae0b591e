"""Sessions say which browser they are of, and when they were confirmed."""

from peewee import Database, SqliteDatabase


def up(_migrator: object, db: Database) -> None:
    """Add the columns, empty: nobody has confirmed the sessions that are there. Decision: G810, G812."""
    timestamp = "INTEGER" if isinstance(db, SqliteDatabase) else "BIGINT"
    db.execute_sql('ALTER TABLE "sessions" ADD COLUMN "user_agent" VARCHAR(255)')
    db.execute_sql(f'ALTER TABLE "sessions" ADD COLUMN "confirmed_at" {timestamp}')
