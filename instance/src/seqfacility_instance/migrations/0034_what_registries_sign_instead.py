"""Which other package a signed registry lists, and of which day what is said against a version was."""

from peewee import Database


def up(_migrator: object, db: Database) -> None:
    """Add the columns; nothing was compared so far. Decision: G923, G925."""
    for column, kind in (("other_sha256", "VARCHAR(64)"), ("noticed_on", "VARCHAR(10)")):
        db.execute_sql(f'ALTER TABLE "pipeline_packages" ADD COLUMN "{column}" {kind}')
