"""Send read files to a facility, from a workstation or a sequencer's computer; run again, it goes on.

FILE is a file or a folder. A name tells the mate (`_R1_001`, `_R1`, or `_1` beside a `_2`) and the sample,
whose code or alias stands alone in it; --sample and --role say it instead. Nothing is sent while one file is
unclear, and no MD5 is computed here that a list beside the files (md5sum.txt, *.md5) has already.
"""

import argparse
from pathlib import Path

from seqfacility_wire.command_line.refusal import WrongUsage

from seqfacility_client.cli.facility_connection import (
    add_connection_arguments,
    check_connection_arguments,
    run_transfer,
)
from seqfacility_client.vocabulary import ARTIFACTS, DataClass, Mate

_ROLES = [*(mate.value for mate in Mate), *ARTIFACTS]
_DATA_CLASSES = [data_class.value for data_class in DataClass]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `upload`. Decision: G262, G320."""
    add_connection_arguments(parser)
    parser.add_argument("--sample", metavar="S", help="id, code or alias; without it the names decide")
    parser.add_argument("--role", choices=_ROLES, metavar="R1", help="R1, R2, or an artifact")
    parser.add_argument("--data-class", choices=_DATA_CLASSES, metavar="C")
    parser.add_argument(
        "--checksum",
        action="store_true",
        help="hash each file while it is sent: only bytes with this MD5 are filed",
    )
    parser.add_argument("--sequencing-run", metavar="RUN", help="link the reads to this run of the order")
    parser.add_argument("--join-lanes", action="store_true", help="send the lanes of a mate as one file")
    parser.add_argument(
        "--supersede", action="store_true", help="also where reads leave a published delivery by it"
    )
    parser.add_argument("--dry-run", action="store_true", help="print what would be sent, and send nothing")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")


def run(arguments: argparse.Namespace) -> int:
    """Send every file; 0 only when all of them arrived. Decision: G259, G262."""
    check_connection_arguments(arguments)
    if arguments.role in ARTIFACTS and arguments.data_class:
        raise WrongUsage("--data-class belongs to reads")
    if arguments.dry_run and arguments.result:
        raise WrongUsage("--dry-run has no result to write")
    from seqfacility_client.uploading import upload

    return run_transfer(arguments, lambda credentials: upload(arguments, credentials))
