"""What happens at the facility is recorded for those who tell others of it, and mail waits to be sent.

Decision: G835, G837.
"""

from peewee import Database, SqliteDatabase

_TABLES = (
    """CREATE TABLE "facility_events" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "kind" VARCHAR(64) NOT NULL,
    "owner_id" VARCHAR(64) NOT NULL,
    "actor_id" VARCHAR(64),
    "detail" TEXT NOT NULL,
    "created_at" {number} NOT NULL,
    "failures" INTEGER NOT NULL)""",
    """CREATE TABLE "outgoing_mails" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "kind" VARCHAR(64) NOT NULL,
    "user_id" VARCHAR(64) REFERENCES "users" ("id") ON DELETE CASCADE,
    "address" VARCHAR(255),
    "topic" VARCHAR(255),
    "facts" TEXT NOT NULL,
    "sealed" TEXT,
    "status" VARCHAR(64) NOT NULL,
    "attempts" INTEGER NOT NULL,
    "due_at" {number} NOT NULL,
    "useful_until" {number},
    "last_error" TEXT,
    "created_at" {number} NOT NULL,
    "finished_at" {number})""",
    """CREATE TABLE "mail_preferences" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "user_id" VARCHAR(64) NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "kind" VARCHAR(64) NOT NULL,
    "timing" VARCHAR(64) NOT NULL)""",
)

_INDEXES = (
    'CREATE INDEX "outgoing_mails_user_id" ON "outgoing_mails" ("user_id")',
    'CREATE UNIQUE INDEX "outgoing_mails_topic" ON "outgoing_mails" ("topic")',
    'CREATE INDEX "outgoing_mails_status_due_at_id" ON "outgoing_mails" ("status", "due_at", "id")',
    'CREATE INDEX "outgoing_mails_status_finished_at" ON "outgoing_mails" ("status", "finished_at")',
    'CREATE UNIQUE INDEX "mail_preferences_user_id_kind" ON "mail_preferences" ("user_id", "kind")',
)


def up(_migrator: object, db: Database) -> None:
    """Create the tables, empty, with their indexes."""
    number = "INTEGER" if isinstance(db, SqliteDatabase) else "BIGINT"
    for statement in (*_TABLES, *_INDEXES):
        db.execute_sql(statement.format(number=number))
