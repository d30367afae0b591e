"""The folder that an Illumina instrument wrote in a sequencing run, before a workflow reads it."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Final

_INTENSITIES: Final = "Data/Intensities"
_BASE_CALLS: Final = f"{_INTENSITIES}/BaseCalls"
_READ_BY_CONVERSION: Final = ("RunInfo.xml", "RunParameters.xml", "runParameters.xml", "InterOp", "Data")
"""What conversion software reads in a run folder, beside all that lies below `Data`."""

_SIGN_OF_THE_END: Final = "CopyComplete.txt"
"""Written last, when the transfer is over; `RTAComplete.txt` says only that the base calling is."""

_MAX_NAMED_LINKS: Final = 10


class _NotReadable(Exception):  # never an answer: told as a problem
    """Why a folder cannot be read."""


@dataclass(frozen=True, slots=True)
class InstrumentFolder:
    """A folder with every link resolved, empty when there is none, and what keeps it from being read.

    `state` is what makes it that folder: size and modification time of the files that say which run it is
    and that it is whole.
    """

    path: str
    problems: tuple[str, ...] = ()
    state: dict[str, str] = field(default_factory=dict)


def instrument_folder(claimed: str | None, root: str | None) -> InstrumentFolder:
    """Look at the folder that a sequencing run names; `root` is the sequencer output root.

    Only names and types are read. The words hold no path, because they are shown to whoever starts a run.

    Decision: G986.
    """
    try:
        path = _resolved((claimed or "").strip(), root)
    except _NotReadable as problem:
        return InstrumentFolder("", (f"folderPath: {problem}",))
    try:
        problems = tuple(f"folderPath: {problem}" for problem in _content_problems(Path(path)))
        return InstrumentFolder(path, problems, _state(Path(path)))
    except OSError:
        return InstrumentFolder(path, ("folderPath: cannot be read",))


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
    problems = [f"{name} is a link" for name in _links(folder)][:_MAX_NAMED_LINKS]
    if not (folder / "RunInfo.xml").is_file():
        problems.append("has no RunInfo.xml, so it is not one that an Illumina instrument wrote")
    elif not (folder / _SIGN_OF_THE_END).is_file():
        problems.append(f"is still being written: it has no {_SIGN_OF_THE_END}")
    return problems


def _links(folder: Path) -> Iterator[str]:
    """Find links among what a conversion reads, down to what lies directly in a lane. Decision: G995."""
    for name in _READ_BY_CONVERSION:
        if (folder / name).is_symlink():
            yield name
    for name in ("Data", _INTENSITIES, _BASE_CALLS):
        if not (folder / name).is_dir() or (folder / name).is_symlink():
            return
        yield from _links_in(folder, name)
    with os.scandir(folder / _BASE_CALLS) as entries:
        lanes = sorted(one.name for one in entries if one.is_dir(follow_symlinks=False))
    for lane in lanes:
        yield from _links_in(folder, f"{_BASE_CALLS}/{lane}")


def _links_in(folder: Path, name: str) -> list[str]:
    with os.scandir(folder / name) as entries:
        return sorted(f"{name}/{one.name}" for one in entries if one.is_symlink())


def _state(folder: Path) -> dict[str, str]:
    facts = {name: folder / name for name in ("RunInfo.xml", _SIGN_OF_THE_END)}
    found = {name: path.lstat() for name, path in facts.items() if path.is_file()}
    return {name: f"{one.st_size} {one.st_mtime_ns}" for name, one in found.items()}
