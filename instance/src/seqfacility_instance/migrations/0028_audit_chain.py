"""Rows of the audit trail are chained, outlive accounts, and are refused to whoever would change them.

Decision: G860, G861, G862.
"""

import json
from collections.abc import Iterator
from typing import Any, Final

from peewee import Database, SqliteDatabase, Table

from seqfacility_instance.core.audit_digests import NOTHING_BEFORE, chain_hash, new_row

_TABLE: Final = """
CREATE TABLE "audit_events" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "at" {integer} NOT NULL,
    "actor_id" VARCHAR(64),
    "action" VARCHAR(64) NOT NULL,
    "object_type" VARCHAR(64) NOT NULL,
    "object_id" VARCHAR(255),
    "detail" TEXT NOT NULL,
    "personal" TEXT,
    "personal_salt" VARCHAR(64),
    "personal_digest" VARCHAR(64),
    "address" VARCHAR(255),
    "address_salt" VARCHAR(64),
    "address_digest" VARCHAR(64),
    "digest" VARCHAR(64) NOT NULL,
    "sequence" {integer},
    "hash" VARCHAR(64)
)
"""
_CHECKS: Final = """
CREATE TABLE "audit_checks" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "completed_at" {integer},
    "first_broken" VARCHAR(64)
)
"""
_INDEXES: Final = (
    'CREATE INDEX "audit_events_actor_id" ON "audit_events" ("actor_id")',
    'CREATE INDEX "audit_events_at_id" ON "audit_events" ("at", "id")',
    'CREATE INDEX "audit_events_action_at_id" ON "audit_events" ("action", "at", "id")',
    'CREATE INDEX "audit_events_object_id_at_id" ON "audit_events" ("object_id", "at", "id")',
    'CREATE UNIQUE INDEX "audit_events_sequence" ON "audit_events" ("sequence")',
)
_OLD: Final = ("id", "at", "actor_id", "action", "object_type", "object_id", "detail", "address")
_KEPT: Final = (
    "id", "at", "actor_id", "action", "object_type", "object_id", "detail", "personal_digest",
    "address_digest", "digest",
)  # fmt: skip
_CHAINED: Final = ("sequence", "hash")
_ERASABLE: Final = (("personal", "personal_salt"), ("address", "address_salt"))
_BATCH_ROWS: Final = 500
_REFUSED: Final = "rows of the audit trail are never changed"
# Any number will do, as long as nobody else takes it as an advisory lock in our database.
_ADVISORY_LOCK: Final = 0x5EFAC2

_PRUNED: Final = """CAST((SELECT object_id FROM audit_events
    WHERE action = 'audit-pruned' AND sequence IS NOT NULL ORDER BY at DESC, id DESC LIMIT 1) AS {integer})"""
"""Up to which row the trail was pruned by its own newest record of that, which is written and chained first.

An index has it, as it is asked for each row that goes.
"""

# WHY: a forged row of the last number there is would otherwise let nobody do anything any more.
_LAST: Final = f"""SELECT {{columns}} FROM audit_events AS newest
    WHERE sequence < {(1 << 63) - 1}
        AND NOT EXISTS (SELECT 1 FROM audit_events WHERE sequence = newest.sequence + 1)
    ORDER BY sequence DESC LIMIT 1"""  # noqa: S608  # a number of ours
"""The newest row behind which a number is free: the next one follows it."""


def up(_migrator: object, db: Database) -> None:
    """Copy the rows into a table of the new form, each chained to the one before by time and id."""
    is_sqlite = isinstance(db, SqliteDatabase)
    integer = "INTEGER" if is_sqlite else "BIGINT"
    db.execute_sql('ALTER TABLE "audit_events" RENAME TO "audit_events_before"')
    if not is_sqlite:
        db.execute_sql('ALTER INDEX "audit_events_pkey" RENAME TO "audit_events_before_pkey"')
    db.execute_sql(_TABLE.format(integer=integer))
    db.execute_sql(_CHECKS.format(integer=integer))
    trail, before = Table("audit_events"), NOTHING_BEFORE
    for sequence, old in enumerate(_old_rows(db), 1):
        row = new_row(*old[:6], detail=json.loads(old[6]), address=old[7])
        before = chain_hash(before, sequence, str(row["digest"]))
        trail.insert(**row, sequence=sequence, hash=before).execute(db)
    db.execute_sql('DROP TABLE "audit_events_before"')
    for statement in (*_INDEXES, *(_sqlite_triggers() if is_sqlite else _postgresql_triggers())):
        db.execute_sql(statement)


def _old_rows(db: Database) -> Iterator[tuple[Any, ...]]:
    last: tuple[object, object] = (-(1 << 62), "")
    statement = (
        f"SELECT {', '.join(_OLD)} FROM audit_events_before WHERE (at, id) > ({db.param}, {db.param})"  # noqa: S608
        f" ORDER BY at, id LIMIT {_BATCH_ROWS}"
    )
    while batch := db.execute_sql(statement, last).fetchall():
        yield from batch
        last = batch[-1][1], batch[-1][0]


def _only_erases(differs: str) -> str:
    """Return the condition that an update does no more than erase what names a person, with its salt."""
    same = [f"NOT (NEW.{name} {differs} OLD.{name})" for name in (*_KEPT, *_CHAINED)]
    erased = [
        f"((NOT (NEW.{text} {differs} OLD.{text}) AND NOT (NEW.{salt} {differs} OLD.{salt}))"
        f" OR (NEW.{text} IS NULL AND NEW.{salt} IS NULL))"
        for text, salt in _ERASABLE
    ]
    return " AND ".join((*same, *erased))


def _sqlite_triggers() -> Iterator[str]:
    refused = f"SELECT RAISE(ABORT, '{_REFUSED}');"
    pruned = _PRUNED.format(integer="INTEGER")
    # HAZARD: INSERT OR REPLACE deletes the row in its way without a word to triggers on DELETE.
    yield f"""CREATE TRIGGER audit_events_appended BEFORE INSERT ON audit_events
WHEN NEW.hash IS NULL
    OR NEW.sequence IS NOT COALESCE(({_LAST.format(columns="sequence")}), 0) + 1
    OR EXISTS (SELECT 1 FROM audit_events WHERE id = NEW.id)
    OR EXISTS (SELECT 1 FROM audit_events WHERE rowid = NEW.rowid)
BEGIN {refused} END"""  # noqa: S608  # words of ours
    yield f"""CREATE TRIGGER audit_events_unchanged BEFORE UPDATE ON audit_events
WHEN NOT ({_only_erases("IS NOT")})
BEGIN {refused} END"""
    yield f"""CREATE TRIGGER audit_events_kept BEFORE DELETE ON audit_events
WHEN OLD.sequence <= {pruned} IS NOT TRUE
BEGIN {refused} END"""  # words of ours


def _postgresql_triggers() -> Iterator[str]:
    refused = f"RAISE EXCEPTION '{_REFUSED}' USING ERRCODE = 'restrict_violation';"
    pruned = _PRUNED.format(integer="bigint")
    # WHY: at the commit, and the lock only there: taken at the insert it would be held while other rows are
    # waited for, and two transactions could wait for each other.
    yield f"""CREATE FUNCTION audit_events_chain() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    last record;
    next_sequence bigint;
BEGIN
    PERFORM pg_advisory_xact_lock({_ADVISORY_LOCK});
    {_LAST.format(columns="sequence, hash INTO last")};
    next_sequence := COALESCE(last.sequence, 0) + 1;
    UPDATE audit_events SET sequence = next_sequence, hash = encode(sha256(convert_to(
        COALESCE(last.hash, '{NOTHING_BEFORE}') || E'\\n' || next_sequence || E'\\n' || digest, 'UTF8'
    )), 'hex') WHERE id = NEW.id;
    RETURN NULL;
END $$"""  # noqa: S608  # words of ours
    yield """CREATE CONSTRAINT TRIGGER audit_events_chained AFTER INSERT ON audit_events
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_events_chain()"""
    # The depth is 2 where the trigger above changes a row, 1 where a statement of somebody does.
    chains = " AND ".join(
        [f"NEW.{name} IS NOT DISTINCT FROM OLD.{name}" for name in (*_KEPT, *sum(_ERASABLE, ()))]
        + [f"OLD.{name} IS NULL AND NEW.{name} IS NOT NULL" for name in _CHAINED]
    )
    yield f"""CREATE FUNCTION audit_events_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.sequence IS NULL AND NEW.hash IS NULL THEN RETURN NEW; END IF;
    ELSIF TG_OP = 'UPDATE' THEN
        IF pg_trigger_depth() > 1 AND {chains} THEN RETURN NEW; END IF;
        IF {_only_erases("IS DISTINCT FROM")} THEN RETURN NEW; END IF;
    ELSIF TG_OP = 'DELETE' THEN
        IF OLD.sequence <= {pruned} THEN RETURN OLD; END IF;
    END IF;
    {refused}
END $$"""  # words of ours
    yield """CREATE TRIGGER audit_events_refused BEFORE INSERT OR UPDATE OR DELETE ON audit_events
FOR EACH ROW EXECUTE FUNCTION audit_events_refuse()"""
    yield """CREATE TRIGGER audit_events_kept BEFORE TRUNCATE ON audit_events
FOR EACH STATEMENT EXECUTE FUNCTION audit_events_refuse()"""
