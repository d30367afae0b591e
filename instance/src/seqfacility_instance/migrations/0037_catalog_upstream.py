"""The registry's own version of its items, beside the catalog that the facility changes."""

from peewee import Database


def up(_migrator: object, db: Database) -> None:
    """Add the column; it is filled by the next sync. Decision: G1047."""
    db.execute_sql('ALTER TABLE "sequencing_tech_catalogs" ADD COLUMN "upstream" TEXT')
