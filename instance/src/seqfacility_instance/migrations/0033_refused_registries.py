"""Why registries were refused the last time, and since when a version is known as withdrawn."""

from peewee import Database, SqliteDatabase


def up(_migrator: object, db: Database) -> None:
    """Create the table, empty, and add the column; when a yank was seen before is not known.

    Decision: G980, G982.
    """
    number = "INTEGER" if isinstance(db, SqliteDatabase) else "BIGINT"
    db.execute_sql(
        'CREATE TABLE "registry_refusals" ('
        '"address" VARCHAR(2048) NOT NULL PRIMARY KEY, '
        '"kind" VARCHAR(64) NOT NULL, '
        '"message" TEXT NOT NULL, '
        '"reason" TEXT NOT NULL, '
        f'"refused_at" {number} NOT NULL)'
    )
    db.execute_sql(f'ALTER TABLE "pipeline_packages" ADD COLUMN "yank_seen_at" {number}')
