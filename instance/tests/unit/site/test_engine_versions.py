"""When an engine is asked for its version, and what is said of it meanwhile."""

import threading
from datetime import timedelta
from typing import cast

from seqfacility_instance.core.vocabulary.pipelines import Engine
from seqfacility_instance.site.engine_versions import (
    FAILURE_REMEMBERED,
    REMEMBERED,
    EngineVersions,
    EngineWatch,
    SchedulerSighting,
    StoredScheduler,
    StoredSighting,
)
from seqfacility_testkit.facility import MovableClock

MARGIN = timedelta(seconds=20)
"""The clock goes on while the test works."""


class Program:
    """An engine that may fall silent."""

    def __init__(self, version: str | None) -> None:
        self.version = version
        self.asked = 0

    def answer(self, _words: list[str]) -> str | None:
        self.asked += 1
        return self.version


def test_a_version_is_remembered_for_long_and_a_silence_for_seconds() -> None:
    clock, program = MovableClock(), Program(None)
    versions = EngineVersions(program.answer, lambda _program: True, clock)

    silent = versions.sighting(Engine.SNAKEMAKE, "snakemake")
    clock.advance(FAILURE_REMEMBERED - MARGIN)
    assert versions.sighting(Engine.SNAKEMAKE, "snakemake") is silent
    program.version = "9.11.0"
    clock.advance(2 * MARGIN)
    answered = versions.sighting(Engine.SNAKEMAKE, "snakemake")
    clock.advance(REMEMBERED - MARGIN)

    assert (silent.is_found, silent.version) == (True, None)
    assert (answered.is_found, answered.version) == (True, "9.11.0")
    assert versions.sighting(Engine.SNAKEMAKE, "snakemake") is answered
    assert program.asked == 2


def test_an_engine_that_is_not_there_is_told_from_a_silent_one() -> None:
    versions = EngineVersions(lambda _words: None, lambda _program: False, MovableClock())

    assert not versions.sighting(Engine.NEXTFLOW, "nextflow").is_found


def test_a_watch_answers_at_once_and_asks_in_a_thread() -> None:
    may_answer, answered = threading.Event(), threading.Event()

    def slow(_words: list[str]) -> str:
        assert may_answer.wait(30)
        return "9.11.0"

    versions = EngineVersions(slow, lambda _program: True, MovableClock())
    clock = MovableClock()
    watch = EngineWatch(
        versions,
        lambda: {Engine.SNAKEMAKE: "snakemake"},
        {"slurm": lambda: SchedulerSighting("its controller does not answer.", clock.now())},
        clock,
    )

    assert watch.seen() is None
    may_answer.set()
    for _ in range(600):
        seen = watch.seen()
        if seen is not None:
            break
        answered.wait(0.05)

    assert seen is not None
    snakemake, slurm = cast("StoredSighting", seen["snakemake"]), cast("StoredScheduler", seen["slurm"])
    assert (snakemake["found"], snakemake["version"]) == (True, "9.11.0")
    assert slurm["fault"] == "its controller does not answer."
