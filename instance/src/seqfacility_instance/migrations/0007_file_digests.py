"""A table for what the service computes of files: MD5, and the CRC-32 that archives need."""

from peewee import Database, SqliteDatabase


def up(_migrator: object, db: Database) -> None:
    """Create the table, empty: a file that was examined before is examined again when it is published.

    Decision: G430.
    """
    number = "INTEGER" if isinstance(db, SqliteDatabase) else "BIGINT"
    db.execute_sql(
        'CREATE TABLE "file_digests" ('
        '"path" TEXT NOT NULL PRIMARY KEY, '
        f'"size" {number} NOT NULL, '
        f'"modified_ns" {number} NOT NULL, '
        '"md5" VARCHAR(32) NOT NULL, '
        f'"crc32" {number} NOT NULL)'
    )
