"""Which mate a file is that a run made of a sequencing run."""

from peewee import Database


def up(_migrator: object, db: Database) -> None:
    """Add the column; what was found before this release has none. Decision: G996."""
    db.execute_sql('ALTER TABLE "pipeline_artifacts" ADD COLUMN "mate" VARCHAR(64)')
