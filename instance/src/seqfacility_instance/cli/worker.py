"""Run the background worker: verification of uploads, expiry, and other long work."""

import argparse
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from seqfacility_wire.command_line.refusal import Refused

from seqfacility_instance.cli.daemon_process import add_daemon_arguments, run_process
from seqfacility_instance.core.vocabulary.site import ProcessName

if TYPE_CHECKING:
    from seqfacility_instance.wiring import Services

INTERVAL_SECONDS = 2.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_daemon_arguments(parser, has_interval=False)
    parser.add_argument("--kinds", nargs="+", metavar="KIND", help="do only jobs of these kinds")


def run(arguments: argparse.Namespace) -> int:
    return run_process(
        ProcessName.WORKER,
        arguments,
        tick_of=partial(tick_for, arguments.kinds),
        interval_of=lambda _services: INTERVAL_SECONDS,
        engines_of=lambda services: services.health.engine_watch().seen,
    )


def tick_for(kinds: list[str] | None, services: "Services") -> Callable[[datetime], bool]:
    """Return the worker's tick; a long job keeps the sign of life of the process fresh.

    Raises `Refused` for a kind of job that there is not.

    Decision: G49, G326, G436.

    Decision: G262.
    """
    from seqfacility_instance.daemons.heartbeat import Heartbeat

    works = services.worker.works
    if unknown := set(kinds or ()) - set(works):
        raise Refused(f"no kind of job: {', '.join(sorted(unknown))}; there are {', '.join(sorted(works))}")
    worker = replace(
        services.worker,
        works={kind: works[kind] for kind in kinds or works},
        beat=partial(Heartbeat(ProcessName.WORKER).beat, ProcessName.WORKER),
    )
    return worker.tick
