"""Finds out whether a program is installed and which version it is."""

import os
import re
import shutil
import subprocess
import tempfile

from seqfacility_workflow_runtime.environment import child_environment

ANSWER_SECONDS = 15.0
_VERSION = re.compile(r"\d+\.\d+(?:\.\d+)?(?:[-.][0-9A-Za-z]+)?", re.ASCII)


def find_version(words: list[str], seconds: float = ANSWER_SECONDS) -> str | None:
    """Ask a program for its version; None when it is missing, fails, or does not answer in time.

    Decision: G49, G145.
    """
    answer = ask_program(words, seconds)
    return None if answer is None else read_version(answer)


def is_installed(program: str) -> bool:
    """Return whether a program would be found, without starting it. Decision: G49."""
    return shutil.which(program, path=child_environment(os.environ).get("PATH")) is not None


def ask_program(words: list[str], seconds: float = ANSWER_SECONDS) -> str | None:
    """Return what a program prints; None when it is missing, fails, or does not answer in time.

    The program runs in the environment that a pipeline would get, in an empty
    folder, and is killed with all it started when the time is over.

    Decision: G49, G145.
    """
    with tempfile.TemporaryDirectory() as empty:
        try:
            done = subprocess.run(  # noqa: S603 - the words are a list
                words,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                env=child_environment(os.environ),
                cwd=empty,
                start_new_session=True,
                timeout=seconds,
                check=False,
            )
        except (OSError, ValueError, subprocess.TimeoutExpired):
            return None
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None


def read_version(answer: str) -> str | None:
    """Take the first thing that looks like a version out of what a program printed."""
    match = _VERSION.search(answer)
    return None if match is None else match[0]
