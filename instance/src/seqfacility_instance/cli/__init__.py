"""The command `seqfacility`: one command a file; the module's docstring is its help."""

import argparse
import os
import sys
from collections.abc import Sequence
from types import ModuleType

from seqfacility_wire.environment import OF_THE_REGISTRY, InvalidVariable, unknown_variables

from seqfacility_instance.cli import (
    backup,
    check_pipelines,
    check_setup,
    download,
    fetch_database,
    init,
    install_pipeline,
    migrate,
    migrate_database,
    monitor_runs,
    monitor_streams,
    restore,
    serve,
    simulate_sequencer,
    sync_catalog,
    up,
    upload,
    users,
    worker,
)
from seqfacility_instance.cli.installation import database_fault
from seqfacility_instance.cli.refusal import Refused, WrongUsage
from seqfacility_instance.settings import VARIABLES

COMMANDS: dict[str, ModuleType] = {
    "init": init,
    "users": users,
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
    "install-pipeline": install_pipeline,
    "check-pipelines": check_pipelines,
    "fetch-database": fetch_database,
    "upload": upload,
    "download": download,
    "simulate-sequencer": simulate_sequencer,
}
"""Every command by its name; a module has `add_arguments(parser)` and `run(arguments) -> exit code`."""

ELSEWHERE = frozenset({"upload", "download", "simulate-sequencer"})
"""Commands whose files do not belong to the facility: they keep the umask of whoever runs them."""

_UMASK = 0o027


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command: 0 done, 1 refused or failed (one line on standard error), 2 wrong usage.

    A variable of the environment that is wrong counts as wrong usage too.

    Gap: G259, G465, G466.
    """
    parser = argparse.ArgumentParser(prog="seqfacility", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, module in COMMANDS.items():
        described = module.__doc__ or ""
        command = commands.add_parser(name, help=described.splitlines()[0], description=described)
        module.add_arguments(command)
    arguments = parser.parse_args(argv)
    known = [*(variable.name for variable in VARIABLES), *OF_THE_REGISTRY]
    for line in unknown_variables(os.environ, "SEQFACILITY_", known):
        sys.stderr.write(f"warning: {line}\n")
    before = os.umask(_UMASK)
    # A stricter umask stays. Gap: G403.
    os.umask(before if arguments.command in ELSEWHERE else before | _UMASK)
    try:
        code: int = COMMANDS[arguments.command].run(arguments)
    except WrongUsage as wrong:
        parser.error(str(wrong))
    except InvalidVariable as invalid:
        sys.stderr.write(f"error: {invalid}\n")
        return 2
    except Refused as refused:
        sys.stderr.write(f"error: {refused}\n")
        return 1
    except Exception as failed:
        unreachable = database_fault(failed)
        if unreachable is None:
            raise
        sys.stderr.write(f"error: {unreachable}\n")
        return 1
    finally:
        os.umask(before)
    return code
