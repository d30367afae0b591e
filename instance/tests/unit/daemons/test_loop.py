"""The loop of every daemon."""

import threading
from datetime import datetime

import pytest
from seqfacility_instance.core.vocabulary.site import ProcessName
from seqfacility_instance.daemons import loop
from seqfacility_instance.daemons.heartbeat import Heartbeat
from seqfacility_instance.daemons.loop import Daemon, run_daemon, run_once
from seqfacility_instance.tables.errors import WriteLockTimeout
from seqfacility_instance.tables.site import ProcessHeartbeat
from seqfacility_testkit.facility import Facility


class Ticks:
    """Counts ticks; fails at the first, and stops the loop after the third."""

    def __init__(self, stop: threading.Event) -> None:
        self.seen: list[datetime] = []
        self.stop = stop

    def __call__(self, now: datetime) -> bool:
        self.seen.append(now)
        if len(self.seen) == 1:
            raise RuntimeError("the first tick fails")
        if len(self.seen) == 3:
            self.stop.set()
        return len(self.seen) < 3


def test_a_failing_tick_does_not_end_the_daemon(facility: Facility) -> None:
    stop = threading.Event()
    ticks = Ticks(stop)
    facility.services.database.close()

    daemon = Daemon("worker", ticks, lambda _name, _now: None)
    run_daemon(daemon, facility.services.database, facility.clock, lambda: 0.01, stop)

    assert len(ticks.seen) == 3


def test_a_busy_database_is_a_line_in_the_log_and_no_growing_pause(
    facility: Facility, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "BUSY_PAUSE_SECONDS", 0.0)
    stop = threading.Event()
    facility.services.database.close()
    refusals = iter([WriteLockTimeout("database is locked")] * 50)

    def tick(_now: datetime) -> bool:
        for refused in refusals:
            raise refused
        stop.set()
        return False

    run_daemon(
        Daemon("worker", tick, lambda _name, _now: None),
        facility.services.database,
        facility.clock,
        lambda: 0.0,
        stop,
    )

    told = [(line.levelname, line.getMessage(), line.exc_info) for line in caplog.records]
    assert told == [("WARNING", "worker: the database is busy, the tick is repeated", None)] * 50


def test_once_means_until_nothing_is_left_to_do(facility: Facility) -> None:
    facility.services.database.close()
    answers = iter([True, True, False])

    run_once(
        Daemon("worker", lambda _now: next(answers), lambda _name, _now: None),
        facility.services.database,
        facility.clock,
    )

    assert list(answers) == []


def test_a_process_leaves_one_row_however_long_it_lives(facility: Facility) -> None:
    heartbeat = Heartbeat(ProcessName.WORKER)

    for minutes in (0, 1, 2):
        heartbeat.beat("worker", facility.clock.now().replace(minute=minutes))

    assert ProcessHeartbeat.select().count() == 1
