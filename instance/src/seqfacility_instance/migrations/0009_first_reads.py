"""The id of the first read of a stream's file, by which files that repeat others are known."""

from peewee import Database


def up(_migrator: object, db: Database) -> None:
    """Add the column and its index; files that were counted before keep none. Decision: G481."""
    db.execute_sql('ALTER TABLE "stream_files" ADD COLUMN "first_read" VARCHAR(36)')
    db.execute_sql(
        'CREATE INDEX "streamfile_stream_run_id_first_read" ON "stream_files" ("stream_run_id", "first_read")'
    )
