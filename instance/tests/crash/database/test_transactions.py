"""Transactions on PostgreSQL that are lost, or have to wait for too long."""

from collections.abc import Iterator

import psycopg
import pytest
from peewee import Database, OperationalError, PeeweeException
from seqfacility_instance.tables.base import close_all_connections, open_database
from seqfacility_instance.tables.errors import TransactionLost, is_busy

from .conftest import Server  # isort: skip


@pytest.fixture
def opened(server: Server) -> Iterator[Database]:
    opened = open_database(server.url)
    with opened.connection_context():
        yield opened
    close_all_connections(opened)


def test_a_transaction_whose_failure_was_hidden_is_not_taken_for_committed(opened: Database) -> None:
    """WHY: the server answers COMMIT by rolling back, without an error."""

    def hide() -> None:
        with opened.atomic():
            opened.execute_sql("CREATE TABLE kept (number integer)")
            with pytest.raises(PeeweeException, match="division by zero"):
                opened.execute_sql("SELECT 1 / 0")

    with pytest.raises(TransactionLost) as lost:
        hide()

    assert is_busy(lost.value)
    assert "kept" not in opened.get_tables()


def test_waiting_too_long_for_a_lock_is_told_apart_from_a_server_out_of_reach(
    opened: Database, server: Server
) -> None:
    opened.execute_sql("CREATE TABLE contested (number integer)")
    opened.execute_sql("SET lock_timeout = '50ms'")
    with psycopg.connect(server.url) as other:
        other.execute("LOCK TABLE contested")
        with pytest.raises(OperationalError) as refused:
            opened.execute_sql("DROP TABLE contested")

    assert is_busy(refused.value)
