"""The row of a process also tells its release, and what it saw of the workflow engines. Decision: G463."""

from peewee import Database


def up(_migrator: object, db: Database) -> None:
    """Add the nullable columns; rows of running processes get them with their next sign of life."""
    for column in ('"release" VARCHAR(64)', '"engines" TEXT'):
        db.execute_sql(f'ALTER TABLE "process_heartbeats" ADD COLUMN {column}')
