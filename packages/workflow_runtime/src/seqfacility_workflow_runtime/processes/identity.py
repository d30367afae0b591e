"""Who a process is, so that a number used again is never taken for it and never signalled."""

import os
import select
import signal
from dataclasses import dataclass
from pathlib import Path

from seqfacility_workflow_runtime.processes.table import find_process
from seqfacility_workflow_runtime.run_folder import JsonValue

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True, slots=True)
class ProcessIdentity:
    """A process for all time: its number, its start in clock ticks since boot, and which boot.

    A tick is a hundredth of a second; a number that passed to another process
    within the tick of the first one's start would go unnoticed.

    Gap: G155.
    """

    pid: int
    start_ticks: int
    boot_id: str

    def as_json(self) -> dict[str, JsonValue]:
        """Give the document that `read_identity` reads."""
        return {"pid": self.pid, "startTicks": self.start_ticks, "bootId": self.boot_id}


def read_identity(document: object) -> ProcessIdentity | None:
    """Read an identity back; None when the document is not one."""
    match document:
        case {"pid": int(pid), "startTicks": int(start_ticks), "bootId": str(boot_id)} if pid > 0:
            return ProcessIdentity(pid, start_ticks, boot_id)
        case _:
            return None


def boot_id() -> str:
    """Read which boot of the machine this is."""
    return _BOOT_ID.read_text().strip()


def identity_of(pid: int) -> ProcessIdentity | None:
    """Identify a process that is there now."""
    entry = find_process(pid)
    return None if entry is None else ProcessIdentity(pid, entry.start_ticks, boot_id())


def is_alive(identity: ProcessIdentity) -> bool:
    """Say whether exactly this process still runs; one that ended but was not counted yet does not.

    Gap: G155, G185.
    """
    entry = find_process(identity.pid)
    return (
        entry is not None
        and entry.is_living
        and entry.start_ticks == identity.start_ticks
        and boot_id() == identity.boot_id
    )


def send_signal(identity: ProcessIdentity, number: signal.Signals) -> bool:
    """Signal exactly this process; False when it is gone.

    The process is pinned first and its identity compared afterwards, so between
    the comparison and the signal the number cannot pass to a stranger.

    Gap: G272.
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
