"""What a target's processes cost: processor time and memory, and how quiet the machine is meanwhile."""

import os
import statistics
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

QUIET_SHARE = 0.12
TICK_SECONDS = 1 / os.sysconf("SC_CLK_TCK")

Figures = Mapping[str, Mapping[str, Mapping[str, float]]]
"""Of one round: what was done, who did it, which figure."""


def tree(pid: int) -> list[int]:
    """List a process and its descendants."""
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    return [pid, *(found for child in listed for found in tree(int(child)))]


def processor_seconds(pids: Sequence[int]) -> float:
    """Sum the processor time of processes."""
    ticks = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks * TICK_SECONDS


def peak_reset(pids: Sequence[int]) -> int:
    """Forget the peaks; return the memory that the processes have now, in bytes."""
    for pid in pids:
        Path(f"/proc/{pid}/clear_refs").write_text("5")
    return peak(pids)


def peak(pids: Sequence[int]) -> int:
    """Sum the peaks of memory since they were forgotten, in bytes."""
    words = [Path(f"/proc/{pid}/status").read_text("ascii").split() for pid in pids]
    return sum(int(text[text.index("VmHWM:") + 1]) * 1024 for text in words)


def over(rounds: Sequence[Figures], kind: str, key: str, first: str, second: str) -> list[float]:
    """Return what `first` took divided by what `second` took, of each round, in order of size.

    A cost too small for the clock counts as one tick.
    """
    rows = [found[kind] for found in rounds]
    return sorted(row[first][key] / max(row[second][key], TICK_SECONDS) for row in rows)


def median_of(rounds: Sequence[Figures], kind: str, key: str, name: str) -> float:
    """Return the median of one figure."""
    return statistics.median(found[kind][name][key] for found in rounds)


def spread(values: Sequence[float]) -> str:
    """Write the median with the smallest and the largest."""
    return f"{statistics.median(values):.2f} ({values[0]:.2f}-{values[-1]:.2f})"


def quiet(patience_seconds: float) -> None:
    """Wait, within patience, until others leave the machine alone."""
    deadline = time.monotonic() + patience_seconds
    while time.monotonic() < deadline:
        before, total = _busy()
        time.sleep(0.4)
        after, end = _busy()
        if (after - before) / max(1, end - total) < QUIET_SHARE:
            return


def _busy() -> tuple[int, int]:
    ticks = [int(word) for word in Path("/proc/stat").read_text("ascii").splitlines()[0].split()[1:]]
    return sum(ticks) - ticks[3] - ticks[4], sum(ticks)
