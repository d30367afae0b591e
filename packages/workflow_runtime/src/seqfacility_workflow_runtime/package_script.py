"""Runs a script that came with a package: a child process with bounds on time, output and environment."""

import contextlib
import os
import selectors
import signal
import subprocess
import sys
import time
from pathlib import Path

from seqfacility_workflow_runtime.environment import child_environment

_BLOCK_BYTES = 64 * 1024
_ENDING_SECONDS = 1.0
_LOOK_SECONDS = 0.01

# WHY: a killed caller can end nobody. The kernel then does it, once the script has asked; the thread that
# starts a script waits for its end, so the signal comes with nothing but death. (1 is PR_SET_PDEATHSIG.)
_BOUND_TO_CALLER = """
import ctypes, os, runpy, signal, sys
caller, script = int(sys.argv.pop(1)), sys.argv.pop(1)
ctypes.CDLL(None).prctl(1, signal.SIGKILL)
if os.getppid() == caller:
    sys.argv[0] = script
    runpy.run_path(script, run_name="__main__")
"""


class ScriptFailed(Exception):
    """The script did not answer as it should; the text says why and holds no path."""


class ScriptTooSlow(ScriptFailed):
    """The script did not answer in the time that it was given."""

    def __init__(self) -> None:
        super().__init__("it took too long")


def run_package_script(script: Path, argument: Path, seconds: float, max_bytes: int) -> bytes:
    """Run a Python script with one path on its command line; return what it wrote to standard output.

    It runs in a session of its own, without the service's environment and without
    the folder of the script in its module path, everything it started is killed
    with it, and it dies with its caller. Raises `ScriptTooSlow` when it takes longer
    than `seconds`, and `ScriptFailed` when it is no Python file, cannot be started,
    writes more than `max_bytes` or ends with another code than 0.

    Decision: G137, G145.
    """
    if script.suffix != ".py":
        raise ScriptFailed("it is not a Python script")
    try:
        process = subprocess.Popen(  # noqa: S603 - the words are a list
            [
                sys.executable,
                "-I",
                "-B",
                "-c",
                _BOUND_TO_CALLER,
                str(os.getpid()),
                str(script),
                str(argument),
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=child_environment(os.environ),
            cwd=argument,
            start_new_session=True,
        )
    except OSError as failed:
        raise ScriptFailed("it could not be started") from failed
    try:
        output = _read_all(process, time.monotonic() + seconds, max_bytes)
        _wait_without_reaping(process.pid)
    finally:
        # Not reaped yet, so its number cannot have become a stranger's.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        code = process.wait()
    if code != 0:
        message = f"it ended with code {code}"
        raise ScriptFailed(message)
    return output


def _read_all(process: subprocess.Popen[bytes], deadline: float, max_bytes: int) -> bytes:
    stream = process.stdout
    assert stream is not None
    content = bytearray()
    with stream, selectors.DefaultSelector() as selector:
        selector.register(stream, selectors.EVENT_READ)
        while True:
            if not selector.select(max(0.0, deadline - time.monotonic())):
                raise ScriptTooSlow
            block = os.read(stream.fileno(), _BLOCK_BYTES)
            if not block:
                return bytes(content)
            content += block
            if len(content) > max_bytes:
                raise ScriptFailed("it wrote too much")


def _wait_without_reaping(pid: int) -> None:
    """Wait a moment for a process that has closed its output to end."""
    deadline = time.monotonic() + _ENDING_SECONDS
    while os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
        if time.monotonic() > deadline:
            raise ScriptFailed("it closed its output and did not end")
        time.sleep(_LOOK_SECONDS)
