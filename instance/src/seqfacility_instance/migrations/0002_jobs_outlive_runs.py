"""What is known of the jobs of runs: since when they are over, and on which machine they are."""

from peewee import Database, SqliteDatabase


def up(_migrator: object, db: Database) -> None:
    """Add the columns and the index of jobs that may not be over.

    Of the runs that were final before, nobody watched the jobs any more, and most of their folders are old or
    gone: they count as over, so that the first look after an update asks no scheduler about years of history.

    Decision: G380, G383.
    """
    timestamp = "INTEGER" if isinstance(db, SqliteDatabase) else "BIGINT"
    for column in (
        f'"job_over_at" {timestamp}',
        '"job_host" VARCHAR(255)',
        f'"pid_namespace" {timestamp}',
        f'"cancel_delegated_at" {timestamp}',
    ):
        db.execute_sql(f'ALTER TABLE "pipeline_runs" ADD COLUMN {column}')
    db.execute_sql(
        "UPDATE pipeline_runs SET job_over_at = COALESCE(completed_at, updated_at)"
        " WHERE status IN ('completed', 'failed', 'cancelled')"
    )
    db.execute_sql(
        'CREATE INDEX "pipeline_runs_job_not_over" ON "pipeline_runs" ("id") WHERE ("job_over_at" IS NULL)'
    )
