"""A pipeline that does not want to end: its processes ignore SIGTERM and leave session and parent.

Run as `python -m seqfacility_testkit.hostile_tree FOLDER`; each process leaves a file named by its number.
"""

import os
import signal
import sys
import time
from pathlib import Path

from seqfacility_workflow_runtime.processes.identity import ProcessIdentity, identity_of, is_alive

SIZE = 6


def tree_members(folder: Path) -> list[ProcessIdentity]:
    """Identify the processes of the tree that have reported themselves and still live."""
    found = (identity_of(int(path.name)) for path in folder.iterdir() if path.name.isdigit())
    return [one for one in found if one is not None and is_alive(one)]


def _stay(folder: Path) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    (folder / str(os.getpid())).touch()
    while True:
        time.sleep(60)


def _child(folder: Path, *, new_session: bool = False) -> None:
    if os.fork() == 0:
        if new_session:
            os.setsid()
        _stay(folder)


def _daemon(folder: Path, *, clear_environment: bool = False) -> None:
    """Leave the session and the parent, as daemons do; one of them forgets its environment as well."""
    middle = os.fork()
    if middle:
        os.waitpid(middle, 0)
        return
    os.setsid()
    if os.fork() == 0:
        if clear_environment:
            (folder / str(os.getpid())).touch()
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            os.execve("/bin/sleep", ["sleep", "600"], {})  # noqa: S606 - constant words
        _stay(folder)
    os._exit(0)


def main(folder: Path) -> None:
    """Grow the tree and stay: the root, a child, a child of another session, three daemons."""
    _child(folder)
    _child(folder, new_session=True)
    _daemon(folder)
    _daemon(folder)
    _daemon(folder, clear_environment=True)
    _stay(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
