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
        '"event_id" VARCHAR(64) NOT NULL, '
        '"event" VARCHAR(64) NOT NULL, '
        '"payload" TEXT NOT NULL, '
        '"status" VARCHAR(64) NOT NULL, '
        '"attempts" INTEGER NOT NULL, '
        f'"next_attempt_at" {number}, '
        '"status_code" INTEGER, '
        '"last_error" VARCHAR(255), '
        f'"created_at" {number} NOT NULL, '
        f'"delivered_at" {number})'
    )
    for table, kind, columns in (
        ("webhooks", "INDEX", ("created_by_id",)),
        ("webhook_deliveries", "UNIQUE INDEX", ("webhook_id", "event_id")),
        ("webhook_deliveries", "INDEX", ("webhook_id", "created_at", "id")),
        ("webhook_deliveries", "INDEX", ("next_attempt_at", "webhook_id", "id")),
        ("webhook_deliveries", "INDEX", ("created_at",)),
    ):
        name, listed = "_".join((table, *columns)), ", ".join(f'"{one}"' for one in columns)
        db.execute_sql(f'CREATE {kind} "{name}" ON "{table}" ({listed})')
