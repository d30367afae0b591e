"""`import-nf-core` on the command line."""

import argparse
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from seqfacility_pipeline_package.documents import readable_json
from seqfacility_registry.settings import settings_from
from seqfacility_wire.command_line.refusal import Refused

from seqfacility_registry_tools.nf_core.draft import draft_curation
from seqfacility_registry_tools.nf_core.importer import CURATION, import_package
from seqfacility_registry_tools.nf_core.source import Source, fetched, read_source


def add_command(commands: Any) -> None:  # argparse has no public type for what add_subparsers returns
    """Add the command to a program. Decision: G945."""
    command = commands.add_parser(
        "import-nf-core", help="build the package of an nf-core workflow at a tag, or a draft of its curation"
    )
    command.add_argument("name", metavar="NAME", help="the workflow, as mag")
    command.add_argument("tag", metavar="TAG", help="its release, as 5.5.0")
    place = command.add_mutually_exclusive_group(required=True)
    place.add_argument("--fetch", action="store_true", help="clone the workflow's repository at the tag")
    place.add_argument(
        "--from", dest="folder", type=Path, metavar="DIR", help="a folder with the workflow's files"
    )
    command.add_argument("--commit", metavar="SHA", help="with --from: the commit that the tag names")
    command.add_argument("--date", metavar="DATE", help="with --from: the day of the release, YYYY-MM-DD")
    command.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    if options.fetch:
        with fetched(options.name, options.tag) as source:
            return _import(source)
    if not (options.commit and options.date):
        raise Refused("--from needs --commit and --date, which a folder does not say")
    return _import(read_source(options.folder, options.name, options.tag, options.commit, options.date))


def _import(source: Source) -> int:
    folder = settings_from().content / "pipelines"
    curation = folder / source.name / CURATION
    if not curation.exists():
        curation.parent.mkdir(parents=True, exist_ok=True)
        curation.write_text(readable_json(draft_curation(source)), encoding="utf-8")
        print(f"{curation}: a draft; choose settings, name outputs and steps, and import again")
        return 1
    imported = import_package(folder, source, datetime.now(UTC).date().isoformat())
    said = "written; check it, then lock it" if imported.is_new else "says the same already"
    print(f"{source.name} {imported.version}: {said}")
    return 0
