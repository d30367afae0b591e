"""A table for the daily poll of the registry. Decision: G970."""

from peewee import Database, SqliteDatabase


def up(_migrator: object, db: Database) -> None:
    """Create the table, empty: the first poll is at the facility's time of the day."""
    number = "INTEGER" if isinstance(db, SqliteDatabase) else "BIGINT"
    db.execute_sql(
        'CREATE TABLE "registry_polls" ('
        '"address" VARCHAR(2048) NOT NULL PRIMARY KEY, '
        f'"due_at" {number} NOT NULL, '
        f'"polled_at" {number}, '
        '"index_tag" VARCHAR(200), '
        '"error" TEXT, '
        '"warnings" TEXT)'
    )
