"""The files of a run folder, for admins."""

import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

_WORK = "work"


@dataclass(frozen=True, slots=True)
class RunFile:
    """One file; `path` is relative to the run folder. Gap: G162."""

    path: str
    size: int
    modified_at: datetime


def list_run_files(folder: Path) -> list[RunFile]:
    """List the regular files of a run folder by path, without hidden ones, links and `work/`. Gap: G162."""
    found: list[RunFile] = []
    waiting = [(folder, "")]
    while waiting:
        current, prefix = waiting.pop()
        try:
            with os.scandir(current) as entries:
                for entry in entries:
                    path = f"{prefix}{entry.name}"
                    if entry.name.startswith(".") or path == _WORK or not _is_text(path):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append((Path(entry.path), f"{path}/"))
                    elif entry.is_file(follow_symlinks=False):
                        facts = entry.stat(follow_symlinks=False)
                        changed = datetime.fromtimestamp(facts.st_mtime, UTC)
                        found.append(RunFile(path, facts.st_size, changed))
        except (FileNotFoundError, NotADirectoryError):
            continue
    return sorted(found, key=lambda file: file.path)


def _is_text(path: str) -> bool:
    return not any("\udc80" <= character <= "\udcff" for character in path)
