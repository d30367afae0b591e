"""Fetch the delivery of an order into a folder, verified file by file; run again, it goes on.

A file gets its name only when it is whole and its MD5 is that of the delivery.
"""

import argparse
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from seqfacility_client.cli.facility_connection import (
    add_connection_arguments,
    check_connection_arguments,
    run_transfer,
)

if TYPE_CHECKING:
    from seqfacility_client.connection import Connection
    from seqfacility_client.facility import OrderAtFacility
    from seqfacility_client.rules.fetching import Delivered


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `download`. Decision: G320."""
    add_connection_arguments(parser)
    parser.add_argument("folder", type=Path, metavar="FOLDER")


def run(arguments: argparse.Namespace) -> int:
    """Fetch every file; 0 only when all of them are here. Decision: G259, G320."""
    check_connection_arguments(arguments)
    return run_transfer(lambda password: _fetched(arguments, password))


def _fetched(arguments: argparse.Namespace, password: str) -> str | None:
    from seqfacility_client.connection import Connection
    from seqfacility_client.fetching import Fetcher
    from seqfacility_client.progress import shown_progress
    from seqfacility_client.rate import Rate
    from seqfacility_client.rules.fetching import local_places
    from seqfacility_client.running import (
        each,
        failure_line,
        fetched_one,
        opened,
        write_result,
    )

    stop = Event()
    connection = Connection(arguments.url.rstrip("/"), arguments.email, password)
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


def _asked(connection: "Connection", text: str) -> "tuple[OrderAtFacility, list[Delivered]]":
    from seqfacility_client.facility import order_at

    order = order_at(connection, text)
    return order, order.delivery()
