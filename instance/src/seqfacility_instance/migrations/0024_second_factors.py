"""Sessions say which browser they are of and when they were confirmed; a table of second factors."""

from peewee import Database, SqliteDatabase

_SECOND_FACTORS = """
CREATE TABLE "second_factors" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "user_id" VARCHAR(64) NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "sealed_secret" TEXT NOT NULL,
    "last_counter" {number} NOT NULL,
    "recovery_hashes" TEXT NOT NULL,
    "enabled_at" {number},
    "created_at" {number} NOT NULL
)"""


def up(_migrator: object, db: Database) -> None:
    """Add empty columns, for nobody has confirmed the sessions that are there, and an empty table.

    Decision: G810, G812, G814, G816.
    """
    is_sqlite = isinstance(db, SqliteDatabase)
    number, boolean = (
        ("INTEGER", "INTEGER NOT NULL DEFAULT 0")
        if is_sqlite
        else ("BIGINT", "BOOLEAN NOT NULL DEFAULT FALSE")
    )
    for statement in (
        'ALTER TABLE "sessions" ADD COLUMN "user_agent" VARCHAR(255)',
        f'ALTER TABLE "sessions" ADD COLUMN "confirmed_at" {number}',
        f'ALTER TABLE "sessions" ADD COLUMN "by_provider" {boolean}',
        _SECOND_FACTORS.format(number=number),
        'CREATE UNIQUE INDEX "second_factors_user_id" ON "second_factors" ("user_id")',
    ):
        db.execute_sql(statement)
