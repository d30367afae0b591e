"""The loop of every daemon: ticks, signals, back-off, heartbeat."""

import logging
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from peewee import Database
from seqfacility_wire.metrics import is_recording

from seqfacility_instance.core.clock import Clock
from seqfacility_instance.tables.base import keeps_connections
from seqfacility_instance.tables.connections import connection_held
from seqfacility_instance.tables.errors import is_busy

LONGEST_PAUSE_SECONDS = 60.0
BUSY_PAUSE_SECONDS = 1.0
_log = logging.getLogger("seqfacility.daemons")


@dataclass(frozen=True, slots=True)
class Daemon:
    """A named unit of repeated work.

    `tick` does what is due at the given time and returns whether it did anything; what it does is leased or
    claimed in the database, so that two daemons of one name do no harm.
    """

    name: str
    tick: Callable[[datetime], bool]
    beat: Callable[[str, datetime], None]
    """Notes that the daemon is alive. Decision: G49."""


def run_daemon(
    daemon: Daemon,
    database: Database,
    clock: Clock,
    interval_seconds: Callable[[], float],
    stop: threading.Event,
    wait: Callable[[float, threading.Event], None] | None = None,
) -> None:
    """Tick until `stop` is set; a failing tick is logged and repeated after a growing pause.

    A tick that met a busy database is repeated soon: nothing is wrong with it.

    `wait` pauses for some seconds at most and may end early when there is something to do.

    Decision: G264, G369.
    """
    failures = 0
    while not stop.is_set():
        try:
            began = time.monotonic()
            with connection_held(database):
                now = clock.now()
                daemon.beat(daemon.name, now)
                daemon.tick(now)
                pause = interval_seconds()
            failures = 0
            _meter(daemon.name, time.monotonic() - began)
        except Exception as failed:
            _meter(daemon.name, None)
            if is_busy(failed):
                _log.warning("%s: the database is busy, the tick is repeated", daemon.name)
                pause = BUSY_PAUSE_SECONDS
            else:
                failures += 1
                _log.exception("%s: a tick failed (%d in a row)", daemon.name, failures)
                pause = min(2.0**failures, LONGEST_PAUSE_SECONDS)
            _drop_connection(database)
            stop.wait(pause)
            continue
        if wait is None:
            stop.wait(pause)
        else:
            wait(pause, stop)


def _meter(name: str, seconds: float | None) -> None:
    """Measure a tick; `seconds` is None for one that failed."""
    if not is_recording():
        return
    from seqfacility_instance.daemons.meters import FAILED_TICKS, TICK_SECONDS

    if seconds is None:
        FAILED_TICKS.labels(name).inc()
    else:
        TICK_SECONDS.labels(name).observe(seconds)


def run_once(daemon: Daemon, database: Database, clock: Clock) -> None:
    """Tick until nothing is due. Decision: G262."""
    with connection_held(database):
        while daemon.tick(clock.now()):
            daemon.beat(daemon.name, clock.now())


def stop_on_signals() -> threading.Event:
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    return stop


def _drop_connection(database: Database) -> None:
    """Close a connection that a restarted server has ended: kept, it would fail for ever."""
    if not keeps_connections(database) and not database.is_closed():
        database.close()
