"""The table of monthly figures, and the indexes that they are counted by."""

from typing import Final

from peewee import Database, SqliteDatabase

_INDEXES: Final = (
    """CREATE INDEX "orders_published" ON "orders" ("sequencing_files_published_at")
    WHERE ("sequencing_files_published_at" IS NOT NULL)""",
    'CREATE INDEX "status_notes_created" ON "status_notes" ("created_at")',
    'CREATE INDEX "reads_created" ON "reads" ("created_at")',
)


def up(_migrator: object, db: Database) -> None:
    """Create the table and the indexes; the worker fills the table. Decision: G1011."""
    number = "INTEGER" if isinstance(db, SqliteDatabase) else "BIGINT"
    db.execute_sql(
        'CREATE TABLE "month_figures" ('
        '"month" VARCHAR(7) NOT NULL PRIMARY KEY, '
        '"definition" INTEGER NOT NULL, '
        '"figures" TEXT NOT NULL, '
        f'"counted_at" {number} NOT NULL)'
    )
    for statement in _INDEXES:
        db.execute_sql(statement)
