"""Whether a run has room: cores and memory of its machine, and space on its disk.

Decision: G716, G718, G720.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from seqfacility_instance.facility_settings.sections import ExecutionSection
from seqfacility_instance.runs.errors import NotEnoughDisk

_SMALLEST_LIMIT_CORES: Final = 16
"""What runs may have together where a machine has fewer cores: short ones side by side merely take longer."""

_GIB: Final = 1024**3
_INPUTS_TIMES: Final = 2
"""A run leaves about as much as it reads, once as it works and once as its results."""


@dataclass(frozen=True, slots=True)
class Need:
    """What a run takes of its machine; no memory is known of one whose package names none."""

    cores: int
    memory_gb: int | None = None


@dataclass(frozen=True, slots=True)
class Room:
    """What the runs of a machine may take together."""

    cores: int
    memory_gb: int


def room_of(execution: ExecutionSection, machine_cores: int, machine_memory_bytes: int) -> Room:
    """Return the limit of a machine: the admin's, else what it has, of cores at least 16."""
    return Room(
        execution.local_max_cores or max(machine_cores, _SMALLEST_LIMIT_CORES),
        execution.local_max_memory_gb or max(1, round(machine_memory_bytes / _GIB)),
    )


def fits(need: Need, taken: Sequence[Need], room: Room) -> bool:
    """Return whether a run has room beside others; one alone always has, also a larger one."""
    return not taken or not _short_of(need, taken, room)


def waiting_reason(need: Need, taken: Sequence[Need], room: Room, before: int) -> str:
    """Say why a run waits, and how many are before it."""
    queue = "" if not before else f"{before} {'run is' if before == 1 else 'runs are'} before it"
    short = _short_of(need, taken, room) if taken else []
    if not short:
        return f"Waits for its turn; {queue}" if queue else "Is started next"
    return "; ".join(filter(None, [f"Waits for {' and '.join(short)}", queue]))


def _short_of(need: Need, taken: Sequence[Need], room: Room) -> list[str]:
    cores = sum(one.cores for one in taken)
    memory = sum(one.memory_gb or 0 for one in taken)
    short = []
    if cores + need.cores > room.cores:
        short.append(f"{need.cores} of {room.cores} {'core' if room.cores == 1 else 'cores'}")
    if need.memory_gb and memory + need.memory_gb > room.memory_gb:
        short.append(f"{need.memory_gb} of {room.memory_gb} GB of memory")
    return short


def check_disk(free_bytes: int, input_bytes: int, min_free_bytes: int) -> None:
    """Raise `NotEnoughDisk` unless the inputs fit twice beside what stays free."""
    needed = min_free_bytes + _INPUTS_TIMES * input_bytes
    if free_bytes < needed:
        raise NotEnoughDisk(
            needed=in_words(needed),
            inputs=in_words(input_bytes),
            reserve=in_words(min_free_bytes),
            free=in_words(free_bytes),
        )


def in_words(size: int) -> str:
    """Write a number of bytes as people do."""
    if size < 1000:
        return f"{size} bytes"
    value, units = size / 1000, ["kB", "MB", "GB", "TB", "PB"]
    while value >= 999.5 and len(units) > 1:
        value /= 1000
        units.pop(0)
    return f"{value:.1f} {units[0]}" if value < 9.95 else f"{value:.0f} {units[0]}"
