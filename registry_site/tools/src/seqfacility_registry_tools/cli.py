"""What changes the content of the registry: pipelines, checklists, research metrics, releases.

The content is that of the checkout; SEQFACILITY_REGISTRY_CONTENT names another folder.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from seqfacility_registry.checklists.editions import BrokenEdition
from seqfacility_registry.release import RELEASE
from seqfacility_registry.settings import settings_from
from seqfacility_wire.command_line.program import Help, add_program_options, quiet_output
from seqfacility_wire.command_line.refusal import Refused
from seqfacility_wire.environment import InvalidVariable
from seqfacility_wire.timestamps import parse_date

from seqfacility_registry_tools.changes import cli as changes
from seqfacility_registry_tools.checklists.importer import ImportRefused, import_release
from seqfacility_registry_tools.checklists.linkml import UnreadableRelease
from seqfacility_registry_tools.nf_core import cli as nf_core
from seqfacility_registry_tools.releases import ReleaseRefused, add_release
from seqfacility_registry_tools.research_data.collecting import BrokenSnapshot, refresh_snapshot
from seqfacility_registry_tools.research_data.fetching import LimitedFetcher
from seqfacility_registry_tools.scaffold import cli as scaffold


@quiet_output()
def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 done, 1 refused or failed, 2 wrong usage. Decision: G259, G503, G522."""
    options = _parser().parse_args(arguments)
    run: Callable[[argparse.Namespace], int] = options.run
    try:
        return run(options)
    except InvalidVariable as invalid:
        print(f"error: {invalid}", file=sys.stderr)
        return 2
    except Refused as refusal:
        print(f"error: {refusal}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="seqfacility-registry-tools", description=__doc__, formatter_class=Help
    )
    add_program_options(parser, RELEASE)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    importing = commands.add_parser(
        "import-mixs", help="build the next checklist version from a MIxS release"
    )
    importing.add_argument("file", type=Path, metavar="FILE", help="the release as LinkML YAML")
    importing.add_argument("--release", required=True, metavar="R", help="the publisher's version, as 7.1.0")
    importing.add_argument(
        "--version", required=True, type=int, metavar="N", help="the next registry version"
    )
    importing.add_argument("--published-on", required=True, type=_date, metavar="DATE", help="YYYY-MM-DD")
    importing.set_defaults(run=_import_mixs)
    adding = commands.add_parser(
        "add-release", help="write a release, whose archive was built, into its channel"
    )
    adding.add_argument("archive", type=Path, metavar="FILE", help="the archive, for its digest")
    adding.add_argument("--version", required=True, metavar="V", help="as 1.2.0, or 1.3.0-rc.1 for beta")
    adding.add_argument("--url", required=True, metavar="URL", help="where the archive can be fetched")
    adding.add_argument("--notes", required=True, metavar="TEXT", help="what is new, in a sentence or two")
    adding.add_argument("--date", required=True, type=_date, metavar="DATE", help="YYYY-MM-DD")
    adding.set_defaults(run=_add_release)
    scaffold.add_command(commands)
    nf_core.add_command(commands)
    changes.add_command(commands)
    collecting = commands.add_parser("collect-research-data", help="refresh the research-data snapshot")
    collecting.set_defaults(run=_collect_research_data)
    return parser


def _import_mixs(options: argparse.Namespace) -> int:
    folder = settings_from().content / "checklists"
    try:
        text = options.file.read_text("utf-8")
        edition = import_release(folder, text, options.release, options.version, options.published_on)
    except (OSError, ValueError, BrokenEdition, ImportRefused, UnreadableRelease) as refusal:
        raise Refused(str(refusal)) from refusal
    print(f"version {edition.version}: {len(edition.checklists)} checklists")
    return 0


def _add_release(options: argparse.Namespace) -> int:
    folder = settings_from().content / "releases"
    try:
        channel = add_release(
            folder, options.version, options.archive, options.url, options.notes, options.date
        )
    except (OSError, ReleaseRefused) as refusal:
        raise Refused(str(refusal)) from refusal
    print(f"{channel}: {options.version}")
    return 0


def _collect_research_data(_options: argparse.Namespace) -> int:
    path = settings_from().content / "research" / "snapshot.json"
    try:
        reports = refresh_snapshot(
            path, LimitedFetcher(user_agent=f"seqfacility-registry/{RELEASE}"), lambda: datetime.now(UTC)
        )
    except (OSError, ValueError, BrokenSnapshot) as refusal:
        raise Refused(str(refusal)) from refusal
    for report in reports:
        outcome = f"{report.added} new points" if report.failure is None else f"failed: {report.failure}"
        print(f"{report.source}: {outcome}")
    return 1 if any(report.failure is not None for report in reports) else 0


def _date(text: str) -> str:
    try:
        return parse_date(text).isoformat()
    except ValueError as wrong:
        raise argparse.ArgumentTypeError(str(wrong)) from wrong
