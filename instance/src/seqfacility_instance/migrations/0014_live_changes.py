"""What changes is noted by triggers, in the transaction that changes it: nobody who writes can forget it.

Decision: G556.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from peewee import Database, SqliteDatabase

_KEY = ("kind", "object_id", "owner_id", "owner_sees")


@dataclass(frozen=True)
class _Note:
    """One row of `live_changes`; `{row}` is NEW or OLD. With `moves` the OLD one is told, too."""

    kind: str
    object: str
    owner: str
    sees: str = "TRUE"
    source: str = ""
    moves: str = ""


def _run(row: str, source: str = "") -> _Note:
    order = f"(SELECT user_id FROM orders WHERE id = {row}.order_id)"  # noqa: S608  # names of our own schema
    study = f"(SELECT user_id FROM studies WHERE id = {row}.study_id)"  # noqa: S608  # the same
    owner = f"COALESCE({order}, {study}, '')"
    moves = "" if source else "visible_to_id"
    return _Note("run", f"{row}.id", owner, f"({row}.visible_to_id IS NOT NULL)", source, moves)


def _of(table: str, kind: str, key: str, sees: str = "TRUE", moves: str = "") -> _Note:
    """Note the order, study or ticket that a column refers to."""
    return _Note(
        kind, f"{table}.id", f"{table}.user_id", sees, f"{table} WHERE {table}.id = {{row}}.{key}", moves
    )


def _of_sample(kind: str, sees: str = "TRUE") -> _Note:
    """Note the order or study of the sample that a row is about."""
    table = {"order": "orders", "study": "studies"}[kind]
    joined = f"samples JOIN {table} ON {table}.id = samples.{kind}_id WHERE samples.id = {{row}}.sample_id"
    return _Note(kind, f"{table}.id", f"{table}.user_id", sees, joined)


_VIA_RUN = _run("pipeline_runs", "pipeline_runs WHERE pipeline_runs.id = {row}.pipeline_run_id")
_SELECTED = "({row}.visible_to_id IS NOT NULL)"
_ALWAYS = ("INSERT", "UPDATE", "DELETE")

# A table, its events, the columns whose change matters (none: all), and what is noted. Leases, counts and the
# like move all the time, and are shown to nobody or follow from rows that are noted themselves.
_TRIGGERS: tuple[tuple[str, tuple[str, ...], tuple[str, ...], tuple[_Note, ...]], ...] = (
    (
        "orders", _ALWAYS,
        ("order_number", "name", "status", "platform", "library_strategy", "library_source", "custom_fields",
         "user_id", "sequencing_files_published_at", "published_by_id", "form_version", "status_updated_at",
         "updated_at"),
        (_Note("order", "{row}.id", "{row}.user_id", moves="user_id"),),
    ),
    (
        "samples", _ALWAYS, (),
        (_of("orders", "order", "order_id"), _of("studies", "study", "study_id", moves="study_id")),
    ),
    ("samplesets", _ALWAYS, (), (_of("orders", "order", "order_id"),)),
    ("status_notes", _ALWAYS, (), (_of("orders", "order", "order_id", "({row}.note_type <> 'INTERNAL')"),)),
    ("reads", _ALWAYS, (), (_of_sample("order"), _of_sample("study"))),
    ("assemblies", _ALWAYS, (), (_of_sample("order"), _of_sample("study"))),
    (
        "sequencing_artifacts", _ALWAYS, (),
        (_of("orders", "order", "order_id", "({row}.visibility = 'customer')", moves="visibility"),),
    ),
    ("delivery_links", _ALWAYS, (), (_of("orders", "order-work", "order_id"),)),
    ("sequencing_runs", _ALWAYS, (), (_of("orders", "order-work", "order_id", "FALSE"),)),
    (
        "sequencing_run_samples", _ALWAYS, (),
        (_Note("order-work", "orders.id", "orders.user_id", "FALSE",
               "sequencing_runs JOIN orders ON orders.id = sequencing_runs.order_id"
               " WHERE sequencing_runs.id = {row}.sequencing_run_id"),),
    ),
    (
        "sequencing_uploads", _ALWAYS, (),
        (_of("orders", "order-work", "order_id", "FALSE"),
         _Note("upload", "{row}.id", "orders.user_id", "FALSE", "orders WHERE orders.id = {row}.order_id")),
    ),
    (
        "stream_runs", _ALWAYS,
        ("minknow_run_id", "flow_cell_id", "device_id", "status", "total_bases", "total_reads", "total_files",
         "barcode_map", "last_seq", "stop_requested_at", "stopped_at", "last_file_at", "stalled_at",
         "finished_hint_at", "vanished_at", "verification"),
        (_of("orders", "order-work", "order_id", "FALSE"),
         _Note("stream", "{row}.id", "orders.user_id", "FALSE", "orders WHERE orders.id = {row}.order_id")),
    ),
    (
        "pipeline_runs", _ALWAYS,
        ("status", "progress", "current_step", "config", "run_folder", "failure", "visible_to_id",
         "cancel_requested_at", "command", "job_id", "pid", "queue_status", "queue_source",
         "job_missing_since", "job_ended_at", "exit_code", "output_tail", "error_tail", "technical_files",
         "outputs_resolved_at", "outputs_attempts", "outputs_retry_at", "outputs_problem", "queued_at",
         "started_at", "completed_at", "last_event_at", "job_over_at", "cancel_delegated_at"),
        (_run("{row}"),),
    ),
    (
        "pipeline_runs", _ALWAYS, ("status", "visible_to_id", "outputs_resolved_at"),
        (_of("orders", "order", "order_id", _SELECTED, "visible_to_id"),
         _of("studies", "study", "study_id", _SELECTED, "visible_to_id")),
    ),
    ("pipeline_run_steps", ("INSERT", "UPDATE"), (), (_VIA_RUN,)),
    ("pipeline_run_task_counts", ("INSERT", "UPDATE"), (), (_VIA_RUN,)),
    ("pipeline_run_events", ("INSERT",), (), (_VIA_RUN,)),
    ("studies", _ALWAYS, (), (_Note("study", "{row}.id", "{row}.user_id", moves="user_id"),)),
    ("study_forms", _ALWAYS, (), (_of("studies", "study", "study_id"),)),
    ("tickets", _ALWAYS, (), (_Note("message", "{row}.id", "{row}.user_id", moves="user_id"),)),
    ("ticket_messages", _ALWAYS, (), (_of("tickets", "message", "ticket_id"),)),
    ("notifications", _ALWAYS, (), (_Note("notification", "{row}.user_id", "{row}.user_id"),)),
    ("sessions", ("DELETE",), (), (_Note("session", "{row}.id", "{row}.user_id", "FALSE"),)),
    ("users", ("UPDATE",), ("role", "is_active"), (_Note("user", "{row}.id", "{row}.id", "FALSE"),)),
)  # fmt: skip

_TABLE = """
CREATE TABLE "live_changes" (
    "kind" VARCHAR(64) NOT NULL,
    "object_id" VARCHAR(64) NOT NULL,
    "owner_id" VARCHAR(64) NOT NULL,
    "owner_sees" {boolean} NOT NULL,
    "transaction" {integer} NOT NULL,
    "at" {integer} NOT NULL,
    PRIMARY KEY ("kind", "object_id", "owner_id", "owner_sees", "transaction")
)
"""

# Of an object the newest change is enough, as nobody else has an older one that is not committed yet.
_KEEP_NEWEST = f"""
CREATE TRIGGER live_changes_newest AFTER INSERT ON live_changes BEGIN
    DELETE FROM live_changes
    WHERE {" AND ".join(f"{name} = NEW.{name}" for name in _KEY)} AND "transaction" < NEW."transaction";
END
"""  # noqa: S608  # names of our own schema


def up(_migrator: object, db: Database) -> None:
    """Create the table and its triggers, on each engine in its own words."""
    is_sqlite = isinstance(db, SqliteDatabase)
    types = (
        {"boolean": "INTEGER", "integer": "INTEGER"}
        if is_sqlite
        else {"boolean": "BOOLEAN", "integer": "BIGINT"}
    )
    db.execute_sql(_TABLE.format(**types))
    db.execute_sql('CREATE INDEX "live_changes_transaction" ON "live_changes" ("transaction")')
    if is_sqlite:
        db.execute_sql(_KEEP_NEWEST)
    for number, (table, events, columns, notes) in enumerate(_TRIGGERS):
        for statement in (_for_sqlite if is_sqlite else _for_postgresql)(
            number, table, events, columns, notes
        ):
            db.execute_sql(statement)


def _for_sqlite(
    number: int, table: str, events: tuple[str, ...], columns: tuple[str, ...], notes: tuple[_Note, ...]
) -> Iterator[str]:
    # The number is found by an index; pruning leaves the newest row, so it never begins again.
    numbered = 'COALESCE((SELECT MAX("transaction") FROM live_changes), 0) + 1'
    now = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"
    for event in events:
        of = f" OF {', '.join(columns)}" if columns and event == "UPDATE" else ""
        changed = " OR ".join(f"OLD.{name} IS NOT NEW.{name}" for name in columns)
        when = f" WHEN {changed}" if of else ""
        body = "\n".join(f"    {text};" for text in _inserts(event, notes, numbered, now, "IS NOT"))
        name = f"{table}_live_{number}_{event.lower()}"
        yield f"CREATE TRIGGER {name} AFTER {event}{of} ON {table}{when} BEGIN\n{body}\nEND"


def _for_postgresql(
    number: int, table: str, events: tuple[str, ...], columns: tuple[str, ...], notes: tuple[_Note, ...]
) -> Iterator[str]:
    number_of_transaction = "pg_current_xact_id()::text::bigint"
    now = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
    for event in events:
        name = f"{table}_live_{number}_{event.lower()}"
        inserts = _inserts(event, notes, number_of_transaction, now, "IS DISTINCT FROM")
        # The key holds the number of our own transaction, so this never waits for another one.
        body = "\n".join(f"    {text} ON CONFLICT DO NOTHING;" for text in inserts)
        body = f"BEGIN\n{body}\n    RETURN NULL;\nEND"
        yield f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$\n{body} $$"
        of = f" OF {', '.join(columns)}" if columns and event == "UPDATE" else ""
        changed = " OR ".join(f"OLD.{column} IS DISTINCT FROM NEW.{column}" for column in columns)
        when = f" WHEN ({changed})" if of else ""
        fired = f"AFTER {event}{of} ON {table} FOR EACH ROW{when}"
        yield f"CREATE TRIGGER {name} {fired} EXECUTE FUNCTION {name}()"


def _inserts(event: str, notes: tuple[_Note, ...], number: str, now: str, differs: str) -> Iterator[str]:
    for note in notes:
        yield _insert(note, "OLD" if event == "DELETE" else "NEW", number, now, "")
        if event == "UPDATE" and note.moves:
            yield _insert(note, "OLD", number, now, f"OLD.{note.moves} {differs} NEW.{note.moves}")


def _insert(note: _Note, row: str, number: str, now: str, only_if: str) -> str:
    source = f" FROM {note.source}" if note.source else ""
    condition = f" {'AND' if ' WHERE ' in source else 'WHERE'} {only_if}" if only_if else ""
    values = f"'{note.kind}', {note.object}, {note.owner}, {note.sees}, {number}, {now}"
    into = 'kind, object_id, owner_id, owner_sees, "transaction", "at"'
    statement = f"INSERT INTO live_changes ({into}) SELECT {values}{source}{condition}"
    return statement.replace("{row}", row)
