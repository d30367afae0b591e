"""Which workflow engines are there: asked rarely, because starting one takes seconds."""

from collections.abc import Callable
from datetime import datetime, timedelta

from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary import Engine

REMEMBERED = timedelta(minutes=10)
"""Engines come and go with an administrator's installation, not with requests."""

_QUESTIONS = {Engine.NEXTFLOW: "-version", Engine.SNAKEMAKE: "--version"}


class EngineVersions:
    """Asks engines for their versions and remembers the answers for a while. Gap: G49."""

    def __init__(self, find_version: Callable[[list[str]], str | None], clock: Clock) -> None:
        self._find_version = find_version
        self._clock = clock
        self._known: dict[tuple[Engine, str], tuple[datetime, str | None]] = {}

    def version(self, engine: Engine, command: str) -> str | None:
        """Give the version that `command` says, None when it is not found or does not answer."""
        now = self._clock.now()
        asked_at, answer = self._known.get((engine, command), (None, None))
        if asked_at is None or now - asked_at > REMEMBERED:
            answer = self._find_version([command, _QUESTIONS[engine]])
            self._known[engine, command] = (now, answer)
        return answer
