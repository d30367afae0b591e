"""Sessions say which browser they are of and when they were confirmed; tables of second factors."""

from peewee import Database, SqliteDatabase

_USER = '"user_id" VARCHAR(64) NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE'
_SECOND_FACTORS = f"""
CREATE TABLE "second_factors" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    {_USER},
    "sealed_secret" TEXT NOT NULL,
    "last_counter" {{number}} NOT NULL,
    "enabled_at" {{number}},
    "created_at" {{number}} NOT NULL
)"""
_RECOVERY_CODES = f"""
CREATE TABLE "recovery_codes" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "code_hash" VARCHAR(255) NOT NULL,
    {_USER},
    "created_at" {{number}} NOT NULL
)"""


def up(_migrator: object, db: Database) -> None:
    """Add empty columns, for nobody has confirmed the sessions that are there, and empty tables.

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
        _RECOVERY_CODES.format(number=number),
        'CREATE UNIQUE INDEX "recovery_codes_code_hash" ON "recovery_codes" ("code_hash")',
        'CREATE INDEX "recovery_codes_user_id" ON "recovery_codes" ("user_id")',
    ):
        db.execute_sql(statement)
