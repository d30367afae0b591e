"""A sequencing run says who saved it last."""

from peewee import Database


def up(_migrator: object, db: Database) -> None:
    """Add the column, empty: of what was saved before nobody knows it. Decision: G675."""
    db.execute_sql(
        'ALTER TABLE "sequencing_runs" ADD COLUMN "saved_by_id" VARCHAR(64) '
        'REFERENCES "users" ("id") ON DELETE SET NULL'
    )
    db.execute_sql('CREATE INDEX "sequencing_runs_saved_by_id" ON "sequencing_runs" ("saved_by_id")')
