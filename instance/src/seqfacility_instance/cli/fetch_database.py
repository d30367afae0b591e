"""Fetch a reference database here and now, or list those that the installed pipelines declare.

A fetch that is interrupted goes on where it was when the command is repeated. `--from` names a file or
another address with the same content: it is held against what the package declares like any other.
"""

import argparse
import sys
from typing import TYPE_CHECKING

from seqfacility_wire.command_line.refusal import Refused

from seqfacility_instance.cli.installation import open_installation

if TYPE_CHECKING:
    from seqfacility_schemas import answers


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("key", metavar="KEY", nargs="?", help="as it is listed without this word")
    parser.add_argument("--from", dest="source", metavar="FILE-OR-URL", help="fetch it from here instead")


def run(arguments: argparse.Namespace) -> int:
    """List the databases, or fetch one and print where it is. Decision: G333, G340."""
    from seqfacility_instance.pipelines.reference_data.fetching import ContentRefused
    from seqfacility_instance.pipelines.reference_data.unpacking import ArchiveRefused, InsufficientSpace
    from seqfacility_instance.registry_client.transfer import TransferBroken, TransferRefused

    with open_installation() as services:
        databases = services.runs.databases
        if arguments.key is None:
            shown = [databases.shown(key) for key in sorted(databases.declared())]
        else:
            try:
                databases.fetch_now(arguments.key, arguments.source)
            except (
                TransferBroken,
                TransferRefused,
                ContentRefused,
                ArchiveRefused,
                InsufficientSpace,
            ) as failed:
                raise Refused(str(failed)) from failed
            except OSError as failed:
                message = f"the file cannot be read or written: {failed.strerror}"
                raise Refused(message) from failed
            shown = [databases.shown(arguments.key)]
    sys.stdout.writelines(f"{_line(one)}\n" for one in shown)
    return 0


def _line(one: "answers.ReferenceDatabase") -> str:
    columns = [
        one["key"],
        one["status"],
        f"{one['label']} {one['version']}",
        ", ".join(one["pipelines"]),
    ]
    return "  ".join([*columns, one["path"] or one["downloadUrl"]])
