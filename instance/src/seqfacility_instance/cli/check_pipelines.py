"""Print what the installed pipelines lack to be run, one line a check: `ok`, `warn` or `fail`.

Exits with 1 when a pipeline that is named, or any that is enabled, could not run.
"""

import argparse
import json
import sys
from typing import TYPE_CHECKING

from seqfacility_instance.cli.installation import open_installation

if TYPE_CHECKING:
    from seqfacility_instance.pipelines.readiness import PipelineReadiness


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("pipeline_id", metavar="ID", nargs="?", help="all of them when none is named")
    parser.add_argument("--json", action="store_true", help="print pipelines and checks as one JSON array")


def run(arguments: argparse.Namespace) -> int:
    """Print the checks. Decision: G338, G340."""
    with open_installation() as services:
        readiness = services.runs.readiness
        named = arguments.pipeline_id
        checked = readiness.look() if named is None else [readiness.look_at(named)]
    if arguments.json:
        sys.stdout.write(json.dumps(checked, indent=2) + "\n")
    for pipeline in [] if arguments.json else checked:
        for check in pipeline["checks"]:
            sys.stdout.write(f"{check['verdict'].value} {pipeline['id']}: {check['text']}\n")
    counted = [one for one in checked if named is not None or _is_enabled(one)]
    return 0 if all(one["ready"] for one in counted) else 1


def _is_enabled(checked: "PipelineReadiness") -> bool:
    return any(check["id"] == "enabled" and check["verdict"] == "ok" for check in checked["checks"])
