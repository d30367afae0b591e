"""A disk of a few MiB that a test can fill: a real tmpfs, mounted by root."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

_BLOCK_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class SmallDisk:
    """A mounted file system; what a test fills it with lies in `ballast`."""

    place: Path

    @property
    def ballast(self) -> Path:
        return self.place / "ballast"

    def free_bytes(self) -> int:
        facts = os.statvfs(self.place)
        return facts.f_bavail * facts.f_frsize

    def fill(self, leave_bytes: int = 0) -> None:
        """Fill the disk until so much is left."""
        with (self.ballast / "bytes").open("ab", buffering=0) as file:
            while (left := self.free_bytes() - leave_bytes) > 0:
                file.write(bytes(min(left, _BLOCK_BYTES)))

    def fill_names(self) -> None:
        """Make empty files until the disk takes no further name."""
        number = 0
        while os.statvfs(self.place).f_favail:
            (self.ballast / f"name{number}").touch()
            number += 1

    def clear(self) -> None:
        for path in self.ballast.iterdir():
            path.unlink()


@contextmanager
def small_disk(place: Path, mebibytes: int) -> Iterator[SmallDisk]:
    """Mount a small disk at a folder, which is made; skips the test where nothing may be mounted."""
    place.mkdir(parents=True, exist_ok=True)
    options = f"size={mebibytes}m,nr_inodes=1000,mode=0755"
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", place], capture_output=True, text=True, check=False
    )
    if mounted.returncode:
        pytest.skip(f"needs root and the right to mount: {mounted.stderr.strip()}")
    disk = SmallDisk(place)
    try:
        disk.ballast.mkdir()
        yield disk
    finally:
        # WHY: a process that is still ending may hold a file; lazily, the mount goes with it.
        subprocess.run(["umount", "--lazy", place], check=True)
