"""Tables for API tokens and machines; the live feed hears when a token is revoked. Decision: G800, G804."""

from peewee import Database, SqliteDatabase

_ON_SQLITE = """
CREATE TRIGGER api_tokens_live_delete AFTER DELETE ON api_tokens BEGIN
    INSERT INTO live_changes (kind, object_id, owner_id, owner_sees, "transaction", "at")
    SELECT 'session', OLD.id, OLD.user_id, FALSE,
        COALESCE((SELECT MAX("transaction") FROM live_changes), 0) + 1,
        CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER);
END
"""
# A revoked token is told of as an ended session is, by the function of script 0014 for these.
_ON_POSTGRESQL = """
CREATE TRIGGER api_tokens_live_delete AFTER DELETE ON api_tokens
FOR EACH ROW EXECUTE FUNCTION sessions_live_22_delete()
"""


def up(_migrator: object, db: Database) -> None:
    """Create both tables, empty, with their indexes and the trigger."""
    is_sqlite = isinstance(db, SqliteDatabase)
    number = "INTEGER" if is_sqlite else "BIGINT"
    db.execute_sql(
        'CREATE TABLE "machines" ('
        '"id" VARCHAR(64) NOT NULL PRIMARY KEY, '
        '"user_id" VARCHAR(64) NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE, '
        '"name" VARCHAR(255) NOT NULL, '
        '"addresses" TEXT NOT NULL, '
        '"created_by_id" VARCHAR(64) NOT NULL REFERENCES "users" ("id") ON DELETE RESTRICT, '
        f'"created_at" {number} NOT NULL, '
        f'"deleted_at" {number})'
    )
    db.execute_sql(
        'CREATE TABLE "api_tokens" ('
        '"id" VARCHAR(64) NOT NULL PRIMARY KEY, '
        '"token_hash" VARCHAR(255) NOT NULL, '
        '"user_id" VARCHAR(64) NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE, '
        '"name" VARCHAR(255) NOT NULL, '
        '"scopes" TEXT NOT NULL, '
        f'"created_at" {number} NOT NULL, '
        f'"expires_at" {number} NOT NULL, '
        f'"last_used_at" {number}, '
        '"last_used_address" VARCHAR(255))'
    )
    for kind, table, column in (
        ("UNIQUE INDEX", "machines", "user_id"),
        ("INDEX", "machines", "created_by_id"),
        ("UNIQUE INDEX", "api_tokens", "token_hash"),
        ("INDEX", "api_tokens", "user_id"),
        ("INDEX", "api_tokens", "expires_at"),
    ):
        db.execute_sql(f'CREATE {kind} "{table}_{column}" ON "{table}" ("{column}")')
    db.execute_sql(_ON_SQLITE if is_sqlite else _ON_POSTGRESQL)
