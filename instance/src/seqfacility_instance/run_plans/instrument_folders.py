"""The folder that an Illumina instrument wrote in a sequencing run, before a workflow reads it."""

import os
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

_READ_BY_CONVERSION: Final = ("RunInfo.xml", "Data", "Data/Intensities", "Data/Intensities/BaseCalls")
"""What conversion software follows into a run folder; none of it may be a link to somewhere else."""

_SIGNS_OF_THE_END: Final = ("RTAComplete.txt", "CopyComplete.txt")


class _NotReadable(Exception):  # never an answer: told as a problem
    """Why a folder cannot be read."""


@dataclass(frozen=True, slots=True)
class InstrumentFolder:
    """A folder with every link resolved, empty when there is none, and what keeps it from being read."""

    path: str
    problems: tuple[str, ...] = ()


def instrument_folder(claimed: str | None, root: str | None) -> InstrumentFolder:
    """Look at the folder that a sequencing run names; `root` is the sequencer output root.

    Only names and types are read. The words hold no path, because they are shown to whoever starts a run.

    Decision: G986.
    """
    try:
        path = _resolved((claimed or "").strip(), root)
    except _NotReadable as problem:
        return InstrumentFolder("", (f"folderPath: {problem}",))
    problems = tuple(f"folderPath: {problem}" for problem in _content_problems(Path(path)))
    return InstrumentFolder(path, problems)


def _resolved(wanted: str, root: str | None) -> str:
    if root is None:
        raise _NotReadable("the sequencer output root is not configured")
    if not wanted:
        raise _NotReadable("the sequencing run names no folder")
    if not wanted.startswith("/"):
        raise _NotReadable("must be an absolute path")
    try:
        path, base = os.path.realpath(wanted, strict=True), os.path.realpath(root, strict=True)
    except (OSError, ValueError) as missing:
        raise _NotReadable("there is no such folder") from missing
    if path == base or not PurePosixPath(path).is_relative_to(base):
        raise _NotReadable("lies outside the sequencer output root")
    if not Path(path).is_dir():
        raise _NotReadable("is not a folder")
    return path


def _content_problems(folder: Path) -> list[str]:
    problems = [f"{name} is a link" for name in _READ_BY_CONVERSION if (folder / name).is_symlink()]
    if not (folder / "RunInfo.xml").is_file():
        problems.append("has no RunInfo.xml, so it is not one that an Illumina instrument wrote")
    elif not any((folder / name).is_file() for name in _SIGNS_OF_THE_END):
        problems.append(f"is still being written: it has no {' and no '.join(_SIGNS_OF_THE_END)}")
    return problems
