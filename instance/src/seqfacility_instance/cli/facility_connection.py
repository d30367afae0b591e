"""What the commands that talk to a facility from elsewhere share: where it is, who asks, how they end."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from seqfacility_instance.cli.refusal import Refused, WrongUsage, read_line

DEFAULT_PARALLEL = 2
DEFAULT_PATIENCE_SECONDS = 600.0


def add_connection_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what uploads and downloads have in common. Gap: G262, G320."""
    parser.add_argument("--url", required=True, metavar="BASE", help="address of the facility")
    parser.add_argument("--email", required=True, metavar="E")
    parser.add_argument(
        "--password-stdin", action="store_true", required=True, help="read the password from standard input"
    )
    parser.add_argument("--order", required=True, metavar="ID", help="id of the order, as in its address")
    parser.add_argument("--parallel", type=int, default=DEFAULT_PARALLEL, metavar="N", help="files at once")
    parser.add_argument(
        "--patience",
        type=float,
        default=DEFAULT_PATIENCE_SECONDS,
        metavar="S",
        help="give up when nothing moved for so many seconds",
    )
    parser.add_argument("--result", type=Path, metavar="FILE.json", help="write what became of each file")


def check_connection_arguments(arguments: argparse.Namespace) -> None:
    """Raise `WrongUsage` for values that no facility could make sense of. Gap: G259."""
    if not arguments.url.lower().startswith(("http://", "https://")):
        raise WrongUsage("--url wants an address that begins with http:// or https://")
    if not 1 <= arguments.parallel <= 16:
        raise WrongUsage("--parallel wants a number from 1 to 16")
    if not arguments.patience > 0:
        raise WrongUsage("--patience wants seconds")
    if not arguments.order.strip():
        raise WrongUsage("--order wants the id of an order")


def run_transfer(transfer: Callable[[str], str | None]) -> int:
    """Ask for the password and transfer; 0 when everything arrived, else `Refused` says what did not.

    `transfer` gives one line about what is missing, None when nothing is.

    Gap: G259.
    """
    from seqfacility_instance.transfer_client.errors import Stopped, TransferRefused

    password = read_line("the password", sys.stdin.readline())
    try:
        line = transfer(password)
    except (TransferRefused, Stopped) as refused:
        raise Refused(str(refused) or "stopped") from refused
    except KeyboardInterrupt:
        raise Refused("stopped; run the same command again to go on") from None
    if line is not None:
        raise Refused(line)
    return 0
