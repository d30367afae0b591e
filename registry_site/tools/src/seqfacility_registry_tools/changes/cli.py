"""`diff` on the command line."""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from seqfacility_registry.answers import BrokenContent
from seqfacility_registry.checklists.editions import BrokenEdition
from seqfacility_registry.settings import settings_from
from seqfacility_wire.command_line.refusal import Refused

from seqfacility_registry_tools.changes.published import read_content
from seqfacility_registry_tools.changes.things import Thing
from seqfacility_registry_tools.changes.words import summary, unraised_versions
from seqfacility_registry_tools.git import git, tree_files


def add_command(commands: Any) -> None:  # argparse has no public type for what add_subparsers returns
    """Add the command to a program. Decision: G949, G950, G952."""
    command = commands.add_parser("diff", help="say in words what changes from one content to another")
    for name in ("old", "new"):
        command.add_argument(
            name, metavar=name.upper(), help="a content folder, or a revision of the git repository"
        )
    command.add_argument(
        "--check", action="store_true", help="fail when content changes and its version does not"
    )
    command.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    old, new = _read(options.old), _read(options.new)
    print(summary(old, new), end="")
    faults = unraised_versions(old, new) if options.check else []
    for fault in faults:
        print(f"error: {fault}", file=sys.stderr)
    return 1 if faults else 0


def _read(place: str) -> dict[str, Thing]:
    with _folder(place) as folder:
        try:
            return read_content(folder)
        except (BrokenContent, BrokenEdition, KeyError, TypeError) as broken:
            raise Refused(
                f"{place}: cannot be read, `seqfacility-registry check` says more: {broken}"
            ) from broken


@contextmanager
def _folder(place: str) -> Iterator[Path]:
    if Path(place).is_dir():
        yield Path(place)
        return
    content = settings_from().content.resolve()
    top = Path(git("rev-parse", "--show-toplevel", folder=content).decode().strip())
    inside = content.relative_to(top).as_posix().removeprefix(".")
    revision = git("rev-parse", "--verify", "--end-of-options", f"{place}^{{commit}}", folder=top)
    with tempfile.TemporaryDirectory(prefix="content-") as room:
        for path, stored in tree_files(revision.decode().strip(), inside, folder=top).items():
            target = Path(room) / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(stored)
        yield Path(room)
