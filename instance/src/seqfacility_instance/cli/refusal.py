"""How a command says no."""

import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from seqfacility_wire.logs import FORMAT_VARIABLE

MOST_DETAILS = 5
"""Details that still make a line that somebody reads."""


class Refused(Exception):
    """One line that tells a person what is wrong and what to do next. Gap: G259."""


def one_line(text: str, details: Sequence[str]) -> str:
    """Join a refusal and its details; of many details only the first are said. Gap: G259."""
    said = [text, *details[:MOST_DETAILS]]
    return "; ".join(said) + (f"; and {len(details) - MOST_DETAILS} more" if details[MOST_DETAILS:] else "")


def tell_refusal(refused: Refused) -> None:
    """Write a refusal in one line; where a process keeps a log of JSON objects it is one of them.

    Gap: G259, G471.
    """
    if logging.getLogger().handlers and os.environ.get(FORMAT_VARIABLE, "").strip() == "json":
        logging.getLogger("seqfacility.cli").error("%s", refused)
    else:
        sys.stderr.write(f"error: {refused}\n")


class WrongUsage(Exception):
    """Options that do not go together; told with the usage. Gap: G259."""


def read_line(stream_name: str, line: str) -> str:
    """Take one line of standard input without its line end; raises `Refused` when there is none."""
    text = line.rstrip("\r\n")
    if not text:
        raise Refused(f"{stream_name} is expected on standard input, one line")
    return text


def parse_bind(bind: str) -> str:
    """Check `HOST:PORT`; raises `Refused`. Gap: G262."""
    host, separator, port = bind.rpartition(":")
    if not separator or not host or not port.isdigit() or int(port) > 65_535:
        raise Refused(f"--bind wants HOST:PORT, not {bind}")
    return bind


def existing_home(home: Path) -> Path:
    """Give the state directory; raises `Refused` when `init` has not run there."""
    if not home.is_dir():
        raise Refused(f"{home} does not exist; run `seqfacility init` first")
    return home
