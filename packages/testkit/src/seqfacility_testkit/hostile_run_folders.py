"""What a workflow may leave in its run folder, on purpose or not."""

import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

BEYOND_PATH_MAX = 45
"""So many folders of 120 characters in one another have a path that the kernel does not take."""


def make_deep_folder(folder: Path, levels: int = BEYOND_PATH_MAX) -> None:
    """Make folders in one another of which the innermost are beyond the longest path of the kernel."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    for _ in range(levels):
        name = "d" * 120
        os.mkdir(name, dir_fd=descriptor)
        inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = inner
    os.close(descriptor)


def _deep(path: Path) -> None:
    path.mkdir()
    make_deep_folder(path)


def _bad_names(path: Path) -> None:
    path.mkdir()
    for name in (b"\xff.txt", b"no\xc2\xa0break", b"line\nfeed", b"x" * 250):
        (path / os.fsdecode(name)).touch()


def _sparse(path: Path) -> None:
    path.touch()
    os.truncate(path, 2**36)


def _locked(path: Path) -> None:
    path.mkdir()
    path.chmod(0)


TROUBLES: Mapping[str, Callable[[Path], object]] = {
    "loop": lambda path: path.symlink_to(path.name),
    "dangling link": lambda path: path.symlink_to("/nonexistent/file"),
    "link to the root": lambda path: path.symlink_to("/"),
    "fifo": os.mkfifo,
    "folder": Path.mkdir,
    "too deep folder": _deep,
    "bad names": _bad_names,
    "bad bytes": lambda path: path.write_bytes(b"\xff\xfe\0\xed\xa0\x80\n" * 100),
    "surrogates": lambda path: path.write_text('{"exitCode": "\\ud800", "runId": "\\ud800"}'),
    "deep JSON": lambda path: path.write_text("[" * 200_000),
    "huge number": lambda path: path.write_text('{"exitCode": 1' + "0" * 40 + "}"),
    "sparse file": _sparse,
}
"""Each puts something else at a path; none of them needs a user without privileges."""

LOCKED: Callable[[Path], object] = _locked
"""Puts a folder there that may not be read by anybody but root."""

PLACES: Mapping[str, str] = {
    "output/more": "completed",
    "output": "failed",
    "trace.txt": "completed",
    "report.html": "completed",
    "logs": "completed",
    "logs/pipeline.out": "completed",
    "logs/pipeline.err": "completed",
    "logs/launch.log": "completed",
    "run.json": "completed",
    "exit.json": "failed",
    ".supervisor.json": "completed",
}
"""Places in a run folder, and how a run with its results ends that has something else there."""


def put_trouble(path: Path, trouble: Callable[[Path], object]) -> None:
    """Let `trouble` take the place of whatever is at `path`."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    trouble(path)
