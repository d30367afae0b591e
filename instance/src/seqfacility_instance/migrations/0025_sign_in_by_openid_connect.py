"""Tables for people who sign in with the account of their institute. Decision: G823, G827."""

from peewee import Database, SqliteDatabase


def up(_migrator: object, db: Database) -> None:
    """Create the tables, empty, with their indexes; sessions of passwords have nothing in the columns."""
    number = "INTEGER" if isinstance(db, SqliteDatabase) else "BIGINT"
    flag = "INTEGER" if isinstance(db, SqliteDatabase) else "BOOLEAN"
    db.execute_sql(
        'CREATE TABLE "oidc_identities" ('
        '"id" VARCHAR(64) NOT NULL PRIMARY KEY, '
        '"user_id" VARCHAR(64) NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE, '
        '"issuer" VARCHAR(255) NOT NULL, '
        '"subject" VARCHAR(255) NOT NULL, '
        f'"gave_admin" {flag} NOT NULL, '
        f'"created_at" {number} NOT NULL)'
    )
    db.execute_sql(
        'ALTER TABLE "sessions" ADD COLUMN "identity_id" VARCHAR(64) '
        'REFERENCES "oidc_identities" ("id") ON DELETE CASCADE'
    )
    db.execute_sql('ALTER TABLE "sessions" ADD COLUMN "sid" VARCHAR(255)')
    db.execute_sql(
        'CREATE TABLE "oidc_uses" ('
        '"id" VARCHAR(64) NOT NULL PRIMARY KEY, '
        '"used_hash" VARCHAR(255) NOT NULL, '
        f'"expires_at" {number} NOT NULL)'
    )
    for kind, table, columns in (
        ("UNIQUE INDEX", "oidc_identities", ("issuer", "subject")),
        ("UNIQUE INDEX", "oidc_identities", ("user_id", "issuer")),
        ("INDEX", "oidc_identities", ("user_id",)),
        ("INDEX", "sessions", ("identity_id",)),
        ("UNIQUE INDEX", "oidc_uses", ("used_hash",)),
        ("INDEX", "oidc_uses", ("expires_at",)),
    ):
        name, listed = "_".join((table, *columns)), ", ".join(f'"{one}"' for one in columns)
        db.execute_sql(f'CREATE {kind} "{name}" ON "{table}" ({listed})')
