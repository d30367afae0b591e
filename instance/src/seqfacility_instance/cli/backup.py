"""Back the facility up while it runs, to a folder that is made for it.

The folder holds a consistent copy of the database, the key of stored secrets, the installed pipelines, and a
list of all data files with size, time and known checksum. Data files are copied only when asked for. What the
environment says, reference databases and the sequencer's own output are not part of it. Keep it secret: with
the key, which --without-key leaves out, it opens stored secrets.
"""

import argparse
import json
import sys
from pathlib import Path

from seqfacility_wire.command_line.refusal import Refused, WrongUsage

from seqfacility_instance.cli.installation import ready_services

EXAMPLES = """\
examples:
  seqfacility backup /backups/2031-05-04
  seqfacility backup --into /backups --keep 14      (what the systemd timer does every night)
  seqfacility backup --files link --without-runs /srv/seqfacility/backup
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="DIR", nargs="?", help="must not exist yet")
    parser.add_argument(
        "--into", type=Path, metavar="FOLDER", help="instead of DIR: make one there, named after the time"
    )
    parser.add_argument(
        "--keep", type=int, metavar="N", help="then remove this facility's backups in FOLDER but the newest N"
    )
    parser.add_argument(
        "--files",
        choices=("manifest", "copy", "link"),
        default="manifest",
        help="data files: only listed, copied, or finished ones hard-linked and the rest copied",
    )
    parser.add_argument(
        "--without-key", action="store_true", help="leave secret.key out, which is then kept elsewhere"
    )
    parser.add_argument(
        "--without-runs",
        action="store_true",
        help="leave run folders out, but for assemblies and bins: the rest can be made again",
    )
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Write the backup, whole or not at all, then remove older ones. Decision: G262, G357, G474, G475."""
    from seqfacility_instance.backup.creation import Backup
    from seqfacility_instance.backup.errors import BackupRefused
    from seqfacility_instance.backup.manifest import FilesMode
    from seqfacility_instance.backup.rotation import remove_old
    from seqfacility_instance.tables.base import close_all_connections

    _check_usage(arguments)
    lines = sys.stderr if arguments.json else sys.stdout

    def report(line: str) -> None:
        lines.write(f"{line}\n")
        lines.flush()

    # A facility whose key is lost wants a backup more than any other.
    services = ready_services(settles=False)
    into = arguments.into
    folder = arguments.folder or into / f"{services.clock.now():seqfacility-%Y%m%dT%H%M%SZ}"
    folder = folder.absolute()
    try:
        backup = Backup(services.settings, services.database, services.clock, report)
        made = backup.make(
            folder,
            FilesMode(arguments.files),
            has_key=not arguments.without_key,
            without_runs=arguments.without_runs,
        )
        removed = [] if arguments.keep is None else remove_old(into, made, arguments.keep, report)
    except BackupRefused as refused:
        raise Refused(str(refused)) from refused
    except OSError as failed:
        raise Refused(f"{folder} is whole, but an older backup could not be removed: {failed}") from failed
    finally:
        close_all_connections(services.database)
    if arguments.json:
        shown = {
            "folder": str(folder),
            "at": made.created_at,
            "files": made.file_count,
            "bytes": made.file_bytes,
            "missing": made.missing_count,
            "removed": [str(path) for path in removed],
        }
        sys.stdout.write(json.dumps(shown, indent=2) + "\n")
    else:
        report(f"backup: {folder}")
    return 0


def _check_usage(arguments: argparse.Namespace) -> None:
    if (arguments.folder is None) == (arguments.into is None):
        raise WrongUsage("backup wants DIR or --into FOLDER")
    if arguments.keep is not None and (arguments.into is None or arguments.keep < 1):
        raise WrongUsage("--keep wants a number from 1 on, and --into")
