"""What is asked with every page no longer costs more with every year: counts of messages, and indexes."""

import json
from collections import Counter
from typing import Final

from peewee import Database

_INDEXES: Final = (
    """CREATE INDEX "tickets_open" ON "tickets" ("created_at", "id")
    WHERE ("status" IN ('OPEN', 'IN_PROGRESS'))""",
    'CREATE INDEX "orders_changed" ON "orders" ("updated_at", "id")',
    'CREATE INDEX "orders_named" ON "orders" (LOWER(COALESCE("name", \'\')), "id")',
    'CREATE INDEX "orders_platform" ON "orders" ("platform", "created_at", "id")',
)


def up(_migrator: object, db: Database) -> None:
    """Create the indexes, and the counts from what is there. Decision: G599, G600."""
    for statement in _INDEXES:
        db.execute_sql(statement)
    db.execute_sql(
        'CREATE TABLE "message_counts" ('
        '"owner_id" VARCHAR(64) NOT NULL, "reader_id" VARCHAR(64) NOT NULL, "messages" INTEGER NOT NULL, '
        'PRIMARY KEY ("owner_id", "reader_id"))'
    )
    fill(db)


def fill(db: Database) -> None:
    """Count what is there into an empty table."""
    found = db.execute_sql(
        "SELECT t.user_id, u.is_demo, m.sender_id, m.read_by, COUNT(*) FROM ticket_messages m "
        "JOIN tickets t ON t.id = m.ticket_id JOIN users u ON u.id = t.user_id "
        "GROUP BY t.user_id, u.is_demo, m.sender_id, m.read_by"
    )
    counts: Counter[tuple[str, str]] = Counter()
    for owner, is_demo, sender, read_by, messages in found.fetchall():
        for whose in {owner} if is_demo else {owner, ""}:
            for reader in {"", sender, *json.loads(read_by)}:
                counts[whose, reader] += messages
    mark = db.param
    insert = f"INSERT INTO message_counts (owner_id, reader_id, messages) VALUES ({mark}, {mark}, {mark})"  # noqa: S608  # our own words
    for (whose, reader), messages in sorted(counts.items()):
        db.execute_sql(insert, (whose, reader, messages))
