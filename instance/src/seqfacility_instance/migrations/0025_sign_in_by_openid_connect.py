"""Tables and columns for people who sign in with the account of their institute. Decision: G823, G827."""

from peewee import Database, SqliteDatabase

_IDENTITIES = """
CREATE TABLE "oidc_identities" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "user_id" VARCHAR(64) NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "issuer" VARCHAR(255) NOT NULL,
    "subject" VARCHAR(255) NOT NULL,
    "gave_admin" {flag} NOT NULL,
    "created_at" {number} NOT NULL
)"""
_USES = """
CREATE TABLE "oidc_uses" (
    "id" VARCHAR(64) NOT NULL PRIMARY KEY,
    "used_hash" VARCHAR(255) NOT NULL,
    "expires_at" {number} NOT NULL
)"""
_IDENTITY = '"identity_id" VARCHAR(64) REFERENCES "oidc_identities" ("id") ON DELETE CASCADE'


def up(_migrator: object, db: Database) -> None:
    """Create the tables, empty, with their indexes; sessions of passwords have nothing in the columns."""
    number, flag = ("INTEGER", "INTEGER") if isinstance(db, SqliteDatabase) else ("BIGINT", "BOOLEAN")
    for statement in (
        _IDENTITIES.format(number=number, flag=flag),
        'CREATE UNIQUE INDEX "oidc_identities_issuer_subject" ON "oidc_identities" ("issuer", "subject")',
        'CREATE UNIQUE INDEX "oidc_identities_user_id_issuer" ON "oidc_identities" ("user_id", "issuer")',
        'CREATE INDEX "oidc_identities_user_id" ON "oidc_identities" ("user_id")',
        _USES.format(number=number),
        'CREATE UNIQUE INDEX "oidc_uses_used_hash" ON "oidc_uses" ("used_hash")',
        'CREATE INDEX "oidc_uses_expires_at" ON "oidc_uses" ("expires_at")',
        f'ALTER TABLE "sessions" ADD COLUMN {_IDENTITY}',
        'ALTER TABLE "sessions" ADD COLUMN "sid" VARCHAR(255)',
        'CREATE INDEX "sessions_identity_id" ON "sessions" ("identity_id")',
    ):
        db.execute_sql(statement)
