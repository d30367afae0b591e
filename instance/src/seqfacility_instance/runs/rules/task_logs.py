"""Where the log of one task is, as engine and workflow name it; nobody believes them that it is there."""

import json
import posixpath
import re
from pathlib import PurePosixPath
from typing import Final

_FOLDERS: Final = frozenset({"work", "output", "logs"})
"""Where tools write. Beside these folders lie the hidden files of the runtime, with the tokens of the run."""

_HASH: Final = re.compile(r"([0-9a-f]{2})/([0-9a-f]{6,30})", re.ASCII)
TASK_FOLDER: Final = re.compile(r"[0-9a-f]{6,30}", re.ASCII)
NEXTFLOW_LOGS: Final = (".command.log", ".command.err")
"""What a task of Nextflow has written in all, and its standard error alone."""


def declared_logs(log_files: str | None, run_folder: PurePosixPath) -> list[str]:
    """Read the logs that a rule of Snakemake declares, as paths below the run folder.

    They are seen from the work folder. One that leads elsewhere is left out.

    Decision: G728.
    """
    try:
        names: object = json.loads(log_files or "[]")
    except (ValueError, RecursionError):
        return []
    found = []
    for name in names if isinstance(names, list) else ():
        path = posixpath.normpath(run_folder / "work" / name) if isinstance(name, str) and name else ""
        if PurePosixPath(path).is_relative_to(run_folder):
            inside = PurePosixPath(path).relative_to(run_folder)
            if len(inside.parts) > 1 and inside.parts[0] in _FOLDERS:
                found.append(str(inside))
    return found


def hashed_folder(task_hash: str | None) -> tuple[str, str] | None:
    """Take a hash apart: Nextflow works in a folder below the first part that begins as the second.

    Decision: G728.
    """
    found = _HASH.fullmatch(task_hash or "")
    return None if found is None else (found[1], found[2])
