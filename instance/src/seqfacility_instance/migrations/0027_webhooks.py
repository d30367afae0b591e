"""Tables for webhooks and for what each of them is sent. Decision: G850, G853."""

from peewee import Database, SqliteDatabase


def up(_migrator: object, db: Database) -> None:
    """Create the tables, empty, with their indexes."""
    number = "INTEGER" if isinstance(db, SqliteDatabase) else "BIGINT"
    db.execute_sql(
        'CREATE TABLE "webhooks" ('
        '"id" VARCHAR(64) NOT NULL PRIMARY KEY, '
        '"url" VARCHAR(2048) NOT NULL, '
        '"events" TEXT NOT NULL, '
        '"sealed_secret" TEXT NOT NULL, '
        '"created_by_id" VARCHAR(64) NOT NULL REFERENCES "users" ("id") ON DELETE RESTRICT, '
        f'"created_at" {number} NOT NULL, '
        f'"failing_since" {number})'
    )
    db.execute_sql(
        'CREATE TABLE "webhook_deliveries" ('
        '"id" VARCHAR(64) NOT NULL PRIMARY KEY, '
        '"webhook_id" VARCHAR(64) NOT NULL REFERENCES "webhooks" ("id") ON DELETE CASCADE, '
        '"event" VARCHAR(64) NOT NULL, '
        '"payload" TEXT NOT NULL, '
        '"status" VARCHAR(64) NOT NULL, '
        '"attempts" INTEGER NOT NULL, '
        f'"due_at" {number} NOT NULL, '
        '"status_code" INTEGER, '
        '"last_error" TEXT, '
        f'"created_at" {number} NOT NULL, '
        f'"finished_at" {number})'
    )
    for table, columns in (
        ("webhooks", ("created_by_id",)),
        ("webhook_deliveries", ("webhook_id", "created_at", "id")),
        ("webhook_deliveries", ("status", "due_at", "id")),
        ("webhook_deliveries", ("finished_at",)),
    ):
        name, listed = "_".join((table, *columns)), ", ".join(f'"{one}"' for one in columns)
        db.execute_sql(f'CREATE INDEX "{name}" ON "{table}" ({listed})')
