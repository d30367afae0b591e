"""What registries say against installed packages."""

from peewee import Database


def up(_migrator: object, db: Database) -> None:
    """Add the columns; nothing was said so far. Decision: G932."""
    for column in ("yank_reason", "advisories"):
        db.execute_sql(f'ALTER TABLE "pipeline_packages" ADD COLUMN "{column}" TEXT')
