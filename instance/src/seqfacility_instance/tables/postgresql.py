"""The pool of connections to a PostgreSQL server; imported only where one is used."""

import select

from playhouse.postgres_ext import PooledPsycopg3Database
from psycopg import Connection
from psycopg.pq import TransactionStatus

from seqfacility_instance.tables.errors import TransactionLost


class WatchfulPool(PooledPsycopg3Database):  # type: ignore[misc]  # playhouse has no types
    """A pool that hands out no connection that the server has ended.

    WHY: after a restart of the server every waiting connection is dead, and each would cost somebody a
    request. Decision: G360.
    """

    def commit(self) -> None:
        """Commit; raises `TransactionLost` when there is nothing to commit any more.

        HAZARD: after a failed statement the server answers COMMIT by rolling back, and the driver takes that
        for success. Decision: G367.
        """
        if self.connection().info.transaction_status is not TransactionStatus.INTRANS:
            raise TransactionLost("the transaction is no more")
        super().commit()

    def _is_closed(self, connection: Connection[tuple[object, ...]]) -> bool:
        if not connection.closed and _has_server_message(connection):
            connection.close()
        return connection.closed


def _has_server_message(connection: Connection[tuple[object, ...]]) -> bool:
    """Return whether something waits to be read on a connection that nobody uses: its end, mostly.

    HAZARD: the driver learns of the end only when the next statement fails.
    """
    watch = select.poll()
    watch.register(connection.fileno(), select.POLLIN)
    return bool(watch.poll(0))
