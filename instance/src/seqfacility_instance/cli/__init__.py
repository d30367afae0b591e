"""The command `seqfacility`: one command a file, whose docstring is its help, and whose `EXAMPLES` end it."""

import argparse
import atexit
import gc
import os
import sys
from collections.abc import Sequence
from types import ModuleType

from seqfacility_client.cli import download, upload
from seqfacility_client.cli.facility_connection import VARIABLES as OF_THE_CLIENT
from seqfacility_wire.command_line.program import Help, add_commands, add_program_options, quiet_output
from seqfacility_wire.command_line.refusal import Refused, WrongUsage
from seqfacility_wire.environment import OF_THE_REGISTRY, InvalidVariable, unknown_variables

from seqfacility_instance.cli import (
    audit,
    backup,
    check_pipelines,
    check_setup,
    fetch_database,
    init,
    install_pipeline,
    migrate,
    migrate_database,
    monitor_runs,
    monitor_streams,
    registry_trust,
    restore,
    serve,
    simulate_sequencer,
    sync_catalog,
    up,
    users,
    worker,
)
from seqfacility_instance.cli.installation import database_fault
from seqfacility_instance.cli.refusal import print_refusal
from seqfacility_instance.settings import VARIABLES
from seqfacility_instance.version import RELEASE

DESCRIPTION = """\
SeqFacility, the service that a sequencing core facility runs for itself: orders of sequencing, reads,
pipeline runs, deliveries.

The commands work on the facility of the folder SEQFACILITY_HOME (./seqfacility-home); `upload` and `download`
work on one that is reached by its address.
"""
EXAMPLES = """\
examples:
  seqfacility init --admin-email you@example.org     make a facility, print the first password
  seqfacility up                                     run it at http://127.0.0.1:8080
  seqfacility check-setup                            say what is missing, and what to do
  seqfacility backup /backups/2031-05-04             back it up while it runs
  seqfacility COMMAND --help                         options and examples of one command
"""

COMMANDS: dict[str, ModuleType] = {
    "init": init,
    "users": users,
    "audit": audit,
    "serve": serve,
    "monitor-runs": monitor_runs,
    "monitor-streams": monitor_streams,
    "worker": worker,
    "up": up,
    "migrate": migrate,
    "migrate-database": migrate_database,
    "backup": backup,
    "restore": restore,
    "check-setup": check_setup,
    "sync-catalog": sync_catalog,
    "registry-trust": registry_trust,
    "install-pipeline": install_pipeline,
    "check-pipelines": check_pipelines,
    "fetch-database": fetch_database,
    "upload": upload,
    "download": download,
    "simulate-sequencer": simulate_sequencer,
}

ELSEWHERE = frozenset({"upload", "download", "simulate-sequencer"})
"""Commands whose files do not belong to the facility: they keep the umask of whoever runs them."""

_UMASK = 0o027


@quiet_output()
def main(argv: Sequence[str] | None = None) -> int:
    """Run one command: 0 done, 1 refused or failed (one line on standard error), 2 wrong usage.

    A variable of the environment that is wrong counts as wrong usage too.

    Decision: G259, G465, G466, G503.
    """
    # WHY: the interpreter looks through all its objects as it ends, a third of what a start takes.
    atexit.register(gc.freeze)
    parser = _parser()
    arguments = parser.parse_args(argv)
    of_the_client = [name for name, *_ in OF_THE_CLIENT]
    known = [*(variable.name for variable in VARIABLES), *of_the_client, *OF_THE_REGISTRY]
    for line in unknown_variables(os.environ, "SEQFACILITY_", known):
        sys.stderr.write(f"warning: {line}\n")
    before = os.umask(_UMASK)
    # A stricter umask stays. Decision: G403.
    os.umask(before if arguments.command in ELSEWHERE else before | _UMASK)
    try:
        code: int = COMMANDS[arguments.command].run(arguments)
    except WrongUsage as wrong:
        parser.error(str(wrong))
    except InvalidVariable as invalid:
        sys.stderr.write(f"error: {invalid}\n")
        return 2
    except Refused as refused:
        print_refusal(refused)
        return 1
    except Exception as failed:
        unreachable = database_fault(failed)
        if unreachable is None:
            raise
        print_refusal(Refused(unreachable))
        return 1
    finally:
        os.umask(before)
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="seqfacility", description=DESCRIPTION, epilog=EXAMPLES, formatter_class=Help
    )
    add_program_options(parser, RELEASE)
    add_commands(parser, COMMANDS)
    return parser
