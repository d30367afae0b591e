"""How a command says no, and how it asks for a secret."""

import getpass
import sys
from collections.abc import Sequence
from pathlib import Path

MOST_DETAILS = 5
"""Details that still make a line that somebody reads."""


class Refused(Exception):
    """One line that tells a person what is wrong and what to do next. Gap: G259."""


def one_line(text: str, details: Sequence[str]) -> str:
    """Join a refusal and its details; of many details only the first are said. Gap: G259."""
    said = [text, *details[:MOST_DETAILS]]
    return "; ".join(said) + (f"; and {len(details) - MOST_DETAILS} more" if details[MOST_DETAILS:] else "")


class WrongUsage(Exception):
    """Options that do not go together; told with the usage. Gap: G259."""


def read_secret(stream_name: str) -> str:
    """Read one line of standard input, unseen on a terminal; raises `Refused` when it is empty."""
    if sys.stdin.isatty():
        text = getpass.getpass(f"{stream_name.removeprefix('the ')}: ")
    else:
        text = sys.stdin.readline().rstrip("\r\n")
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
