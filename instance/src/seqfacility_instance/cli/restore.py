"""Bring a backup back into an empty state directory and an empty database, and check every file.

SEQFACILITY_HOME and SEQFACILITY_DATABASE_URL say where to; the engine may be another one than before. Exits
with 1 when a file is missing or different, after everything else was restored; each one has a line.
"""

import argparse
import os
import sys
from pathlib import Path

from seqfacility_wire.command_line.refusal import Refused
from seqfacility_wire.plurals import counted

from seqfacility_instance.settings import read_settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="DIR", help="what `backup` wrote")
    parser.add_argument(
        "--data",
        type=Path,
        metavar="FOLDER",
        help="where data files go, or where they lie already; default: data/ of the state directory",
    )
    parser.add_argument(
        "--as-copy",
        action="store_true",
        help="make a facility of its own, with another id, because the one of the backup goes on",
    )


def run(arguments: argparse.Namespace) -> int:
    """Restore, and print what is missing. Decision: G358, G499."""
    from seqfacility_instance.backup.errors import BackupRefused
    from seqfacility_instance.backup.restore import Restore

    def report(line: str) -> None:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()

    try:
        verdict = Restore(read_settings(os.environ), report).make(
            arguments.folder.absolute(), arguments.data, as_copy=arguments.as_copy
        )
    except (BackupRefused, OSError) as refused:
        raise Refused(str(refused)) from refused
    if verdict.bad:
        bad = counted(verdict.bad, "file is", "files are")
        raise Refused(f"restored, but {bad} missing or different, see the lines above")
    return 0
