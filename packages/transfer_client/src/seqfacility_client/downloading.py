"""`download`: the delivery of one order, fetched into a folder."""

import argparse
from threading import Event

from seqfacility_client.connection import Connection
from seqfacility_client.credentials import Credentials
from seqfacility_client.facility import OrderAtFacility, order_at
from seqfacility_client.fetching import Fetcher
from seqfacility_client.progress import shown_progress
from seqfacility_client.rate import Rate
from seqfacility_client.rules.fetching import Delivered, local_places
from seqfacility_client.running import (
    each,
    failure_line,
    fetched_one,
    opened,
    write_result,
)


def download(arguments: argparse.Namespace, credentials: Credentials) -> str | None:
    """Fetch every file; return one line about what did not arrive, None when all did.

    Decision: G320.
    """
    stop = Event()
    connection = Connection(arguments.url.rstrip("/"), credentials)
    order, delivered = opened(connection, lambda: _asked(connection, arguments.order), stop)
    places = [(file, arguments.folder / place) for place, file in local_places(delivered).items()]
    with shown_progress() as progress:
        fetcher = Fetcher(order, arguments.patience, progress, Rate(stop, arguments.limit_rate), stop)
        progress.expected({str(place): file.size for file, place in places})
        files = each(places, lambda one: fetched_one(fetcher, *one), arguments.parallel, stop)
    line = failure_line(files, stop)
    if arguments.result:
        write_result(
            arguments.result,
            {"url": connection.base_url, "orderId": order.order_id, "complete": line is None, "files": files},
        )
    return line


def _asked(connection: Connection, text: str) -> tuple[OrderAtFacility, list[Delivered]]:
    order = order_at(connection, text)
    return order, order.delivery()
