"""The command `seqfacility-client`; `seqfacility` of an instance has the same two commands from here."""

import argparse
import sys
from collections.abc import Sequence
from importlib.metadata import version

from seqfacility_wire.command_line.program import Help, add_commands, add_program_options, quiet_output
from seqfacility_wire.command_line.refusal import Refused, WrongUsage

from seqfacility_client.cli import download, upload

DESCRIPTION = "Send reads to a sequencing facility that runs SeqFacility, and fetch what it delivers."
EXAMPLES = """\
examples:
  seqfacility-client upload --url https://facility.example --email you@facility.example --password-stdin \\
      --order ORD-20261122-0007 --data-class cleaned run_folder
  seqfacility-client upload --url https://facility.example --token-file /etc/seqfacility.token \\
      --order ORD-20261122-0007 run_folder
  seqfacility-client download --url https://facility.example --email ada@lab.example --password-stdin \\
      --order ORD-20261122-0007 delivery
"""

COMMANDS = {"upload": upload, "download": download}


@quiet_output()
def main(argv: Sequence[str] | None = None) -> int:
    """Run one command: 0 done, 1 refused or failed (one line on standard error), 2 wrong usage.

    Decision: G259, G503, G521.
    """
    parser = argparse.ArgumentParser(
        prog="seqfacility-client", description=DESCRIPTION, epilog=EXAMPLES, formatter_class=Help
    )
    add_program_options(parser, version("seqfacility-client"))
    add_commands(parser, COMMANDS)
    arguments = parser.parse_args(argv)
    try:
        code: int = COMMANDS[arguments.command].run(arguments)
    except WrongUsage as wrong:
        parser.error(str(wrong))
    except Refused as refused:
        sys.stderr.write(f"error: {refused}\n")
        return 1
    return code
