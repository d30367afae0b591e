"""What the commands that run one daemon share: options, readiness, loop."""

import argparse
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from seqfacility_wire import metrics

from seqfacility_instance.cli.installation import ready_services, warn_of_refused_folders
from seqfacility_instance.cli.observing import add_metrics_argument, start_observing
from seqfacility_instance.cli.refusal import check_database_file
from seqfacility_instance.core.vocabulary.site import ProcessName
from seqfacility_instance.version import RELEASE

if TYPE_CHECKING:
    from threading import Event

    from seqfacility_instance.wiring import Services


def add_daemon_arguments(parser: argparse.ArgumentParser, *, has_interval: bool) -> None:
    add_metrics_argument(parser)
    parser.add_argument("--once", action="store_true", help="work until nothing is left to do now, then end")
    if has_interval:
        parser.add_argument("--interval", type=float, metavar="S", help="seconds between two looks")


def run_process(
    name: ProcessName,
    arguments: argparse.Namespace,
    tick_of: Callable[["Services"], Callable[[datetime], bool]],
    interval_of: Callable[["Services"], float],
    wait: Callable[[float, "Event"], None] | None = None,
    engines_of: Callable[["Services"], Callable[[], Mapping[str, object] | None]] | None = None,
) -> int:
    """Run one daemon until told to stop; raises `Refused` when the schema is not this release's, or on
    a file system where SQLite loses data.

    `wait` is how the daemon pauses between two ticks, see `run_daemon`; `engines_of` gives what its
    heartbeat tells of the workflow engines.

    Decision: G262, G263, G485, G497.
    """
    from seqfacility_instance.daemons.heartbeat import Heartbeat
    from seqfacility_instance.daemons.loop import Daemon, run_daemon, run_once, stop_on_signals

    metrics_bind = start_observing(arguments)
    if metrics_bind is not None:
        metrics.listen(metrics_bind, RELEASE)
    services = ready_services()
    warn_of_refused_folders(services)
    check_database_file(services.settings)
    engines = None if engines_of is None or arguments.once else engines_of(services)
    heartbeat = Heartbeat(name) if engines is None else Heartbeat(name, engines)
    daemon = Daemon(name.value, tick_of(services), heartbeat.beat)
    if arguments.once:
        run_once(daemon, services.database, services.clock)
        return 0
    chosen = getattr(arguments, "interval", None)
    interval = (lambda: interval_of(services)) if chosen is None else (lambda: max(0.05, chosen))
    run_daemon(daemon, services.database, services.clock, interval, stop_on_signals(), wait)
    return 0
