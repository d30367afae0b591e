"""`new-pipeline` on the command line."""

import argparse
from datetime import UTC, datetime
from typing import Any

from seqfacility_registry.settings import settings_from
from seqfacility_wire.command_line.refusal import Refused

from seqfacility_registry_tools.scaffold.package import FetchedWorkflow, new_pipeline


def add_command(commands: Any) -> None:  # argparse has no public type for what add_subparsers returns
    """Add the command to a program. Decision: G951."""
    command = commands.add_parser("new-pipeline", help="write a package that keeps all rules, to begin with")
    command.add_argument("id", metavar="ID", help="the pipeline's id, as read-length")
    command.add_argument("--engine", choices=("snakemake", "nextflow"), default="snakemake")
    command.add_argument("--repository", metavar="URL", help="nextflow: where the workflow is fetched from")
    command.add_argument("--revision", metavar="TAG", help="nextflow: its release")
    command.add_argument("--commit", metavar="SHA", help="nextflow: the commit that the release names")
    command.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    given = (options.repository, options.revision, options.commit)
    if options.engine == "nextflow" and not all(given):
        raise Refused("a nextflow workflow is fetched: it needs --repository, --revision and --commit")
    if options.engine == "snakemake" and any(given):
        raise Refused("a snakemake workflow lies in the package: it has no repository, revision or commit")
    fetched = FetchedWorkflow(*given) if all(given) else None
    today = datetime.now(UTC).date().isoformat()
    place = new_pipeline(settings_from().content / "pipelines", options.id, fetched, today)
    print(f"{place}: written; change it, check it, then lock it")
    return 0
