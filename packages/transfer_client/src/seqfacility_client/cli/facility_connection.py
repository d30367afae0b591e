"""What the commands that talk to a facility from elsewhere share: where it is, who asks, how they end."""

import argparse
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from seqfacility_wire.command_line.refusal import Refused, WrongUsage, read_secret

from seqfacility_client.credentials import Credentials, token_in
from seqfacility_client.errors import Stopped, TransferRefused

VARIABLES: Final = (
    (
        "SEQFACILITY_URL",
        "Address of the facility that `upload` and `download` work on, as `--url`.",
        "`--url` is needed",
    ),
    (
        "SEQFACILITY_EMAIL",
        "E-mail of the account that `upload` and `download` sign in with, as `--email`.",
        "`--email` is needed, or a token",
    ),
    (
        "SEQFACILITY_TOKEN",
        "API token that `upload` and `download` use instead of e-mail and password.",
        "`--token-file` or a password is needed",
    ),
)
"""Name, meaning, and what holds when it is not set: docs/environment.md is written from here."""

TOKEN_VARIABLE: Final = VARIABLES[2][0]
DEFAULT_PARALLEL = 2
DEFAULT_PATIENCE_SECONDS = 600.0


def add_connection_arguments(parser: argparse.ArgumentParser) -> None:
    url, email = (os.environ.get(variable) or None for variable, *_ in VARIABLES[:2])
    parser.add_argument(
        "--url", default=url, required=url is None, metavar="BASE", help="default: SEQFACILITY_URL"
    )
    parser.add_argument("--email", default=email, metavar="E", help="default: SEQFACILITY_EMAIL")
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--password-stdin", action="store_true", help="read the password from standard input")
    shown.add_argument(
        "--token-file",
        type=Path,
        metavar="FILE",
        help="read an API token from a file that only you can read; default: the token in SEQFACILITY_TOKEN",
    )
    parser.add_argument(
        "--order", required=True, metavar="ID", help="number of the order, or its id in its address"
    )
    parser.add_argument("--parallel", type=int, default=DEFAULT_PARALLEL, metavar="N", help="files at once")
    parser.add_argument(
        "--patience",
        type=float,
        default=DEFAULT_PATIENCE_SECONDS,
        metavar="S",
        help="give up when nothing moved for so many seconds",
    )
    parser.add_argument(
        "--limit-rate",
        type=_bytes_per_second,
        metavar="BYTES",
        help="bytes a second for all files together, such as 500k or 20M",
    )
    parser.add_argument("--result", type=Path, metavar="FILE.json", help="write what became of each file")


def _bytes_per_second(text: str) -> float:
    found = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,3})?)([kMG]?)", text)
    if found is None or not float(found[1]):
        raise argparse.ArgumentTypeError("wants bytes a second, such as 500k or 20M")
    return float(found[1]) * {"": 1, "k": 1e3, "M": 1e6, "G": 1e9}[found[2]]


def check_connection_arguments(arguments: argparse.Namespace) -> None:
    """Raise `WrongUsage` for values that no facility could make sense of. Decision: G259, G262, G320."""
    if not arguments.url.lower().startswith(("http://", "https://")):
        raise WrongUsage("--url wants an address that begins with http:// or https://")
    if arguments.password_stdin and not arguments.email:
        raise WrongUsage("--password-stdin wants --email")
    if not (arguments.password_stdin or arguments.token_file or os.environ.get(TOKEN_VARIABLE)):
        raise WrongUsage(f"--token-file, {TOKEN_VARIABLE}, or --email and --password-stdin is needed")
    if not 1 <= arguments.parallel <= 16:
        raise WrongUsage("--parallel wants a number from 1 to 16")
    if not arguments.patience > 0:
        raise WrongUsage("--patience wants seconds")
    if not arguments.order.strip():
        raise WrongUsage("--order wants the id of an order")


def run_transfer(arguments: argparse.Namespace, transfer: Callable[[Credentials], str | None]) -> int:
    """Find token or password and transfer; 0 when everything arrived, else `Refused` says what did not.

    `transfer` gives one line about what is missing, None when nothing is.

    Decision: G259, G805.
    """
    try:
        line = transfer(_credentials(arguments))
    except (TransferRefused, Stopped) as refused:
        raise Refused(str(refused) or "stopped") from refused
    except KeyboardInterrupt:
        raise Refused("stopped; run the same command again to go on") from None
    if line is not None:
        raise Refused(line)
    return 0


def _credentials(arguments: argparse.Namespace) -> Credentials:
    """An option counts before the environment."""
    if arguments.password_stdin:
        return Credentials(arguments.email, read_secret("the password"))
    if arguments.token_file:
        return token_in(arguments.token_file)
    return Credentials.of_token(os.environ[TOKEN_VARIABLE], TOKEN_VARIABLE)
