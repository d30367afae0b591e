"""The files of a run folder, for admins."""

import contextlib
import os
import stat
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from seqfacility_workflow_runtime.run_folder import RunFolder

from seqfacility_instance.results.rules.matching import stored_path

_WORK = "work"


@dataclass(frozen=True, slots=True)
class RunFile:
    """One file; `path` is relative to the run folder. Decision: G162."""

    path: str
    size: int
    modified_at: datetime


def list_run_files(folder: Path) -> list[RunFile]:
    """List the regular files of a run folder by path, without hidden ones, links and `work/`.

    What cannot be read is left out.

    Decision: G162, G376.
    """
    found: list[RunFile] = []
    waiting = [(folder, "")]
    while waiting:
        current, prefix = waiting.pop()
        # A folder without permission, one beyond the longest path, and what vanishes meanwhile.
        with contextlib.suppress(OSError), os.scandir(current) as entries:
            for entry in entries:
                path = f"{prefix}{entry.name}"
                if entry.name.startswith(".") or path == _WORK or not _is_text(path):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    waiting.append((Path(entry.path), f"{path}/"))
                elif entry.is_file(follow_symlinks=False):
                    facts = entry.stat(follow_symlinks=False)
                    found.append(RunFile(path, facts.st_size, _modified_at(facts)))
    return sorted(found, key=lambda file: file.path)


def list_technical_files(folder: RunFolder, base: str | None) -> list[dict[str, object]]:
    """List the engine's own files that are there and not empty, reports first; paths are those of G193.

    Decision: G159, G342.
    """
    files = (
        *(folder.report, folder.timeline, folder.trace),
        *(folder.output_log, folder.error_log, folder.engine_log, folder.launch_log),
    )
    root = None if base is None else PurePosixPath(base)
    return [
        {"path": stored_path(PurePosixPath(path), root), "size": size}
        for path in files
        if (size := _plain_size(path))
    ]


def _modified_at(facts: os.stat_result) -> datetime:
    """Return the time of the last change; anybody may set one that no calendar has, which counts as 1970."""
    try:
        return datetime.fromtimestamp(facts.st_mtime, UTC)
    except (ValueError, OverflowError):
        return datetime.fromtimestamp(0, UTC)


def _plain_size(path: Path) -> int:
    """Return the size of a regular file, 0 for anything else."""
    try:
        facts = path.lstat()
    except OSError:
        return 0
    return facts.st_size if stat.S_ISREG(facts.st_mode) else 0


def _is_text(path: str) -> bool:
    return not any("\udc80" <= character <= "\udcff" for character in path)
