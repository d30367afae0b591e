"""Who a process is, so that a number used again is never taken for it and never signalled."""

import os
import select
import signal
import socket
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from seqfacility_workflow_runtime.processes.table import find_process
from seqfacility_workflow_runtime.run_folder import JsonValue

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_PID_NAMESPACE = Path("/proc/self/ns/pid")


@dataclass(frozen=True, slots=True)
class Machine:
    """Where the number of a process means something: one boot of one host, and one process namespace of it.

    `host` and `pid_namespace` are None in what releases before 0.2 have recorded.

    Decision: G383.
    """

    host: str | None
    boot_id: str
    pid_namespace: int | None


class Distance(StrEnum):
    """How a recorded machine relates to the one that reads the record. Decision: G383."""

    HERE = "here"
    SAME_KERNEL = "same kernel"
    """Another process namespace, a container beside this one: its processes cannot be listed from here."""
    REBOOTED = "rebooted"
    """This host in an earlier boot: nothing of it runs any more."""
    ELSEWHERE = "elsewhere"
    """Another host: nothing can be said about its processes."""


@dataclass(frozen=True, slots=True)
class ProcessIdentity:
    """A process for all time: its number, its start in clock ticks since boot, and on which machine.

    A tick is a hundredth of a second; a number that passed to another process
    within the tick of the first one's start would go unnoticed.

    Decision: G155, G383.
    """

    pid: int
    start_ticks: int
    machine: Machine

    def as_json(self) -> dict[str, JsonValue]:
        """Return the document that `read_identity` reads."""
        return {
            "pid": self.pid,
            "startTicks": self.start_ticks,
            "host": self.machine.host,
            "bootId": self.machine.boot_id,
            "pidNamespace": self.machine.pid_namespace,
        }


def read_identity(document: object) -> ProcessIdentity | None:
    """Read an identity back; None when the document is not one."""
    match document:
        case {"pid": int(pid), "startTicks": int(start_ticks), "bootId": str(boot_id), **more} if pid > 0:
            host, namespace = more.get("host"), more.get("pidNamespace")
            machine = Machine(
                host if isinstance(host, str) else None,
                boot_id,
                namespace if isinstance(namespace, int) else None,
            )
            return ProcessIdentity(pid, start_ticks, machine)
        case _:
            return None


def this_machine() -> Machine:
    """Return where this process runs."""
    return Machine(socket.gethostname(), _BOOT_ID.read_text().strip(), _PID_NAMESPACE.stat().st_ino)


def distance(recorded: Machine, reader: Machine) -> Distance:
    """Compare a recorded machine with the one that reads the record.

    The boot decides first: a host may be renamed while it runs. Two hosts of one
    name would take each other for rebooted, so each needs a name of its own.

    Decision: G383.
    """
    if recorded.boot_id == reader.boot_id:
        is_here = recorded.pid_namespace in (None, reader.pid_namespace)
        return Distance.HERE if is_here else Distance.SAME_KERNEL
    return Distance.REBOOTED if recorded.host in (None, reader.host) else Distance.ELSEWHERE


def identity_of(pid: int) -> ProcessIdentity | None:
    """Identify a process that is there now."""
    entry = find_process(pid)
    return None if entry is None else ProcessIdentity(pid, entry.start_ticks, this_machine())


def is_alive(identity: ProcessIdentity) -> bool:
    """Return whether exactly this process still runs here; one that ended but was not counted yet does not.

    Raises `OSError` when the kernel cannot be asked.

    Decision: G155, G185.
    """
    entry = find_process(identity.pid)
    return (
        entry is not None
        and entry.is_living
        and entry.start_ticks == identity.start_ticks
        and distance(identity.machine, this_machine()) is Distance.HERE
    )


def send_signal(identity: ProcessIdentity, number: signal.Signals) -> bool:
    """Signal exactly this process; False when it is gone.

    The process is pinned first and its identity compared afterwards, so between
    the comparison and the signal the number cannot pass to a stranger.

    Decision: G272.
    """
    descriptor = _pinned(identity)
    if descriptor is None:
        return False
    try:
        signal.pidfd_send_signal(descriptor, number)
    except ProcessLookupError:
        return False
    finally:
        os.close(descriptor)
    return True


def wait_until_gone(identity: ProcessIdentity, seconds: float) -> bool:
    """Wait for the end of a process that need not be a child; False when it outlives `seconds`."""
    descriptor = _pinned(identity)
    if descriptor is None:
        return True
    try:
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        return bool(poll.poll(seconds * 1000))
    finally:
        os.close(descriptor)


def _pinned(identity: ProcessIdentity) -> int | None:
    """Open a descriptor that stands for this process and no other; None when it is gone."""
    try:
        descriptor = os.pidfd_open(identity.pid)
    except (ProcessLookupError, OverflowError):
        return None
    if is_alive(identity):
        return descriptor
    os.close(descriptor)
    return None
