"""Rows that somebody may have damaged, read as they are."""

from typing import Any

from peewee import SqliteDatabase

from seqfacility_instance.tables.base import database


def read_damaged(statement: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
    """Read rows whose text may have become no UTF-8, which PostgreSQL refuses to hold."""
    if not isinstance(database.obj, SqliteDatabase):
        found: list[tuple[Any, ...]] = database.execute_sql(statement, values).fetchall()
        return found
    connection = database.obj.connection()
    usual, connection.text_factory = connection.text_factory, _any_text
    try:
        damaged: list[tuple[Any, ...]] = database.obj.execute_sql(statement, values).fetchall()
        return damaged
    finally:
        connection.text_factory = usual


def _any_text(stored: bytes) -> str:
    return stored.decode("utf-8", "surrogateescape")
