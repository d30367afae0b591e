"""Pipeline runs that work on a sequencing run."""

from peewee import Database


def up(_migrator: object, db: Database) -> None:
    """Add the column; no run works on one so far. Decision: G986."""
    db.execute_sql('ALTER TABLE "pipeline_runs" ADD COLUMN "sequencing_run_id" VARCHAR(64)')
