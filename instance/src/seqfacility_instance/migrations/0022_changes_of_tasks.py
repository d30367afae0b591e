"""Tasks say when they changed last, so that a page reads only what is new, and where their tools write."""

from peewee import Database


def up(_migrator: object, db: Database) -> None:
    """Add the columns and the index; what is there counts as changed before. Decision: G727, G728."""
    db.execute_sql('ALTER TABLE "pipeline_run_tasks" ADD COLUMN "log_files" TEXT')
    for table in ("pipeline_run_tasks", "pipeline_run_task_counts"):
        db.execute_sql(f'ALTER TABLE "{table}" ADD COLUMN "revision" INTEGER NOT NULL DEFAULT 0')
    db.execute_sql(
        'CREATE INDEX "pipeline_run_tasks_pipeline_run_id_revision_id" '
        'ON "pipeline_run_tasks" ("pipeline_run_id", "revision", "id")'
    )
