"""What the tools ask of git, with the system's own program."""

import subprocess
from pathlib import Path

from seqfacility_wire.command_line.refusal import Refused


def git(*arguments: str, folder: Path = Path()) -> bytes:
    """Run git in a folder and return what it writes.

    Raises `Refused` with the last thing that it complains about.
    """
    try:
        words = ["git", "-C", str(folder), *arguments]
        done = subprocess.run(words, check=False, capture_output=True)  # noqa: S603
    except FileNotFoundError:
        raise Refused("git is not installed") from None
    if done.returncode:
        reason = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise Refused(f"git {arguments[0]}: {reason[-1] if reason else 'failed'}")
    return done.stdout
