"""A table for links that open one delivery without a session. Decision: G527."""

from peewee import Database, SqliteDatabase


def up(_migrator: object, db: Database) -> None:
    """Create the table, empty, with its indexes."""
    number = "INTEGER" if isinstance(db, SqliteDatabase) else "BIGINT"
    db.execute_sql(
        'CREATE TABLE "delivery_links" ('
        '"id" VARCHAR(64) NOT NULL PRIMARY KEY, '
        '"token_hash" VARCHAR(255) NOT NULL, '
        '"order_id" VARCHAR(64) NOT NULL REFERENCES "orders" ("id") ON DELETE CASCADE, '
        '"created_by_id" VARCHAR(64) NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE, '
        f'"created_at" {number} NOT NULL, '
        f'"expires_at" {number} NOT NULL, '
        f'"revoked_at" {number}, '
        f'"last_used_at" {number})'
    )
    for kind, columns in (
        ("UNIQUE INDEX", ("token_hash",)),
        ("INDEX", ("created_by_id",)),
        ("INDEX", ("expires_at",)),
        ("INDEX", ("order_id", "created_at", "id")),
    ):
        name, listed = "_".join(("delivery_links", *columns)), ", ".join(f'"{one}"' for one in columns)
        db.execute_sql(f'CREATE {kind} "{name}" ON "delivery_links" ({listed})')
