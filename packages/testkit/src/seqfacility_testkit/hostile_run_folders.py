"""What a workflow may leave in its run folder, on purpose or not."""

import os
from pathlib import Path


def make_deep_folder(folder: Path, levels: int = 45) -> None:
    """Make folders in one another of which the innermost are beyond the longest path of the kernel."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    for _ in range(levels):
        name = "d" * 120
        os.mkdir(name, dir_fd=descriptor)
        inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = inner
    os.close(descriptor)
