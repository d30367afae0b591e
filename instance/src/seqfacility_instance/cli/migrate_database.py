"""Move the whole facility from an SQLite file to an empty PostgreSQL database.

Stop every process of the service first. The rows come over in one transaction and are compared, table by
table; the SQLite file stays as it is. Afterwards set SEQFACILITY_DATABASE_URL to the new address. Data files
do not move.
"""

import argparse
import sys

from seqfacility_wire.command_line.refusal import Refused


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("sqlite_url", metavar="SQLITE_URL", help="sqlite:///path, or the path of the file")
    parser.add_argument("postgresql_url", metavar="POSTGRES_URL", help="postgresql://user@host/name")


def run(arguments: argparse.Namespace) -> int:
    """Move everything, or nothing and print why. Decision: G356."""
    from seqfacility_instance.backup import addresses
    from seqfacility_instance.backup.errors import BackupRefused
    from seqfacility_instance.backup.moving import move

    def report(line: str) -> None:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()

    try:
        source = addresses.sqlite_path(arguments.sqlite_url)
        move(source, addresses.postgresql_url(arguments.postgresql_url), report)
    except BackupRefused as refused:
        raise Refused(str(refused)) from refused
    report("next: set SEQFACILITY_DATABASE_URL to the PostgreSQL address and start the service")
    return 0
