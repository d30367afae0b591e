"""The folder of one pipeline run: the names of its files, and writing them whole or not at all."""

import json
import os
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

JsonValue: TypeAlias = bool | int | float | str | Sequence["JsonValue"] | Mapping[str, "JsonValue"] | None

SECRET_MODE = 0o600
PLAIN_MODE = 0o640
FOLDER_MODE = 0o750


@dataclass(frozen=True, slots=True)
class RunFolder:
    """One run's folder and the named paths in it; the value itself touches no disk.

    `path` is absolute. Names that begin with a dot are for the runtime and are
    never shown to people; those that hold a token have mode 600.

    Decision: G154.
    """

    path: Path

    @property
    def description(self) -> Path:
        """Which run this is: run id, package, version, digest."""
        return self.path / "run.json"

    @property
    def config(self) -> Path:
        """The merged configuration of the run."""
        return self.path / "config.json"

    @property
    def params(self) -> Path:
        """The parameters as the workflow engine reads them."""
        return self.path / "params.json"

    @property
    def logs(self) -> Path:
        """The folder of the log files."""
        return self.path / "logs"

    @property
    def output_log(self) -> Path:
        """Standard output of the pipeline."""
        return self.logs / "pipeline.out"

    @property
    def error_log(self) -> Path:
        """Standard error of the pipeline."""
        return self.logs / "pipeline.err"

    @property
    def launch_log(self) -> Path:
        """What the supervisor or the scheduler has to say about the launch itself."""
        return self.logs / "launch.log"

    @property
    def engine_log(self) -> Path:
        """What the workflow engine writes about itself, where it keeps a log of its own."""
        return self.logs / "nextflow.log"

    @property
    def trace(self) -> Path:
        """One row per task."""
        return self.path / "trace.txt"

    @property
    def report(self) -> Path:
        """The engine's report on tasks and what they used, where it makes one."""
        return self.path / "report.html"

    @property
    def timeline(self) -> Path:
        """The engine's picture of when each task ran, where it makes one."""
        return self.path / "timeline.html"

    @property
    def exit_record(self) -> Path:
        """`{exitCode, finishedAt}`, written at the very end."""
        return self.path / "exit.json"

    @property
    def output(self) -> Path:
        """Where the workflow puts its results."""
        return self.path / "output"

    @property
    def work(self) -> Path:
        """Where the workflow engine works."""
        return self.path / "work"

    @property
    def events_target(self) -> Path:
        """Weblog address, token and run name for the engine; hidden, mode 600."""
        return self.path / ".weblog.json"

    @property
    def launch_order(self) -> Path:
        """What the supervisor shall run, with the launch token; hidden, mode 600."""
        return self.path / ".launch.json"

    @property
    def identity(self) -> Path:
        """Which process supervises the run; hidden."""
        return self.path / ".supervisor.json"

    @property
    def supervisor_lock(self) -> Path:
        """Locked by the supervisor while it lives, for readers of other process namespaces; hidden."""
        return self.path / ".supervisor.lock"

    @property
    def job_record(self) -> Path:
        """Which job of the scheduler the run is; hidden."""
        return self.path / ".slurm.json"

    @property
    def cancelled(self) -> Path:
        """A mark that forbids a launch that has not begun; hidden."""
        return self.path / ".cancelled"

    def claim(self, token: str) -> Path:
        """Name the folder whose creation decides which copy of a launch may run; hidden."""
        return self.path / f".claim-{token}"

    def samplesheet(self, suffix: str) -> Path:
        """Name the sample sheet; `suffix` is `csv` or `tsv`."""
        return self.path / f"samplesheet.{suffix}"

    def create(self) -> None:
        """Make the folder and its sub-folders; raises `FileExistsError` when there is anything of its name.

        Whoever made a folder owns it: nobody else ever writes into it, forbids its launch or removes it.

        Decision: G382.
        """
        self.path.mkdir(mode=FOLDER_MODE, parents=True)
        for folder in (self.logs, self.output, self.work):
            folder.mkdir(mode=FOLDER_MODE)


def write_durably(path: Path, content: bytes, mode: int = PLAIN_MODE) -> None:
    """Put `content` at `path` so that readers and power cuts see the old file or the whole new one.

    The bytes go to a new file beside it, which is synced and then renamed over
    the old name; the folder is synced as well, because a rename that only the
    page cache knows is lost with the power.

    Decision: G154.
    """
    draft = path.with_name(f".{path.name.lstrip('.')}.{secrets.token_hex(4)}.part")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def write_json(path: Path, content: JsonValue, mode: int = PLAIN_MODE) -> None:
    """Write a JSON document with `write_durably`; any Unicode text survives as it is."""
    text = json.dumps(content, ensure_ascii=False, indent=2, sort_keys=True)
    write_durably(path, text.encode("utf-8", "surrogatepass") + b"\n", mode)


def remove_folder(path: Path) -> None:
    """Remove a folder with all that is below it, however deep; what cannot be removed stays. Decision: G375.

    Deeper folders are moved up before they are emptied, so that no path gets too long.
    WHY not shutil.rmtree: it calls itself for each level, and Python allows a thousand.
    """
    waiting = [path]
    while waiting:
        current = waiting.pop()
        with suppress(OSError), os.scandir(current) as entries:
            for entry in list(entries):
                with suppress(OSError):
                    found = Path(entry.path)
                    if not entry.is_dir(follow_symlinks=False):
                        found.unlink()
                    else:
                        is_high = current == path
                        waiting.append(found if is_high else found.rename(path / secrets.token_hex(8)))
        if current != path:
            with suppress(OSError):
                current.rmdir()
    with suppress(OSError):
        path.rmdir()


def sync_folder(path: Path) -> None:
    """Make the names in a folder durable."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
