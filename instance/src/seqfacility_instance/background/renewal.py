"""A thread that renews a lease while a long job runs."""

import contextlib
import logging
import threading
from collections.abc import Callable, Iterator

from seqfacility_instance.tables.base import database

_log = logging.getLogger("seqfacility.worker")


@contextlib.contextmanager
def renewed(renew: Callable[[], bool], every_seconds: float) -> Iterator[None]:
    """Call `renew` periodically until the block ends; a block that ends sooner costs no statement.

    `renew` has a database connection of its own. When it gives False, the lease belongs to somebody else and
    nothing more is renewed; when the database cannot be reached, the next turn tries again.

    Decision: G264, G326.
    """
    ended = threading.Event()
    thread = threading.Thread(target=_renew, args=(renew, every_seconds, ended), name="renewal", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _renew(renew: Callable[[], bool], every_seconds: float, ended: threading.Event) -> None:
    while not ended.wait(every_seconds):
        try:
            with database.connection_context():
                is_held = renew()
        except Exception:  # noqa: BLE001  # whatever it was, the work beside it goes on
            _log.exception("a lease could not be renewed; the next turn tries again")
            continue
        if not is_held:
            _log.warning("a lease was lost while its work went on")
            return
