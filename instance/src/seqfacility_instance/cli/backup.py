"""Back the facility up while it runs, to a folder that is made for it.

The folder holds a consistent copy of the database, the key of stored secrets, the installed pipelines, and a
list of all data files with size, time and known checksum. Data files are copied only when asked for. What the
environment says, reference databases and the sequencer's own output are not part of it. Keep it secret: with
the key, which --without-key leaves out, it opens stored secrets.
"""

import argparse
import sys
from pathlib import Path

from seqfacility_instance.cli.installation import ready_services
from seqfacility_instance.cli.refusal import Refused


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `backup`. Gap: G262, G357."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="must not exist yet")
    parser.add_argument(
        "--files",
        choices=("manifest", "copy", "link"),
        default="manifest",
        help="data files: only listed, copied, or finished ones hard-linked and the rest copied",
    )
    parser.add_argument(
        "--without-key", action="store_true", help="leave secret.key out, which is then kept elsewhere"
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the backup, whole or not at all. Gap: G357."""
    from seqfacility_instance.safekeeping.backup import Backup
    from seqfacility_instance.safekeeping.errors import KeepingRefused
    from seqfacility_instance.safekeeping.manifest import FilesMode
    from seqfacility_instance.tables import close_all_connections

    def tell(line: str) -> None:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()

    services = ready_services(
        settles=False
    )  # a facility whose key is lost wants a backup more than any other
    folder = arguments.folder.absolute()
    try:
        backup = Backup(services.settings, services.database, services.clock, tell)
        backup.make(folder, FilesMode(arguments.files), has_key=not arguments.without_key)
    except KeepingRefused as refused:
        raise Refused(str(refused)) from refused
    finally:
        close_all_connections(services.database)
    tell(f"backup: {folder}")
    return 0
