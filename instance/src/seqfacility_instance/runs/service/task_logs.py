"""The logs of one task, from the folder of its run: what its tool has written, and nothing beside it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from seqfacility_workflow_runtime.run_folder import RunFolder

from seqfacility_instance.core.data_folder import NotRegularFile, PathRefused, open_file
from seqfacility_instance.runs.rules.log_window import LINE_BYTES, MAX_BYTES, find_window
from seqfacility_instance.runs.rules.task_logs import (
    NEXTFLOW_LOGS,
    TASK_FOLDER,
    declared_logs,
    hashed_folder,
)
from seqfacility_instance.runs.rules.tokens import parts_without_tokens
from seqfacility_instance.tables.pipelines import PipelineRunTask

_MAX_LOGS: Final = 20
"""No rule has so many; each of them may take its part of the 2 MiB."""

_UNUSABLE: Final = (OSError, PathRefused, NotRegularFile)


@dataclass(frozen=True, slots=True)
class TaskLog:
    """One log of a task; `path` is below the run folder, `is_cut` says that its beginning was left out."""

    path: str
    content: str
    size: int
    is_cut: bool


def read_task_logs(folder: RunFolder, task: PipelineRunTask) -> list[TaskLog]:
    """Read the ends of the logs of a task: those that its rule declares, else those of its Nextflow folder.

    All of them have at most 2 MiB. What is missing, empty or no file is left out, and so is what a link leads
    to outside of the folder that it is named in.

    Decision: G728.
    """
    found: list[TaskLog] = []
    paths = declared_logs(task.log_files, PurePosixPath(folder.path)) or _nextflow_logs(folder, task.hash)
    paths = paths[:_MAX_LOGS]
    for path in paths:
        # The line in which the end begins is shown whole.
        log = _read_end(folder, path, MAX_BYTES // len(paths) - LINE_BYTES)
        # Nextflow's second log repeats a part of the first one.
        if log is None or (found and path.endswith(NEXTFLOW_LOGS[1])):
            continue
        found.append(log)
    return found


def _nextflow_logs(folder: RunFolder, task_hash: str | None) -> list[str]:
    parts = hashed_folder(task_hash)
    if parts is None:
        return []
    first, second = parts
    with suppress(*_UNUSABLE), _plain_folder(folder, "work") as work, os.scandir(work / first) as entries:
        names = sorted(
            entry.name
            for entry in entries
            if entry.name.startswith(second) and TASK_FOLDER.fullmatch(entry.name)
        )
        return [f"work/{first}/{name}/{log}" for name in names[:1] for log in NEXTFLOW_LOGS]
    return []


def _read_end(folder: RunFolder, path: str, max_bytes: int) -> TaskLog | None:
    top, _, below = path.partition("/")
    try:
        with _plain_folder(folder, top) as root, os.fdopen(open_file(root, below), "rb") as stream:

            def read(at: int, size: int) -> bytes:
                stream.seek(at)
                return stream.read(size)

            window = find_window(read, stream.seek(0, os.SEEK_END), -max_bytes)
    except _UNUSABLE:
        return None
    parts = [part.decode("utf-8", "replace") for part in (window.before, window.content + window.unfinished)]
    content = parts_without_tokens(parts)[1].replace("\r\n", "\n")
    is_cut = window.start > 0 or window.next + len(window.unfinished) < window.size
    return TaskLog(path, content, window.size, is_cut) if content else None


@contextmanager
def _plain_folder(folder: RunFolder, name: str) -> Iterator[Path]:
    """Open a folder of a run that is no link, and name it by its descriptor: nothing can replace it then."""
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    opened = os.open(folder.path / name, flags)
    try:
        yield Path(f"/proc/self/fd/{opened}")
    finally:
        os.close(opened)
