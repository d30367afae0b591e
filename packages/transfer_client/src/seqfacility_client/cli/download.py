"""Fetch the delivery of an order into a folder, verified file by file; run again, it goes on.

A file gets its name only when it is whole and its MD5 is that of the delivery.
"""

import argparse
from pathlib import Path

from seqfacility_client.cli.facility_connection import (
    add_connection_arguments,
    check_connection_arguments,
    run_transfer,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `download`. Decision: G320."""
    add_connection_arguments(parser)
    parser.add_argument("folder", type=Path, metavar="FOLDER")


def run(arguments: argparse.Namespace) -> int:
    """Fetch every file; 0 only when all of them are here. Decision: G259, G320."""
    check_connection_arguments(arguments)
    from seqfacility_client.downloading import download

    return run_transfer(arguments, lambda credentials: download(arguments, credentials))
