"""No database connection is held while the network is read: a slow client must not empty the pool.

SQLite's connection is this thread's own and stays; a server's goes back to its pool meanwhile.
"""

import contextlib
from collections.abc import Iterator

from peewee import Database

from seqfacility_instance.tables.base import database, keeps_connections


@contextlib.contextmanager
def connection_held(opened: Database) -> Iterator[None]:
    """Keep a connection for a block whose parts may release it meanwhile.

    HAZARD: Peewee's own context counts its users on the connection, and a close in the middle of it makes its
    end fail.
    """
    opened.connect(reuse_if_open=True)
    try:
        yield
    finally:
        if not opened.is_closed():
            opened.close()


@contextlib.contextmanager
def connection_released() -> Iterator[None]:
    """Release the connection of this request until the end of the block. Decision: G97."""
    if keeps_connections(database.obj):
        yield
        return
    database.close()
    try:
        yield
    finally:
        database.connect(reuse_if_open=True)


@contextlib.contextmanager
def connected() -> Iterator[None]:
    """Take a connection for some statements within `connection_released`."""
    if keeps_connections(database.obj):
        yield
        return
    with database.connection_context():
        yield
