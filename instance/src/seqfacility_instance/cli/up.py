"""Run everything of a small facility: web processes, monitors and worker, under one supervisor."""

import argparse
import os

from seqfacility_instance.cli.observing import add_web_arguments, begin_observing, free_address
from seqfacility_instance.cli.refusal import existing_home
from seqfacility_instance.settings import read_settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `up`. Gap: G262."""
    add_web_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Start all processes, restart what dies, end all on SIGTERM. Gap: G262."""
    from seqfacility_instance.daemons.loop import stop_on_signals
    from seqfacility_instance.daemons.supervisor import Child, supervise

    existing_home(read_settings(os.environ).home)
    metrics_bind = begin_observing(arguments)
    shown = ["--metrics-bind", metrics_bind] if metrics_bind else []
    bind, workers = free_address(arguments.bind), str(max(1, arguments.workers))
    children = [
        Child("serve", ["serve", "--bind", bind, "--workers", workers, *shown]),
        Child("monitor-runs", ["monitor-runs"]),
        Child("monitor-streams", ["monitor-streams"]),
        Child("worker", ["worker"]),
    ]
    supervise(children, stop_on_signals())
    return 0
