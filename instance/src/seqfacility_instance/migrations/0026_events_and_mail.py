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
    "order_id" VARCHAR(64),
    "object_type" VARCHAR(64) NOT NULL,
    "object_id" VARCHAR(64) NOT NULL,
    "detail" TEXT NOT NULL,
    "created_at" {number} NOT NULL,
    "handed_on_at" {number},
    "failures" INTEGER NOT NULL)""",
)

_INDEXES = (
    'CREATE INDEX "facility_events_created_at" ON "facility_events" ("created_at")',
    'CREATE INDEX "facility_events_waiting" ON "facility_events" ("id") WHERE ("handed_on_at" IS NULL)',
)


def up(_migrator: object, db: Database) -> None:
    """Create the tables, empty, with their indexes."""
    number = "INTEGER" if isinstance(db, SqliteDatabase) else "BIGINT"
    for statement in (*_TABLES, *_INDEXES):
        db.execute_sql(statement.format(number=number))
