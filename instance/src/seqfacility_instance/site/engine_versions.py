"""Which workflow engines are there, and whether schedulers answer: asked rarely, because it takes seconds."""

import os
import shutil
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib import metadata
from pathlib import Path
from typing import Final, TypedDict

from seqfacility_wire.timestamps import format_time, parse_time
from seqfacility_workflow_runtime.environment import child_environment

from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.pipelines import Engine

REMEMBERED: Final = timedelta(minutes=10)
"""Engines come and go with an administrator's installation, not with requests."""

FAILURE_REMEMBERED: Final = timedelta(seconds=30)
"""An engine that gave no version may have been slow to start on a busy machine."""

_QUESTIONS: Final = {Engine.NEXTFLOW: "-version", Engine.SNAKEMAKE: "--version"}


_OUR_SNAKEMAKE: Final = str(Path(sys.executable).with_name("snakemake"))


class StoredSighting(TypedDict):
    """A sighting as the row of the process keeps it that asked."""

    command: str
    found: bool
    version: str | None
    checkedAt: str


@dataclass(frozen=True, slots=True)
class EngineSighting:
    """What became of asking `command` for its version.

    An engine that is found and has no version did not answer, or has not been asked yet: then `checked_at`
    is None.
    """

    command: str
    is_found: bool
    version: str | None
    checked_at: datetime | None

    def is_due(self, now: datetime) -> bool:
        """Return whether the engine should be asked again."""
        if self.checked_at is None:
            return True
        kept = FAILURE_REMEMBERED if self.version is None else REMEMBERED
        return not timedelta(0) <= now - self.checked_at <= kept


class StoredScheduler(TypedDict):
    """What a worker was told of a scheduler, as the row of the process keeps it."""

    fault: str | None
    checkedAt: str


@dataclass(frozen=True, slots=True)
class SchedulerSighting:
    """Why nothing can be sent to a scheduler; `checked_at` is None as long as nobody has asked."""

    fault: str | None
    checked_at: datetime | None

    def is_due(self, now: datetime) -> bool:
        """Return whether the scheduler should be asked again."""
        return self.checked_at is None or not timedelta(0) <= now - self.checked_at <= FAILURE_REMEMBERED


class EngineVersions:
    """Asks engines for their versions and remembers the answers for a while. Decision: G49, G463."""

    def __init__(
        self,
        find_version: Callable[[list[str]], str | None],
        is_installed: Callable[[str], bool],
        clock: Clock,
    ) -> None:
        self._find_version = find_version
        self._is_installed = is_installed
        self._clock = clock
        self._known: dict[tuple[Engine, str], EngineSighting] = {}

    def sighting(self, engine: Engine, command: str) -> EngineSighting:
        """Ask an engine unless it was asked just now; takes seconds."""
        known = self._known.get((engine, command))
        if known is None or known.is_due(self._clock.now()):
            version = self._find_version([command, _QUESTIONS[engine]])
            is_found = version is not None or self._is_installed(command)
            known = EngineSighting(command, is_found, version, self._clock.now())
            self._known[engine, command] = known
        return known

    def unasked(self, engine: Engine, command: str) -> EngineSighting:
        """Return what is known of an engine that no process has asked yet: whether it is installed.

        Snakemake is a Python package, whose version is known when it is the one installed with the service.
        """
        is_found = self._is_installed(command)
        is_ours = engine is Engine.SNAKEMAKE and _program(command) == _OUR_SNAKEMAKE
        return EngineSighting(command, is_found, _snakemake_version() if is_found and is_ours else None, None)


def _program(command: str) -> str | None:
    """Find what an engine would be started with, in the environment that runs get."""
    return shutil.which(command, path=child_environment(os.environ).get("PATH"))


def _snakemake_version() -> str | None:
    try:
        return metadata.version("snakemake")
    except metadata.PackageNotFoundError:
        return None


class EngineWatch:
    """Asks engines and schedulers in a thread beside the work of a daemon, whose row tells what was seen.

    Decision: G463, G487.
    """

    def __init__(
        self,
        versions: EngineVersions,
        commands: Callable[[], Mapping[Engine, str]],
        schedulers: Mapping[str, Callable[[], SchedulerSighting]],
        clock: Clock,
    ) -> None:
        self._versions = versions
        self._commands = commands
        self._schedulers = schedulers
        self._clock = clock
        self._answers = dict.fromkeys(schedulers, SchedulerSighting(None, None))
        self._seen: dict[str, object] | None = None
        self._thread: threading.Thread | None = None

    def seen(self) -> dict[str, object] | None:
        """Return what was seen last, and have a thread look again where that is due."""
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._look, args=[self._commands()], daemon=True)
            self._thread.start()
        return self._seen

    def _look(self, commands: Mapping[Engine, str]) -> None:
        sightings = {engine: self._versions.sighting(engine, command) for engine, command in commands.items()}
        for name, ask in self._schedulers.items():
            if self._answers[name].is_due(self._clock.now()):
                self._answers[name] = ask()
        self._seen = {
            **{engine.value: stored_sighting(sighting) for engine, sighting in sightings.items()},
            **{name: stored_scheduler(answer) for name, answer in self._answers.items()},
        }


def stored_sighting(sighting: EngineSighting) -> StoredSighting:
    """Write a sighting of an engine that was asked."""
    assert sighting.checked_at is not None
    return StoredSighting(
        command=sighting.command,
        found=sighting.is_found,
        version=sighting.version,
        checkedAt=format_time(sighting.checked_at),
    )


def read_sighting(stored: StoredSighting) -> EngineSighting:
    """Read a sighting that another process wrote."""
    checked_at = parse_time(stored["checkedAt"])
    return EngineSighting(stored["command"], stored["found"], stored["version"], checked_at)


def stored_scheduler(sighting: SchedulerSighting) -> StoredScheduler:
    """Write what became of asking a scheduler."""
    assert sighting.checked_at is not None
    return StoredScheduler(fault=sighting.fault, checkedAt=format_time(sighting.checked_at))


def read_scheduler(stored: StoredScheduler) -> SchedulerSighting:
    """Read what another process was told of a scheduler."""
    return SchedulerSighting(stored["fault"], parse_time(stored["checkedAt"]))
