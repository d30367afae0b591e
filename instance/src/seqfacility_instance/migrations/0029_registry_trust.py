"""A table for what was verified of each registry. Decision: G917."""

from peewee import Database, SqliteDatabase


def up(_migrator: object, db: Database) -> None:
    """Create the table, empty."""
    number = "INTEGER" if isinstance(db, SqliteDatabase) else "BIGINT"
    db.execute_sql(
        'CREATE TABLE "registry_trust" ('
        '"address" VARCHAR(2048) NOT NULL PRIMARY KEY, '
        f'"generation" {number} NOT NULL, '
        f'"root_version" {number} NOT NULL, '
        f'"timestamp_version" {number} NOT NULL, '
        '"metadata" TEXT NOT NULL, '
        '"began_at" VARCHAR(64) NOT NULL, '
        f'"verified_at" {number})'
    )
