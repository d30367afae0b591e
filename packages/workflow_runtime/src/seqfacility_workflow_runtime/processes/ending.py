"""Ends a set of processes until none is left, however they try to stay."""

import os
import signal
import time
from collections.abc import Callable

from seqfacility_workflow_runtime.processes.identity import ProcessIdentity, send_signal, this_machine
from seqfacility_workflow_runtime.processes.table import ProcessEntry, bears, descendants, list_processes

RUN_TOKEN = "SEQFACILITY_RUN_TOKEN"  # noqa: S105 - the name of a variable
GRACE_SECONDS = 10.0
KILL_SECONDS = 5.0
_LOOK_SECONDS = 0.05

Members = Callable[[], set[ProcessIdentity]]


def members_below(pid: int) -> set[ProcessIdentity]:
    """Collect the living processes below `pid`.

    When `pid` is a child subreaper nothing below it can escape: a process whose
    parent ends becomes its child, whatever session it is in.
    """
    return _identities(descendants(list_processes(), [pid]))


def members_with_token(token: str) -> set[ProcessIdentity]:
    """Collect the living processes that bear the token of a launch, and all that is below them.

    This finds the processes of a run whose supervisor was killed, also those
    that changed their session or lost their parent. The caller itself is left out.
    """
    entries = list_processes()
    variable = f"{RUN_TOKEN}={token}".encode()
    bearers = {entry for entry in entries if entry.is_living and bears(entry.pid, variable)}
    found = bearers | descendants(entries, [entry.pid for entry in bearers])
    return {one for one in _identities(found) if one.pid != os.getpid()}


def end_all(members: Members, grace_seconds: float = GRACE_SECONDS) -> bool:
    """Ask all to end, wait, then freeze and kill what is left; False when something outlives even that.

    `members` is asked again and again and also has to reap where the caller is
    the parent. Freezing before killing matters: a set that is killed one by one
    can start new processes faster than it shrinks.

    Decision: G164, G272.
    """
    for one in members():
        send_signal(one, signal.SIGTERM)
        send_signal(one, signal.SIGCONT)
    if _are_gone(members, grace_seconds):
        return True
    deadline = time.monotonic() + KILL_SECONDS
    while time.monotonic() < deadline:
        for one in _frozen(members):
            send_signal(one, signal.SIGKILL)
        if _are_gone(members, 1.0):
            return True
    return False


def _frozen(members: Members) -> set[ProcessIdentity]:
    """Stop all, again and again until no new one appears, and say which they are."""
    frozen: set[ProcessIdentity] = set()
    while fresh := members() - frozen:
        for one in fresh:
            send_signal(one, signal.SIGSTOP)
        frozen |= fresh
    return frozen


def _are_gone(members: Members, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while members():
        if time.monotonic() >= deadline:
            return False
        time.sleep(_LOOK_SECONDS)
    return True


def _identities(entries: set[ProcessEntry]) -> set[ProcessIdentity]:
    here = this_machine()
    return {ProcessIdentity(entry.pid, entry.start_ticks, here) for entry in entries if entry.is_living}
