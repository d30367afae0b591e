"""Runs that go on after their end, that were started again, and that wait for room on their machine."""

from peewee import Database, SqliteDatabase

# As the triggers of 0014 note a run: whoever watches it hears of its place in the queue.
_NOTE = """
    INSERT INTO live_changes (kind, object_id, owner_id, owner_sees, "transaction", "at")
    SELECT 'run', NEW.id,
        COALESCE((SELECT user_id FROM orders WHERE id = NEW.order_id),
                 (SELECT user_id FROM studies WHERE id = NEW.study_id), ''),
        (NEW.visible_to_id IS NOT NULL), {number}, {now}
"""

_NAME = "pipeline_runs_live_queue_update"
_TOLD = ("waiting_since", "queue_position", "queue_reason", "resumed_count")


def up(_migrator: object, db: Database) -> None:
    """Add the columns, the row that a queue is locked by, and the trigger that tells of places in it.

    Decision: G711, G714, G716, G717.
    """
    is_sqlite = isinstance(db, SqliteDatabase)
    timestamp = "INTEGER" if is_sqlite else "BIGINT"
    for column in (
        '"started_from_id" VARCHAR(64) REFERENCES "pipeline_runs" ("id") ON DELETE SET NULL',
        '"resumed_count" INTEGER NOT NULL DEFAULT 0',
        f'"resumed_at" {timestamp}',
        '"queue_host" VARCHAR(255)',
        '"needed_cores" INTEGER',
        '"needed_memory_gb" INTEGER',
        f'"waiting_since" {timestamp}',
        '"waiting_by_id" VARCHAR(64) REFERENCES "users" ("id") ON DELETE SET NULL',
        '"weblog_address" TEXT',
        '"queue_position" INTEGER',
        '"queue_reason" TEXT',
    ):
        db.execute_sql(f'ALTER TABLE "pipeline_runs" ADD COLUMN {column}')
    db.execute_sql('CREATE INDEX "pipeline_runs_started_from_id" ON "pipeline_runs" ("started_from_id")')
    db.execute_sql(
        'CREATE INDEX "pipeline_runs_waiting" ON "pipeline_runs" ("queue_host", "waiting_since", "id")'
        ' WHERE (("waiting_since" IS NOT NULL) AND ("launch_claimed_at" IS NULL))'
    )
    db.execute_sql('ALTER TABLE "pipeline_run_tasks" ADD COLUMN "launch" INTEGER NOT NULL DEFAULT 0')
    db.execute_sql(
        'CREATE TABLE "run_queues" ("host" VARCHAR(255) NOT NULL PRIMARY KEY,'
        f' "moved_at" {timestamp} NOT NULL)'
    )
    for statement in _for_sqlite() if is_sqlite else _for_postgresql():
        db.execute_sql(statement)


def _for_sqlite() -> tuple[str, ...]:
    note = _NOTE.format(
        number='COALESCE((SELECT MAX("transaction") FROM live_changes), 0) + 1',
        now="CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)",
    )
    changed = " OR ".join(f"OLD.{name} IS NOT NEW.{name}" for name in _TOLD)
    fired = f"AFTER UPDATE OF {', '.join(_TOLD)} ON pipeline_runs WHEN {changed}"
    return (f"CREATE TRIGGER {_NAME} {fired} BEGIN{note};\nEND",)


def _for_postgresql() -> tuple[str, ...]:
    note = _NOTE.format(
        number="pg_current_xact_id()::text::bigint",
        now="(extract(epoch FROM clock_timestamp()) * 1000)::bigint",
    )
    changed = " OR ".join(f"OLD.{name} IS DISTINCT FROM NEW.{name}" for name in _TOLD)
    fired = f"AFTER UPDATE OF {', '.join(_TOLD)} ON pipeline_runs FOR EACH ROW WHEN ({changed})"
    body = f"BEGIN{note} ON CONFLICT DO NOTHING;\n    RETURN NULL;\nEND"
    return (
        f"CREATE FUNCTION {_NAME}() RETURNS trigger LANGUAGE plpgsql AS $$\n{body} $$",
        f"CREATE TRIGGER {_NAME} {fired} EXECUTE FUNCTION {_NAME}()",
    )
