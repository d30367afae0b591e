"""The history of study forms: of the global one, and of single studies."""

from typing import Final

from peewee import Database, SqliteDatabase

_INDEXES: Final = (
    'CREATE INDEX "study_form_versions_saved_by_id" ON "study_form_versions" ("saved_by_id")',
    """CREATE UNIQUE INDEX "study_form_versions_study_id_version"
    ON "study_form_versions" ("study_id", "version")""",
    """CREATE UNIQUE INDEX "study_form_versions_of_all" ON "study_form_versions" ("version")
    WHERE ("study_id" IS NULL)""",
)


def up(_migrator: object, db: Database) -> None:
    """Create the table; the first save of a form stores its predecessor as version 1. Decision: G1027."""
    number = "INTEGER" if isinstance(db, SqliteDatabase) else "BIGINT"
    db.execute_sql(
        'CREATE TABLE "study_form_versions" ('
        '"id" VARCHAR(64) NOT NULL PRIMARY KEY, '
        '"study_id" VARCHAR(64) REFERENCES "studies" ("id") ON DELETE CASCADE, '
        '"version" INTEGER NOT NULL, '
        '"fields" TEXT NOT NULL, '
        '"groups" TEXT NOT NULL, '
        f'"saved_at" {number}, '
        '"saved_by_id" VARCHAR(64) REFERENCES "users" ("id") ON DELETE SET NULL)'
    )
    for statement in _INDEXES:
        db.execute_sql(statement)
