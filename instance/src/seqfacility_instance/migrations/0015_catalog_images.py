"""Images that a catalog names are kept here once they were fetched. Decision: G586."""

from peewee import Database, SqliteDatabase


def up(_migrator: object, db: Database) -> None:
    """Create the table."""
    number = "INTEGER" if isinstance(db, SqliteDatabase) else "BIGINT"
    db.execute_sql(
        'CREATE TABLE "catalog_images" ('
        '"address" VARCHAR(2048) NOT NULL PRIMARY KEY, '
        '"name" VARCHAR(80) NOT NULL, '
        '"width" INTEGER NOT NULL, '
        '"height" INTEGER NOT NULL, '
        '"content" TEXT NOT NULL, '
        f'"fetched_at" {number} NOT NULL, '
        f'"named_at" {number} NOT NULL)'
    )
    db.execute_sql('CREATE INDEX "catalog_images_name" ON "catalog_images" ("name")')
