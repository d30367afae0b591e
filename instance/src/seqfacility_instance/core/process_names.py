"""The name `<host>:<process id>` under which a process holds leases and leaves heartbeats."""

import os
import socket

_HOST_CHARACTERS = 96


def process_name() -> str:
    """Return the name of this process, which fits the columns of holders."""
    return f"{socket.gethostname()[:_HOST_CHARACTERS]}:{os.getpid()}"


def is_dead(name: str) -> bool:
    """Return whether a process of this machine is gone; one of another machine may run."""
    host, _, process = name.rpartition(":")
    if host != socket.gethostname()[:_HOST_CHARACTERS] or not process.isdigit():
        return False
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        return False
    return False
