"""What the stage and the plate of an order are read from: counts beside it, and indexes of what is open."""

from typing import Final

from peewee import Database, SqliteDatabase

_COLUMNS: Final = ("paired_read_count", "single_read_count", "problem_read_count")

# The words are those of `ReadFiles`. A stored intake is written by us: quotes within its texts are escaped.
_FILES: Final = """CASE
    WHEN NOT {0}.is_active OR ({0}.file1 IS NULL AND {0}.file2 IS NULL) THEN ''
    WHEN NOT {0}.checksum_verified1 OR NOT {0}.checksum_verified2
        OR REPLACE({0}.intake1, '"verdict":"problem"', '') <> {0}.intake1
        OR REPLACE({0}.intake2, '"verdict":"problem"', '') <> {0}.intake2 THEN 'problem'
    WHEN {0}.file1 IS NULL OR {0}.file2 IS NULL THEN 'single'
    ELSE 'paired' END"""
_WATCHED: Final = "is_active, file1, file2, checksum_verified1, checksum_verified2, intake1, intake2"


def up(_migrator: object, db: Database) -> None:
    """Add the counts, count what is there, and let triggers go on. Decision: G537, G539."""
    for column in _COLUMNS:
        db.execute_sql(f'ALTER TABLE "orders" ADD COLUMN "{column}" INTEGER NOT NULL DEFAULT 0')
    _count(db)
    statements = _sqlite_triggers() if isinstance(db, SqliteDatabase) else _postgresql_triggers()
    for statement in statements:
        db.execute_sql(statement)
    db.execute_sql(
        'CREATE INDEX "orders_open" ON "orders" ("created_at", "id") '
        'WHERE (("status" = \'SUBMITTED\') AND ("sequencing_files_published_at" IS NULL))'
    )
    db.execute_sql(
        'CREATE INDEX "sequencing_uploads_open" ON "sequencing_uploads" ("order_id", "sample_id") '
        "WHERE (\"status\" IN ('PENDING', 'UPLOADING', 'READY'))"
    )


def _count(db: Database) -> None:
    files = _FILES.format("r")
    counted = (
        f"SELECT s.order_id, {files} AS files, COUNT(*) FROM reads r JOIN samples s ON s.id = r.sample_id "  # noqa: S608  # our own words
        f"WHERE r.is_active GROUP BY s.order_id, {files}"
    )
    for order_id, word, number in db.execute_sql(counted).fetchall():
        if word:
            update = f"UPDATE orders SET {word}_read_count = {db.param} WHERE id = {db.param}"  # noqa: S608  # the same
            db.execute_sql(update, (number, order_id))


def _moved(old: str, new: str) -> str:
    """Write the counts of an order after what its read held has changed."""
    return ", ".join(
        f"{word}_read_count = {word}_read_count"
        f" + CASE WHEN {new} = '{word}' THEN 1 ELSE 0 END - CASE WHEN {old} = '{word}' THEN 1 ELSE 0 END"
        for word in ("paired", "single", "problem")
    )


def _sqlite_triggers() -> list[str]:
    old, new = f"({_FILES.format('OLD')})", f"({_FILES.format('NEW')})"
    kinds = (
        ("in", "INSERT", "''", new, "NEW"),
        ("out", "DELETE", old, "''", "OLD"),
        ("again", f"UPDATE OF {_WATCHED}", old, new, "NEW"),
    )
    return [
        f"CREATE TRIGGER read_files_counted_{name} AFTER {event} ON reads WHEN {before} <> {after} BEGIN "  # noqa: S608  # our own words
        f"UPDATE orders SET {_moved(before, after)} "
        f"WHERE id = (SELECT order_id FROM samples WHERE id = {row}.sample_id); END"
        for name, event, before, after, row in kinds
    ]


def _postgresql_triggers() -> list[str]:
    body = f"""
DECLARE
    before text := '';
    after text := '';
    sample text;
BEGIN
    IF TG_OP <> 'INSERT' THEN
        before := {_FILES.format("OLD")};
        sample := OLD.sample_id;
    END IF;
    IF TG_OP <> 'DELETE' THEN
        after := {_FILES.format("NEW")};
        sample := NEW.sample_id;
    END IF;
    IF before <> after THEN
        UPDATE orders SET {_moved("before", "after")}
        WHERE id = (SELECT order_id FROM samples WHERE id = sample);
    END IF;
    RETURN NULL;
END """  # noqa: S608  # our own words
    return [
        f"CREATE FUNCTION count_read_files() RETURNS trigger LANGUAGE plpgsql AS $${body}$$",
        (
            f"CREATE TRIGGER read_files_counted AFTER INSERT OR DELETE OR UPDATE OF {_WATCHED} ON reads "
            "FOR EACH ROW EXECUTE FUNCTION count_read_files()"
        ),
    ]
