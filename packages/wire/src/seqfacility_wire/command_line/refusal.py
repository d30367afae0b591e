"""How a command refuses, and how it asks for a secret."""

import getpass
import sys
from collections.abc import Sequence

MAX_DETAILS = 5
"""Details that still make a line that somebody reads."""


class Refused(Exception):
    """One line that tells a person what is wrong and what to do next. Decision: G259."""


class WrongUsage(Exception):
    """Options that do not go together; told with the usage. Decision: G259."""


def one_line(text: str, details: Sequence[str]) -> str:
    """Join a refusal and its details; of many details only the first are said. Decision: G259."""
    said = [text, *details[:MAX_DETAILS]]
    return "; ".join(said) + (f"; and {len(details) - MAX_DETAILS} more" if details[MAX_DETAILS:] else "")


def read_secret(stream_name: str) -> str:
    """Read one line of standard input, unseen on a terminal; raises `Refused` when it is empty."""
    if sys.stdin.isatty():
        text = getpass.getpass(f"{stream_name.removeprefix('the ')}: ")
    else:
        text = sys.stdin.readline().rstrip("\r\n")
    if not text:
        raise Refused(f"{stream_name} is expected on standard input, one line")
    return text
