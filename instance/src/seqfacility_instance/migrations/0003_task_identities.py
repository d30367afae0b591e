"""Tasks of runs that go on are told apart by the id that their engine gave them, as new reports are."""

import hashlib

from peewee import Database

_ACTIVE = "('pending', 'queued', 'running')"
_TASKS = f"""
SELECT t.id, t.pipeline_run_id, t.process, COALESCE(t.task_id, t.hash), t.attempt
FROM pipeline_run_tasks t JOIN pipeline_runs r ON r.id = t.pipeline_run_id
WHERE r.status IN {_ACTIVE} AND COALESCE(t.task_id, t.hash) IS NOT NULL
"""  # noqa: S608  # the words are ours

# Ids that an engine gave twice leave the other rows as they were.
_RENAME = """
UPDATE pipeline_run_tasks SET identity = ? WHERE id = ? AND NOT EXISTS (
    SELECT 1 FROM pipeline_run_tasks o WHERE o.pipeline_run_id = ? AND o.identity = ?)
"""


def up(_migrator: object, db: Database) -> None:
    """Store the new identity of each task, and have traces read again for those that shared a row.

    Decision: G390.
    """
    rename = _RENAME.replace("?", db.param)
    for row_id, run_id, process, own_id, attempt in db.execute_sql(_TASKS).fetchall():
        words = "\0".join((process, "id", own_id, str(attempt)))
        identity = hashlib.sha256(words.encode()).hexdigest()
        db.execute_sql(rename, (identity, row_id, run_id, identity))
    db.execute_sql(f"UPDATE pipeline_runs SET trace_offset = 0 WHERE status IN {_ACTIVE}")  # noqa: S608  # the same
