"""How many cores and how much memory the runs of this machine may have: what the kernel lets us use."""

import os
from collections.abc import Iterator
from pathlib import Path

_CGROUPS = Path("/sys/fs/cgroup")
_UNLIMITED_BYTES = 2**60
"""What a control group of the old kind says when nothing limits it is near to this."""


def usable_cores(cgroups: Path = _CGROUPS, own: Path = Path("/proc/self/cgroup")) -> int:
    """Return how many cores this process may use: those it is bound to, or fewer by its control group.

    Decision: G716.
    """
    cores = len(os.sched_getaffinity(0))
    for folder in _own_groups(cgroups, own, "cpu"):
        old = (*_words(folder / "cpu.cfs_quota_us"), *_words(folder / "cpu.cfs_period_us"))
        for words in (_words(folder / "cpu.max"), old):
            match [int(word) for word in words if word.isdecimal()]:
                case [quota, period] if period > 0:
                    cores = min(cores, -(-quota // period))
    return max(1, cores)


def usable_memory_bytes(cgroups: Path = _CGROUPS, own: Path = Path("/proc/self/cgroup")) -> int:
    """Return how much memory this machine has, or less by the control group. Decision: G716."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    for folder in _own_groups(cgroups, own, "memory"):
        for name in ("memory.max", "memory.limit_in_bytes"):
            match _words(folder / name):
                case (limit,) if limit.isdecimal() and 0 < int(limit) < _UNLIMITED_BYTES:
                    memory = min(memory, int(limit))
    return memory


def _own_groups(cgroups: Path, own: Path, controller: str) -> Iterator[Path]:
    """Walk up from the control group of this process: a limit of any of them holds.

    In a container the path that the kernel tells may not be there; then the top is its own group.
    """
    try:
        lines = own.read_text("utf-8", "replace").splitlines()
    except OSError:
        lines = []
    roots = []
    for line in lines:
        _, controllers, path = [*line.split(":", 2), "", ""][:3]
        if not controllers:
            roots.append((cgroups, path))
        elif controller in controllers.split(","):
            roots.append((cgroups / controllers, path))
    for root, path in roots or [(cgroups, "/")]:
        parts = [part for part in path.split("/") if part not in ("", "..")]
        for depth in range(len(parts), -1, -1):
            yield root.joinpath(*parts[:depth])
    yield cgroups / controller


def _words(path: Path) -> tuple[str, ...]:
    try:
        return tuple(path.read_text("utf-8", "replace").split())
    except OSError:
        return ()
